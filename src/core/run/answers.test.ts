import { expect, it } from 'vitest';
import { MOST_ANSWERS } from '#contract/run/tokens.ts';
import type { Policy, Sampled } from '../algos/api/types.ts';
import { dpo } from '../algos/language/dpo.ts';
import { groupRl } from '../algos/language/group-rl.ts';
import { randomPolicy } from '../algos/lib/random-policy.ts';
import { getEnv } from '../envs/all.ts';
import { sampleAnswers } from './answers.ts';
import { playEpisode, playScripted, ReplayReader } from './replay.ts';
import { tokenStrip } from './tokens.ts';

const entry = getEnv('t-reason');
const config = entry.parse({});
const meta = entry.meta(config);
const labels = meta.agents[0]!.action.kind === 'discrete' ? meta.agents[0]!.action.labels : [];
/** As GRPO does, on its defaults. */
const grpo = (sampled: Sampled) => groupRl.weigh!(groupRl.parse({}), sampled);
const END = labels.indexOf('end');

/** Reverses the word, but ends at once with probability .3. */
function hasty(): Policy {
  const none = new Float32Array(0);
  return {
    initial: () => none,
    act({ obs, rows, rng, unread }) {
      const n = meta.actionCount;
      const logits = new Float32Array(rows * n).fill(-1e8);
      const actions = new Int32Array(rows);
      for (let row = 0; row < rows; row++) {
        const ids = [...obs.subarray(row * meta.obsSize, (row + 1) * meta.obsSize)].filter((id) => id > 0);
        const at = ids.indexOf(labels.indexOf('='));
        const right = ids.slice(3, at).reverse()[ids.length - at - 1] ?? END;
        const first = ids.length === at + 1;
        logits[row * n + right] = first ? Math.log(0.7) : 0;
        if (first) logits[row * n + END] = Math.log(0.3);
        actions[row] = first && unread?.[row] !== 1 && rng.uniform() < 0.3 ? END : right;
      }
      return { actions, hidden: none, logits };
    },
    dispose() {},
  };
}

it('a group faces one prompt; its rewards, log-probabilities and advantages are those of what was written', async () => {
  const replay = await playEpisode(hasty(), entry, config, { seed: 5, greedy: false });
  const [group, ...more] = await sampleAnswers(hasty(), entry, config, { start: replay.start, groups: 1, size: 40, seed: 3, weigh: grpo });
  expect(more).toHaveLength(0);
  const word = group!.prompt.slice(3, -1).map((id) => labels[id]);
  expect(group!.asked).toBe(`Write the letters ${word.join(' ')} in reverse.`);
  const right = group!.answers.filter(({ measures }) => measures?.solved === 1);
  const wrong = group!.answers.filter(({ measures }) => measures?.solved === 0);
  expect(right.length + wrong.length).toBe(40);
  expect(right.length).toBeGreaterThan(20); // 28 expected
  expect(wrong.length).toBeGreaterThan(3);
  for (const { tokens, reward, logProb, advantage } of right) {
    expect(tokens.map(({ id }) => labels[id])).toEqual([...word.toReversed(), 'end']);
    expect(reward).toBe(1);
    expect(logProb).toBeCloseTo(Math.log(0.7), 5);
    expect(advantage).toBeGreaterThan(0);
  }
  for (const { reward, terms } of group!.answers) expect(terms.reduce((a, b) => a + b)).toBeCloseTo(reward, 6);
  expect(right[0]!.terms).toEqual([1, 0, 0]);
  for (const { tokens, reward, logProb, advantage } of wrong) {
    expect(tokens).toMatchObject([{ id: END, written: true }]);
    expect(tokens[0]?.logProb).toBeCloseTo(Math.log(0.3), 5);
    expect(reward).toBeLessThan(1);
    expect(logProb).toBeCloseTo(Math.log(0.3), 5);
    expect(advantage).toBeLessThan(0);
  }
  const sum = group!.answers.reduce((a, { advantage }) => a + (advantage ?? 0), 0);
  expect(sum).toBeCloseTo(0, 9);
});

it('pauses between two tokens, so that other messages are taken meanwhile, and draws the same', async () => {
  const options = { start: null, groups: 2, size: 3, seed: 8, weigh: grpo };
  let [rests, heard] = [0, 0];
  const rest = async (): Promise<boolean> => {
    rests++;
    await new Promise((done) => setTimeout(done, 0));
    return true; // nothing is cut short by it
  };
  const timer = setInterval(() => heard++, 0);
  const groups = await sampleAnswers(hasty(), entry, config, { ...options, rest });
  clearInterval(timer);
  expect(groups).toEqual(await sampleAnswers(hasty(), entry, config, options));
  const longest = Math.max(...groups.flatMap(({ answers }) => answers.map(({ tokens }) => tokens.length)));
  expect(rests).toBeGreaterThanOrEqual(longest);
  expect(heard).toBeGreaterThan(0);
});

it('several groups have prompts of their own, the same for the same seed', async () => {
  const options = { start: null, groups: 4, size: 3, seed: 8, weigh: grpo };
  const groups = await sampleAnswers(hasty(), entry, config, options);
  expect(groups.map(({ answers }) => answers.length)).toEqual([3, 3, 3, 3]);
  expect(new Set(groups.map(({ prompt }) => prompt.join())).size).toBeGreaterThan(1);
  expect(await sampleAnswers(hasty(), entry, config, options)).toEqual(groups);
  expect(await sampleAnswers(hasty(), entry, config, { ...options, seed: 9 })).not.toEqual(groups);
});

it('answers weigh what the run’s own settings make of them: baseline, scale, penalty, drop, pairs', async () => {
  const sampled: Sampled = {
    size: 4,
    rewards: [1, 0, 0, 0, 0.5, 0.5, 0.5, 0.5],
    solved: [1, 0, 0, 0, 0, 0, 0, 0],
    lengths: [3, 3, 8, 3, 3, 3, 3, 3],
    longest: 8,
  };
  const of = (config: object) => groupRl.weigh!(groupRl.parse(config), sampled);
  const first = (config: object): number[] => Array.from(of(config).advantages).slice(0, 4);
  expect(first({})[0]).toBeCloseTo(0.75 / (0.5 + 1e-4), 9);
  expect(first({ scale: 'none' })).toEqual([0.75, -0.25, -0.25, -0.25]);
  expect(first({ baseline: 'leave-one-out', scale: 'none' })[0]).toBeCloseTo(1, 9);
  expect(first({ baseline: 'batch', scale: 'none' })).toEqual([0.625, -0.375, -0.375, -0.375]);
  expect(first({ scale: 'none', overlong: 2 })).toEqual([1, 0, -1, 0]); // the third answer is as long as can be
  expect(Array.from(of({ baseline: 'best' }).counts)).toEqual([1, 0, 0, 0, 1, 0, 0, 0]);
  const dropped = (by: string) => Array.from(of({ dropUniform: { kind: 'on', by } }).counts);
  expect(dropped('verifier')).toEqual([1, 1, 1, 1, 0, 0, 0, 0]);
  expect(dropped('reward')).toEqual([1, 1, 1, 1, 0, 0, 0, 0]);
  const unsolved = groupRl.weigh!(groupRl.parse({ dropUniform: { kind: 'on', by: 'verifier' } }), {
    ...sampled,
    solved: new Uint8Array(8),
  });
  expect(Array.from(unsolved.counts)).toEqual(new Array(8).fill(0));
  const pairs = dpo.weigh!(dpo.parse({}), sampled);
  expect(Array.from(pairs.advantages).slice(0, 4).sort()).toEqual([-1, 0, 0, 1]);
  expect(Array.from(pairs.counts).slice(4)).toEqual([0, 0, 0, 0]);
});

it('what the world replies is told apart from what was written', async () => {
  const tools = getEnv('t-tools');
  const setup = tools.parse({});
  const replay = await playScripted('expert', tools, setup, 4);
  const strip = await tokenStrip(randomPolicy(tools.meta(setup)), new ReplayReader(replay, tools), tools);
  const none = new Float32Array(0);
  let t = 0;
  const expert: Policy = {
    initial: () => none,
    act: ({ rows }) => ({ actions: new Int32Array(rows).fill(replay.actions[t++]!), hidden: none }),
    dispose() {},
  };
  const [group] = await sampleAnswers(expert, tools, setup, { start: replay.start, groups: 1, size: 2, seed: 1, weigh: null });
  const [answer] = group!.answers;
  const shown = strip.tokens.filter(({ frame }) => frame > 0 && frame < strip.tokens.at(-1)!.frame);
  expect(answer!.tokens.slice(0, shown.length).map(({ id }) => id)).toEqual(shown.map(({ id }) => id));
  expect(answer!.tokens.filter(({ written }) => written).map(({ id }) => id)).toEqual([...replay.actions]);
  expect(answer!.tokens.some(({ written }) => !written)).toBe(true);
  expect(answer!.terms.reduce((a, b) => a + b)).toBeCloseTo(strip.reward, 6);
  expect(answer).toMatchObject({ reward: strip.reward, measures: { solved: 1 }, logProb: null, advantage: null });
});

it('refuses more answers than it may draw, and worlds without tokens', async () => {
  const many = sampleAnswers(hasty(), entry, config, { start: null, groups: 2, size: MOST_ANSWERS, seed: 1, weigh: null });
  await expect(many).rejects.toMatchObject({ failure: { id: 'config-invalid', field: 'size' } });
  const walk = getEnv('frozen-lake');
  const other = walk.parse({});
  const none = sampleAnswers(randomPolicy(walk.meta(other)), walk, other, { start: null, groups: 1, size: 2, seed: 1, weigh: null });
  await expect(none).rejects.toMatchObject({ failure: { id: 'incompatible' } });
});

it('answers that are given are read as they are: a policy’s own have the same log-probabilities, those of another policy other ones', async () => {
  const sampled = { start: null, groups: 2, size: 20, seed: 9, weigh: grpo };
  const own = await sampleAnswers(hasty(), entry, config, sampled);
  const written = own.flatMap(({ answers }) => answers.map(({ tokens }) => tokens.filter((token) => token.written).map(({ id }) => id)));
  const random = randomPolicy(meta);
  expect(await sampleAnswers(hasty(), entry, config, { ...sampled, seed: 9, written })).toEqual(own);
  const other = await sampleAnswers(random, entry, config, { ...sampled, written });
  const ids = ({ answers }: (typeof own)[number]) => answers.map(({ tokens }) => tokens.map(({ id }) => id));
  expect(other.map(ids)).toEqual(own.map(ids));
  expect(other.map(({ answers }) => answers.map(({ reward }) => reward))).toEqual(
    own.map(({ answers }) => answers.map(({ reward }) => reward)),
  );
  await expect(sampleAnswers(hasty(), entry, config, { ...sampled, written: written.slice(1) })).rejects.toMatchObject({
    failure: { id: 'config-invalid', field: 'written' },
  });
});
