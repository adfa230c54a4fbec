import { expect, it } from 'vitest';
import type { Policy } from '../algos/api/types.ts';
import { randomPolicy } from '../algos/lib/random-policy.ts';
import { getEnv } from '../envs/all.ts';
import { decode } from '../envs/language/lib/tokens.ts';
import { playEpisode, playScripted, ReplayReader } from './replay.ts';
import { answerPrompt, stripValues, tokenStrip } from './tokens.ts';

const entry = getEnv('t-reason');
const config = entry.parse({});
const meta = entry.meta(config);
const labels = meta.agents[0]!.action.kind === 'discrete' ? meta.agents[0]!.action.labels : [];
const idOf = (label: string): number => labels.indexOf(label);

/** Knows the task: probability .9 for the right next token of a reversal, the rest for the end. */
function knowing(): Policy {
  const none = new Float32Array(0);
  return {
    initial: () => none,
    act({ obs, rows, rng, greedy, unread }) {
      const n = meta.actionCount;
      const logits = new Float32Array(rows * n).fill(-1e8);
      const actions = new Int32Array(rows);
      for (let row = 0; row < rows; row++) {
        const ids = [...obs.subarray(row * meta.obsSize, (row + 1) * meta.obsSize)].filter((id) => id > 0);
        const at = ids.indexOf(idOf('='));
        const word = ids.slice(3, at).reverse();
        const right = word[ids.length - at - 1] ?? idOf('end');
        logits[row * n + right] = 0;
        if (right !== idOf('end')) logits[row * n + idOf('end')] = Math.log(1 / 9);
        const slip = !greedy && unread?.[row] !== 1 && right !== idOf('end') && rng.uniform() < 0.1;
        actions[row] = slip ? idOf('end') : right;
      }
      return { actions, hidden: none, logits };
    },
    dispose() {},
  };
}

it('each written token has its log-probability and entropy where it was written; the prompt has none, the verdict is the verifier’s', async () => {
  const replay = await playEpisode(knowing(), entry, config, { seed: 5, greedy: true });
  const strip = await tokenStrip(knowing(), new ReplayReader(replay, entry), entry);
  const text = strip.tokens.map(({ id }) => labels[id]);
  expect(text.slice(0, 3)).toEqual(['begin', 'r', ':']);
  expect(text.slice(-4)).toEqual([...text.slice(3, 6).reverse(), 'end']);
  expect(strip.tokens.map(({ frame }) => frame)).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]);
  const own = strip.tokens.flatMap(({ written }) => (written === null ? [] : [written]));
  expect(own).toHaveLength(4);
  for (const { logProb, entropy, likely } of own.slice(0, 3)) {
    expect(logProb).toBeCloseTo(Math.log(0.9), 5);
    expect(entropy).toBeCloseTo(-(0.9 * Math.log(0.9) + 0.1 * Math.log(0.1)), 5);
    expect(likely[1]).toEqual({ id: idOf('end'), probability: expect.closeTo(0.1, 5) });
  }
  expect(own[3]!.logProb).toBeCloseTo(0, 6);
  expect(strip).toMatchObject({ reward: 1, measures: { solved: 1, wellFormed: 1 }, right: [] });
  expect(strip.asked).toBe(`Write the letters ${text.slice(3, 6).join(' ')} in reverse.`);
});

it('beside an answer that is wrong stands one that is right', async () => {
  const replay = await playEpisode(randomPolicy(meta), entry, config, { seed: 5, greedy: false });
  const strip = await tokenStrip(randomPolicy(meta), new ReplayReader(replay, entry), entry);
  expect(strip.measures?.solved).toBe(0);
  const given = strip.tokens.filter(({ frame }) => frame === 0).map(({ id }) => labels[id]);
  expect(strip.right.map((id) => labels[id])).toEqual(given.slice(3, 6).reverse());
});

it('the reward to come is given up where another episode is asked for', async () => {
  const replay = await playEpisode(knowing(), entry, config, { seed: 5, greedy: true });
  let asked = 0;
  const cut = async (): Promise<boolean> => ++asked === 2;
  expect(await stripValues(knowing(), entry, replay, new ReplayReader(replay, entry), cut)).toBeNull();
  expect(asked).toBe(2);
});

it('the reward to come rises with every right token, and is the share that a sampler still earns', async () => {
  const replay = await playEpisode(knowing(), entry, config, { seed: 5, greedy: true });
  const found = await stripValues(knowing(), entry, replay, new ReplayReader(replay, entry));
  if (found === null) throw new Error('cut');
  const { samples, values } = found;
  expect(samples).toBe(16);
  expect(values).toHaveLength(5);
  // .9 ^ 3 at the start, with slips worth a little; certain once only the end is missing
  expect(values[0]).toBeGreaterThan(0.4);
  expect(values[0]).toBeLessThan(1);
  expect([values[3], values[4]]).toEqual([1, 0]);
});

it('a policy without probabilities still has its tokens and verdict', async () => {
  const replay = await playEpisode(randomPolicy(meta), entry, config, { seed: 3, greedy: false });
  const strip = await tokenStrip(randomPolicy(meta), new ReplayReader(replay, entry), entry);
  expect(strip.tokens.every(({ written }) => written === null)).toBe(true);
  expect(strip.measures?.solved).toBe(0);
});

it('what the world replies is nobody’s token, and stands in the frame of the turn before it', async () => {
  const turns = getEnv('t-turns');
  const other = turns.parse({});
  const replay = await playScripted('expert', turns, other, 4);
  const strip = await tokenStrip(randomPolicy(turns.meta(other)), new ReplayReader(replay, turns), turns);
  const names = turns.meta(other).agents[0]!.action;
  const text = strip.tokens.map(({ id }) => (names.kind === 'discrete' ? names.labels[id] : ''));
  const first = strip.tokens.findIndex(({ frame }) => frame === 1);
  expect(text[first]).toMatch(/^[udlr]$/);
  expect(strip.tokens.slice(first, first + 3).map(({ frame }) => frame)).toEqual([1, 1, 1]);
  expect(strip.measures?.solved).toBe(1);
});

it('where the row begins anew every turn shows the row that it was written in', async () => {
  const steps = getEnv('t-steps');
  const other = steps.parse({ task: 'exchange', numbers: 3, steps: 4 });
  const replay = await playScripted('expert', steps, other, 2);
  const strip = await tokenStrip(randomPolicy(steps.meta(other)), new ReplayReader(replay, steps), steps);
  const text = (frame: number): string => strip.tokens.flatMap((token) => (token.frame === frame ? decode([token.id]) : [])).join('');
  const list = [...text(0).slice(0, 3)];
  const turns = replay.reward.length;
  expect(turns).toBeGreaterThan(0);
  for (let frame = 1; frame <= turns; frame++) {
    const [said = '', ...row] = text(frame);
    const at = Number(said);
    [list[at - 1], list[at]] = [list[at]!, list[at - 1]!];
    expect(row.join('')).toBe(`${list.join('')}:`);
  }
  expect(list).toEqual(list.toSorted());
  expect(strip.measures).toMatchObject({ solved: 1, by4: 1 });
});

it('a typed prompt is answered greedily and by a draw; what no token stands for is named', async () => {
  const answers = await answerPrompt(knowing(), meta, 'r:cab=', 1);
  expect(answers.greedy.map(({ id }) => labels[id])).toEqual(['b', 'a', 'c', 'end']);
  const drawn = await Promise.all(Array.from({ length: 20 }, (_, seed) => answerPrompt(knowing(), meta, 'r:cab=', seed)));
  expect(drawn.some(({ sampled }) => sampled.length < 4)).toBe(true);
  expect(drawn.some(({ sampled }) => sampled.length === 4)).toBe(true);
  const refused = (text: string) => expect(answerPrompt(knowing(), meta, text, 1)).rejects;
  await refused('r:ÄB=').toMatchObject({ failure: { id: 'config-invalid', field: 'prompt', message: 'No token stands for "Ä".' } });
  await refused('').toMatchObject({ failure: { field: 'prompt' } });
  await refused('a'.repeat(meta.obsSize)).toMatchObject({ failure: { field: 'prompt', message: expect.stringContaining('has room for') } });
  const walk = getEnv('frozen-lake');
  await expect(answerPrompt(knowing(), walk.meta(walk.parse({})), 'a', 1)).rejects.toMatchObject({ failure: { id: 'incompatible' } });
});
