import { expect, it } from 'vitest';
import { MOST_ANSWERS } from '#contract/run/tokens.ts';
import type { Policy } from '../algos/api/types.ts';
import { randomPolicy } from '../algos/lib/random-policy.ts';
import { getEnv } from '../envs/all.ts';
import { sampleAnswers } from './answers.ts';
import { playEpisode, playScripted, ReplayReader } from './replay.ts';
import { tokenStrip } from './tokens.ts';

const entry = getEnv('t-reason');
const config = entry.parse({});
const meta = entry.meta(config);
const labels = meta.agents[0]!.action.kind === 'discrete' ? meta.agents[0]!.action.labels : [];
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
  const [group, ...more] = await sampleAnswers(hasty(), entry, config, { start: replay.start, groups: 1, size: 40, seed: 3 });
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
    expect(tokens).toEqual([{ id: END, written: true }]);
    expect(reward).toBeLessThan(1);
    expect(logProb).toBeCloseTo(Math.log(0.3), 5);
    expect(advantage).toBeLessThan(0);
  }
  const sum = group!.answers.reduce((a, { advantage }) => a + advantage, 0);
  expect(sum).toBeCloseTo(0, 9);
});

it('several groups have prompts of their own, the same for the same seed', async () => {
  const options = { start: null, groups: 4, size: 3, seed: 8 };
  const groups = await sampleAnswers(hasty(), entry, config, options);
  expect(groups.map(({ answers }) => answers.length)).toEqual([3, 3, 3, 3]);
  expect(new Set(groups.map(({ prompt }) => prompt.join())).size).toBeGreaterThan(1);
  expect(await sampleAnswers(hasty(), entry, config, options)).toEqual(groups);
  expect(await sampleAnswers(hasty(), entry, config, { ...options, seed: 9 })).not.toEqual(groups);
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
  const [group] = await sampleAnswers(expert, tools, setup, { start: replay.start, groups: 1, size: 2, seed: 1 });
  const [answer] = group!.answers;
  const shown = strip.tokens.filter(({ frame }) => frame > 0 && frame < strip.tokens.at(-1)!.frame);
  expect(answer!.tokens.slice(0, shown.length).map(({ id }) => id)).toEqual(shown.map(({ id }) => id));
  expect(answer!.tokens.filter(({ written }) => written).map(({ id }) => id)).toEqual([...replay.actions]);
  expect(answer!.tokens.some(({ written }) => !written)).toBe(true);
  expect(answer!.terms.reduce((a, b) => a + b)).toBeCloseTo(strip.reward, 6);
  expect(answer).toMatchObject({ reward: strip.reward, measures: { solved: 1 }, logProb: null, advantage: 0 });
});

it('refuses more answers than it may draw, and worlds without tokens', async () => {
  const many = sampleAnswers(hasty(), entry, config, { start: null, groups: 2, size: MOST_ANSWERS, seed: 1 });
  await expect(many).rejects.toMatchObject({ failure: { id: 'config-invalid', field: 'size' } });
  const walk = getEnv('frozen-lake');
  const other = walk.parse({});
  const none = sampleAnswers(randomPolicy(walk.meta(other)), walk, other, { start: null, groups: 1, size: 2, seed: 1 });
  await expect(none).rejects.toMatchObject({ failure: { id: 'incompatible' } });
});
