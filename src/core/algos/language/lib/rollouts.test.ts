import { expect, it, vi } from 'vitest';
import { Rng } from '#math/rng.ts';
import { broadcastTo, iota } from '../../../engine/ops.ts';
import { createWasmEngine } from '../../../engine/wasm/engine.ts';
import { getEnv } from '../../../envs/all.ts';
import { createVectorEnv } from '../../../envs/api/vector-env.ts';
import { decode } from '../../../envs/language/lib/tokens.ts';
import { familyShape, tokenLogits, transformer, transformerStates } from '../../../nets/transformer.ts';
import { trained } from '../../../testing/trained.ts';
import { groupRl } from '../group-rl.ts';
import { createDecoder } from './decoding.ts';
import { createStartPool } from './kept-episodes.ts';
import { placesOf } from './programs.ts';
import { createCollector, sampler } from './rollouts.ts';

const ROWS = 8;

async function played(id: string, config: object, group: number, turns = 1, rows = ROWS) {
  const entry = getEnv(id);
  const env = createVectorEnv(entry, config, rows, Rng.from(4));
  env.reset();
  const engine = await createWasmEngine();
  const { places, vocabulary } = placesOf(env.meta);
  const shape = familyShape('c', { vocabulary, width: 16, layers: 2, heads: 2, context: places });
  const weights = transformer(engine.group('net'), Rng.from(1), shape);
  const decoder = createDecoder(engine, shape, weights, rows, places);
  const whole = engine.compile({ ids: [rows, places] }, ({ ids }, g) => {
    const { states } = transformerStates(shape, weights(g), { ids, positions: broadcastTo(iota(g, places), [rows, places]) });
    return { logits: tokenLogits(shape, weights(g), states) };
  });
  const collector = createCollector(env, { group, seeds: Rng.from(9), turns });
  return { env, engine, shape, weights, decoder, whole, collector, places, vocabulary };
}

it.each([
  ['over turns and replies', 't-turns', {}, 1],
  ['where rows begin anew', 't-steps', { task: 'exchange', numbers: 5, steps: 4 }, 4],
])('cached decoding says what the whole pass says, for every row of its own length, %s', async (_, id, config, turns) => {
  const { env, decoder, whole, collector, places, vocabulary } = await played(id, config, 1, turns);
  const draw = sampler(decoder, vocabulary, Rng.from(2));
  const entry = getEnv(id);
  const novice = entry.policies(entry.parse(config)).novice!;
  decoder.clear();
  let compared = 0;
  await collector.collect(async (playing, actions) => {
    await draw(playing, actions);
    whole.in.ids.set(playing.ids);
    whole.run();
    for (let row = 0; row < ROWS; row++) {
      if (playing.rows[row] === 0) continue;
      for (let v = 0; v < vocabulary; v++) {
        const full = whole.out.logits[(row * places + playing.lengths[row]! - 1) * vocabulary + v]!;
        expect(Math.abs(decoder.logits()[row * vocabulary + v]! - full)).toBeLessThan(1e-5);
        compared++;
      }
    }
    novice.act(env.env, env.buffers, actions);
  });
  expect(compared).toBeGreaterThan(ROWS * vocabulary * 3);
});

it.each([
  ['over turns and replies', 't-turns', {}, 1],
  ['answers of letters', 't-reason', { length: 4, letters: 6 }, 1],
  ['rows that begin anew', 't-steps', { task: 'exchange', numbers: 5, steps: 4 }, 4],
])('a prompt that is read once for its group gives every member the same bits, %s', async (_, id, config, turns) => {
  const { env, engine, shape, weights, decoder, collector, places, vocabulary } = await played(id, config, 4, turns);
  const shared = createDecoder(engine, shape, weights, ROWS, places, 4);
  const draw = sampler(decoder, vocabulary, Rng.from(2));
  const entry = getEnv(id);
  const novice = entry.policies(entry.parse(config)).novice!;
  for (let round = 0; round < 2; round++) {
    decoder.clear();
    shared.clear();
    let looks = 0;
    await collector.collect(async (playing, actions) => {
      await draw(playing, actions);
      for (let row = 0; row < ROWS; row++) if (playing.anew[row] === 1) shared.clear(row);
      await shared.read(playing.ids, playing.lengths);
      for (let row = 0; row < ROWS; row++) {
        if (playing.rows[row] === 0) continue;
        const of = [row * vocabulary, (row + 1) * vocabulary];
        expect(shared.logits().slice(...of)).toEqual(decoder.logits().slice(...of));
      }
      looks++;
      if (round === 0) novice.act(env.env, env.buffers, actions); // in the second members part as they are drawn
    });
    expect(looks).toBeGreaterThan(round === 0 ? 1 : 0);
  }
});

it.each([
  ['over turns and replies', 't-turns', {}, 1],
  ['searches', 't-search', {}, 1],
  ['rows that begin anew', 't-steps', { task: 'exchange', numbers: 5, steps: 4 }, 4],
])('rows that have ended leave the batch, and the others are given the same bits, %s', async (_, id, config, turns) => {
  const rows = 40;
  const { engine, shape, weights, decoder, collector, places, vocabulary } = await played(id, config, 4, turns, rows);
  const compile = vi.spyOn(engine, 'compile');
  const shrinking = createDecoder(engine, shape, weights, rows, places, 4);
  const draw = sampler(shrinking, vocabulary, Rng.from(2));
  let [compared, most] = [0, 0];
  for (let round = 0; round < 2; round++) {
    decoder.clear();
    shrinking.clear();
    await collector.collect(async (playing, actions) => {
      for (let row = 0; row < rows; row++) if (playing.anew[row] === 1) decoder.clear(row);
      await decoder.read(playing.ids, playing.lengths);
      await draw(playing, actions);
      const going = playing.rows.reduce((a, b) => a + b, 0);
      most = Math.max(most, rows - going);
      for (let row = 0; row < rows; row++) {
        if (playing.rows[row] === 0) continue;
        const of = [row * vocabulary, (row + 1) * vocabulary];
        expect(shrinking.logits().slice(...of)).toEqual(decoder.logits().slice(...of));
        compared++;
      }
    });
  }
  expect(compared).toBeGreaterThan(2 * rows);
  expect(most).toBeGreaterThan(rows / 2);
  // a program of half the rows was made, once
  const sizes = compile.mock.calls.map(([inputs]) => (inputs as unknown as { readonly ids: readonly number[] }).ids[0]);
  expect(sizes.filter((n) => n === rows / 2)).toHaveLength(1);
});

it('members of a group answer one prompt, every row plays one episode, and nothing else is counted', async () => {
  const { env, collector, places } = await played('t-reason', { length: 4, letters: 6 }, 4);
  const teacher = getEnv('t-reason').policies({ length: 4, letters: 6 }).expert!;
  const prompts = new Set<string>();
  for (let round = 1; round <= 3; round++) {
    const tokens = await collector.collect((_, actions) => teacher.act(env.env, env.buffers, actions));
    const texts = Array.from({ length: ROWS }, (_, row) => decode(collector.last.ids.subarray(row * places, (row + 1) * places)));
    expect(new Set(texts.slice(0, 4)).size).toBe(1);
    expect(new Set(texts.slice(4)).size).toBe(1);
    for (const text of texts) prompts.add(text);
    expect([...collector.last.rewards]).toEqual(new Array(ROWS).fill(1));
    expect(tokens).toBe(ROWS * 5);
    expect(collector.last.written.reduce((a, b) => a + b, 0)).toBe(tokens);
    expect(env.episodes.finished).toBe(ROWS * round);
    expect(env.episodes.meanLength()).toBe(5);
  }
  expect(prompts.size).toBeGreaterThan(3);
});

it('the first ratio is exactly 1: with one update per rollout nothing is clipped and the KL to the old policy is 0', async () => {
  const config = { prompts: 4, group: 4, width: 16, layers: 1, heads: 2 };
  const { rows } = await trained({ algo: groupRl, env: getEnv('t-reason'), config, steps: 400 });
  expect(rows.length).toBeGreaterThan(3);
  for (const [, metrics] of rows) expect([metrics.approxKl, metrics.clipFraction]).toEqual([0, 0]);
  // The step that follows moves the policy all the same: the more, the larger it is.
  const moved = async (lr: number): Promise<number> => {
    const of = await trained({ algo: groupRl, env: getEnv('t-reason'), config: { ...config, lr }, steps: 400 });
    expect(of.rows.every(([, { updateKl = -1 }]) => updateKl >= 0)).toBe(true);
    return of.rows[0]![1].updateKl!;
  };
  const [still, little, much] = [await moved(1e-9), await moved(1e-4), await moved(1e-3)];
  expect(still).toBeLessThan(1e-9);
  expect(little).toBeGreaterThan(0);
  expect(much / little).toBeGreaterThan(20); // as the square of the step, near enough
  const twice = await trained({ algo: groupRl, env: getEnv('t-reason'), config: { ...config, epochs: 2, lr: 0.05 }, steps: 400 });
  expect(twice.rows.some(([, metrics]) => metrics.approxKl! > 0)).toBe(true);
});

const exchange = { task: 'exchange', numbers: 4, steps: 16, mistakes: 1 };

it('where rows begin anew every turn is a line of its own: the list as it stood, and the exchange that was written', async () => {
  const { env, collector, places } = await played('t-steps', exchange, 4, 3);
  const teacher = getEnv('t-steps').policies(exchange).novice!;
  const tokens = await collector.collect((_, actions) => teacher.act(env.env, env.buffers, actions));
  let lines = 0;
  for (let row = 0; row < ROWS; row++) {
    let before: number[] | null = null;
    for (let turn = 0; turn < 3; turn++) {
      const line = row * 3 + turn;
      const text = decode(collector.last.ids.subarray(line * places, (line + 1) * places));
      if (collector.last.count[line] === 0) {
        expect(text).toBe('');
        continue;
      }
      lines++;
      expect(text).toMatch(/^\d{4}:[123]$/);
      expect(collector.last.written[line * places + 6]).toBe(1);
      const list = [...text.slice(0, 4)].map(Number);
      if (before !== null) expect(list).toEqual(before);
      const at = Number(text[5]);
      before = list.with(at - 1, list[at]!).with(at, list[at - 1]!);
    }
  }
  expect(lines).toBe(tokens);
  // an episode that is cut counts as it stands
  expect(env.episodes.finished).toBe(ROWS);
  expect(env.episodes.meanLength()).toBe(tokens / ROWS);
});

it('a pool draws the start whose group differed most, and forgets what teaches nothing', () => {
  const pool = createStartPool(2, 2, 4, Rng.from(3));
  const end = (row: number): Uint8Array => Uint8Array.of(row, 0, 0, 0);
  expect([pool.next(0), pool.next(1)]).toEqual([null, null]);
  for (let row = 0; row < 4; row++) pool.cut(row, end(row));
  pool.played([0, 1, 0.5, 0.5]); // the second group is of one mind: nothing to learn there
  expect(pool.size).toBe(1);
  const drawn = Array.from({ length: 40 }, () => pool.next(0)?.[0]);
  expect(new Set(drawn).size).toBe(2); // a new prompt, or the one start
  expect(drawn.some((row) => row === 0 || row === 1)).toBe(true);
  while (pool.next(0) === null);
  pool.played([1, 1, 0, 0]);
  expect(Array.from({ length: 40 }, () => pool.next(0)).every((start) => start === null)).toBe(true);
});

it('partial starts are the same after a resume, and without a cut there are none', async () => {
  const config = {
    prompts: 2,
    group: 4,
    width: 16,
    layers: 1,
    heads: 2,
    horizon: 2,
    starts: 'partial',
    oversample: 2,
    cloneSteps: 40,
    cloneLr: 0.01,
    klCoef: 0.1,
    anchorEvery: 2,
  };
  const task = { algo: groupRl, env: getEnv('t-steps'), envConfig: exchange, config, steps: 1600 };
  const whole = await trained(task);
  const half = await trained(task, { stopAt: 1450 });
  const rest = await trained(task, { resume: half.saved });
  expect([...half.rows, ...rest.rows]).toEqual(whole.rows);
  expect(rest.hash).toBe(whole.hash);
  expect(whole.rows.at(-1)![1].partialStarts).toBeGreaterThan(1);
  const { meta } = getEnv('t-steps');
  const refuse = (env: object, more: object) => () =>
    groupRl.fits(meta(getEnv('t-steps').parse(env)), groupRl.parse({ ...config, ...more }));
  expect(refuse(exchange, { horizon: 0 })).toThrow(/Partial histories/);
  expect(refuse({}, { starts: 'fresh' })).toThrow(/do not begin anew/);
});
