import { expect, test } from 'vitest';
import { ownPaper } from '#claims/own.ts';
import { judgedPapers } from '#claims/papers/index.ts';
import { cardId, cardOfJson, decodeCard, encodeCard, LONGEST_CARD, type OwnCard } from '#contract/link/card.ts';
import { armConfig, ruleOf } from '#contract/papers/papers.ts';
import { completeRun, loadRun } from '#core/run/by-id.ts';
import { armsOf, ownOfPaper, type SetUp } from './own-card.ts';

const SET_UPS: readonly SetUp[] = [
  {
    title: 'PPO, small',
    env: { id: 'cartpole', config: { maxSteps: 200 } },
    algo: { id: 'ppo', config: { hidden: [8], lr: 1e-3 } },
    run: { steps: 2000, seeds: 3 },
  },
  {
    title: 'PPO, small',
    env: { id: 'cartpole', config: { maxSteps: 200, force: 5 } },
    algo: { id: 'ppo', config: { hidden: [8] } },
    run: { steps: 2000, seedStart: 5 },
  },
  {
    title: 'DQN (plain)',
    env: { id: 'cartpole', config: { maxSteps: 200 } },
    algo: { id: 'dqn', config: { lr: 1e-3 } },
    run: { steps: 4000 },
  },
];

const CARD: OwnCard = {
  title: 'A question',
  question: 'Does it?',
  ...armsOf(SET_UPS),
  quantity: { title: 'return', of: 'finalReturn' },
  contrasts: [{ id: 'a', kind: 'difference', arm: 'ppo-small', over: 'dqn-plain', claim: 'above', size: 10 }],
  better: 'more',
  looks: [5, 10],
  firstSeed: 2001,
  tunedOn: [1, 3],
};

test('each arm of a card of runs is exactly its run, whatever the others have', async () => {
  for (const { env, algo } of SET_UPS) await loadRun({ v: 1, env, algo });
  const paper = ownPaper(CARD);
  expect(paper.arms.map(({ id }) => id)).toEqual(['ppo-small', 'ppo-small-2', 'dqn-plain']);
  paper.arms.forEach((arm, k) => {
    const { title: _, run: { seeds: _seeds, seedStart: _start, ...run } = {}, ...refs } = SET_UPS[k]!;
    const whole = (config: object) => completeRun({ v: 1, ...config });
    expect(whole(armConfig(paper, arm))).toEqual(whole({ ...refs, run }));
  });
});

test('a card goes through its link, and another one has another name', () => {
  const packed = encodeCard(CARD);
  expect(packed.length).toBeLessThan(LONGEST_CARD);
  expect(decodeCard(packed)).toEqual(CARD);
  expect(cardOfJson(JSON.parse(JSON.stringify(CARD)))).toEqual(CARD);
  expect(cardId({ ...CARD, firstSeed: 2002 })).not.toBe(cardId(CARD));
  expect(ownPaper(CARD)).toMatchObject({
    id: cardId(CARD),
    tested: { label: 'our question' },
    firstSeed: 2001,
    looks: [5, 10],
    tunedOn: [1, 3],
  });
});

test.each([
  ['an arm that is not there', { contrasts: [{ ...CARD.contrasts[0], over: 'nobody-s' }] }, /there is no arm "nobody-s"/],
  ['a size of nothing', { contrasts: [{ ...CARD.contrasts[0], size: 0 }] }, /could not be judged/],
  ['looks that fall', { looks: [10, 5] }, /do not rise/],
  ['seeds that were tuned on', { tunedOn: [1, 2000] }, /below 1001/],
])('%s is refused', (_, part, why) => {
  expect(() => ownPaper({ ...CARD, ...part } as OwnCard)).toThrow(why);
});

test.each([
  [
    'code in its settings',
    { config: { ...CARD.config, env: { id: 'cartpole', config: { code: 'x'.repeat(201) } } } },
    /config.env.config.*no code and no robot/,
  ],
  ['four contrasts', { contrasts: Array(4).fill(CARD.contrasts[0]) }, /contrasts/],
  ['a field of its own', { more: 1 }, /cannot be read/],
  ['a reported seed below the first', { firstSeed: 5 }, /firstSeed/],
])('a file with %s names the field', (_, part, why) => {
  expect(() => cardOfJson(JSON.parse(JSON.stringify({ ...CARD, ...part })))).toThrow(why);
});

test('a card made from a paper asks what the paper asks, as far as it can be said', () => {
  const made = judgedPapers.flatMap((card) => {
    const own = ownOfPaper(card);
    return own === null ? [] : [{ card, own }];
  });
  expect(made.length).toBeGreaterThan(10);
  for (const { card, own } of made) {
    const again = ownPaper(own);
    expect(again.arms.map((arm) => armConfig(again, arm).algo)).toEqual(card.arms.map((arm) => armConfig(card, arm).algo));
    const rule = ruleOf(card).contrasts;
    for (const contrast of ruleOf(again).contrasts) expect(rule).toContainEqual(contrast);
    expect(encodeCard(own).length).toBeLessThan(2 * LONGEST_CARD);
  }
});
