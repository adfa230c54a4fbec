import { expect, test } from 'vitest';
import { papers } from '#claims/papers/index.ts';
import { objectOf } from '#contract/kit/json.ts';
import { judgedFormOf } from '#contract/papers/forms.ts';
import { armConfig } from '#contract/papers/papers.ts';
import { getEnv } from '#core/envs/all.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import { paperFacts } from '../../../tools/facts/papers.ts';
import { PAID_ALONE, pairOf } from './showable.ts';

const facts = paperFacts('.');
const pairs = papers.flatMap((card) => {
  const judged = judgedFormOf(card);
  const pair = judged === null ? null : pairOf(judged, (arm) => facts[card.id]?.policies[arm] ?? null);
  return judged === null || pair === null ? [] : [{ id: card.id, judged, pair }];
});

test('two thirds of the cards can show what they found; a card without policies cannot', () => {
  expect(pairs.length).toBeGreaterThanOrEqual(Math.ceil((2 / 3) * papers.length));
  for (const { judged } of pairs) expect(pairOf(judged, () => null)?.one.script ?? 'none').not.toBe('');
  const bare = judgedFormOf(papers.find(({ id }) => id === 'P021')!)!;
  expect(pairOf(bare, () => null)).toBeNull();
});

test('arms that read the same runs are no pair', () => {
  const { judged } = pairs.find(({ id }) => id === 'P099')!;
  expect(pairOf(judged, () => 'one file')).toBeNull();
});

test('settings that are said to change what is paid alone leave what is seen as it is', () => {
  const differing = pairs.filter(({ judged, pair: { one, other } }) => {
    const { id } = objectOf(armConfig(judged, one).env);
    return (
      Object.hasOwn(PAID_ALONE, String(id)) && JSON.stringify(armConfig(judged, one).env) !== JSON.stringify(armConfig(judged, other).env)
    );
  });
  expect(differing.map(({ id }) => id)).toEqual(['P092', 'P125']);
  for (const { judged, pair } of differing) {
    const films = [pair.one, pair.other].map((arm) => {
      const { id, config } = objectOf(armConfig(judged, arm).env);
      const entry = getEnv(String(id));
      const env = entry.create(entry.parse(config), 1);
      const [buffers, actions] = [createBuffers(env.meta, 1), createActions(env.meta, 1)];
      const seen: number[][] = [];
      for (let seed = 0; seed < 30; seed++) {
        env.reset(new Uint32Array([1001 + seed]), buffers);
        seen.push(Array.from(buffers.obs));
        for (let step = 0; step < 10; step++) {
          const { action } = env.meta.agents[0]!;
          env.step(actions.fill((7 * seed + 3 * step) % (action.kind === 'discrete' ? action.n : 1)), buffers);
          seen.push(Array.from(buffers.obs));
          if (buffers.terminated[0] === 1 || buffers.truncated[0] === 1) break;
        }
      }
      return seen;
    });
    expect(films[0]!.length).toBeGreaterThan(60);
    expect(films[1]).toEqual(films[0]);
  }
});
