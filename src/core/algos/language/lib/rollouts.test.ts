import { expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { broadcastTo, iota } from '../../../engine/ops.ts';
import { createWasmEngine } from '../../../engine/wasm/engine.ts';
import { createVectorEnv } from '../../../envs/api/vector-env.ts';
import { getEnv } from '../../../envs/index.ts';
import { decode } from '../../../envs/language/lib/tokens.ts';
import { familyShape, tokenLogits, transformer, transformerStates } from '../../../nets/transformer.ts';
import { trained } from '../../../testing/trained.ts';
import { groupRl } from '../group-rl.ts';
import { createCollector, createDecoder, placesOf, sampler } from './rollouts.ts';

const ROWS = 8;

async function played(id: string, config: object, group: number) {
  const entry = getEnv(id);
  const env = createVectorEnv(entry, config, ROWS, Rng.from(4));
  env.reset();
  const engine = await createWasmEngine();
  const { places, vocabulary } = placesOf(env.meta);
  const shape = familyShape('c', { vocabulary, width: 16, layers: 2, heads: 2, context: places });
  const weights = transformer(engine.group('net'), Rng.from(1), shape);
  const decoder = createDecoder(engine, shape, weights, ROWS, places);
  const whole = engine.compile({ ids: [ROWS, places] }, ({ ids }, g) => {
    const { states } = transformerStates(shape, weights(g), { ids, positions: broadcastTo(iota(g, places), [ROWS, places]) });
    return { logits: tokenLogits(shape, weights(g), states) };
  });
  const collector = createCollector(env, group, Rng.from(9));
  return { env, decoder, whole, collector, places, vocabulary };
}

it('cached decoding says what the whole pass says, for every row of its own length, over turns and replies', async () => {
  const { env, decoder, whole, collector, places, vocabulary } = await played('t-turns', {}, 1);
  const draw = sampler(decoder, vocabulary, Rng.from(2));
  const entry = getEnv('t-turns');
  const novice = entry.policies(entry.parse({})).novice!;
  decoder.clear();
  let compared = 0;
  await collector.collect(async (completions, playing, actions) => {
    await draw(completions, playing, actions);
    whole.in.ids.set(completions.ids);
    whole.run();
    for (let row = 0; row < ROWS; row++) {
      if (playing[row] === 0) continue;
      for (let v = 0; v < vocabulary; v++) {
        const full = whole.out.logits[(row * places + completions.lengths[row]! - 1) * vocabulary + v]!;
        expect(Math.abs(decoder.logits()[row * vocabulary + v]! - full)).toBeLessThan(1e-5);
        compared++;
      }
    }
    novice.act(env.env, env.buffers, actions);
  });
  expect(compared).toBeGreaterThan(ROWS * vocabulary * 3);
});

it('members of a group answer one prompt, every row plays one episode, and nothing else is counted', async () => {
  const { env, collector, places } = await played('t-reason', { length: 4, letters: 6 }, 4);
  const teacher = getEnv('t-reason').policies({ length: 4, letters: 6 }).expert!;
  const prompts = new Set<string>();
  for (let round = 1; round <= 3; round++) {
    const tokens = await collector.collect((_c, _p, actions) => teacher.act(env.env, env.buffers, actions));
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
  const twice = await trained({ algo: groupRl, env: getEnv('t-reason'), config: { ...config, epochs: 2, lr: 0.05 }, steps: 400 });
  expect(twice.rows.some(([, metrics]) => metrics.approxKl! > 0)).toBe(true);
});
