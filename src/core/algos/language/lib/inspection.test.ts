import { beforeAll, describe, expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { paramKey } from '../../../engine/saved.ts';
import { createWasmEngine } from '../../../engine/wasm/engine.ts';
import { getEnv } from '../../../envs/all.ts';
import { familyShape, type TransformerFamily, transformer, transformerParameters } from '../../../nets/transformer.ts';
import { playEpisode, playScripted, ReplayReader } from '../../../run/replay.ts';
import { attentionMap, inspectToken, tokenStrip } from '../../../run/tokens.ts';
import type { Policy } from '../../api/types.ts';
import { randomPolicy } from '../../lib/random-policy.ts';
import { compilePolicy, placesOf, tokenPolicy } from './programs.ts';

const entry = getEnv('t-turns');
const config = entry.parse({});
const meta = entry.meta(config);
const { places, vocabulary } = placesOf(meta);
const LAYERS = 2;
const HEADS = 2;

async function network(family: TransformerFamily) {
  const engine = await createWasmEngine();
  const shape = familyShape(family, { vocabulary, width: 8, layers: LAYERS, heads: HEADS, context: places });
  const group = engine.group('net');
  const weights = transformer(group, Rng.from(7), shape);
  // gains and biases away from 1 and 0
  const rng = Rng.from(8);
  const arrays: Record<string, Float32Array> = {};
  for (const param of group.params) {
    const values = await engine.read(param);
    arrays[paramKey(group.name, param.name)] = values.map((x) => x + 0.4 * (rng.uniform() - 0.5));
  }
  engine.load({ meta: {}, arrays });
  return { engine, shape, group, weights };
}

type Network = Awaited<ReturnType<typeof network>>;

describe.each(['a', 'b', 'c'] as const)('family %s', (family) => {
  let net: Network;
  let policy: Policy;
  const row = (n: number): Float32Array =>
    Float32Array.from({ length: places }, (_, i) => (i < n ? 1 + ((5 * i + 3) % (vocabulary - 1)) : 0));
  const inside = async (obs: Float32Array) => {
    if (policy.inspect === undefined) throw new Error('closed');
    return policy.inspect(obs);
  };
  beforeAll(async () => {
    net = await network(family);
    policy = tokenPolicy(net.engine, meta, net);
  });

  it('each head draws 1 in all, from nothing that comes later', async () => {
    const n = 9;
    const { attention, layers, heads } = await inside(row(n));
    expect([layers, heads, attention.length]).toEqual([LAYERS, HEADS, LAYERS * HEADS * places]);
    for (let head = 0; head < layers * heads; head++) {
      const drawn = attention.subarray(head * places, (head + 1) * places);
      expect(drawn.subarray(0, n).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 5);
      expect(drawn.subarray(n).every((x) => x === 0)).toBe(true);
      expect(drawn.subarray(0, n).every((x) => x > 0)).toBe(true);
    }
  });

  it('the first layer draws what float64 arithmetic by hand says', async () => {
    const n = 6;
    const found = (await inside(row(n))).attention;
    const wanted = await attentionByHand(net, [...row(n).subarray(0, n)]);
    for (let head = 0; head < HEADS; head++)
      for (let i = 0; i < n; i++) expect(found[head * places + i], `${head} ${i}`).toBeCloseTo(wanted[head]![i]!, 5);
    // not a mean that any network would give
    expect(Math.max(...wanted.flat())).toBeGreaterThan(1.2 / n);
  });

  it('after every layer the lens is the network cut there, bit for bit, the whole one at last', async () => {
    const obs = row(7);
    const { logits } = await inside(obs);
    for (let depth = 0; depth <= LAYERS; depth++) {
      const program = compilePolicy(net.engine, { ...net.shape, layers: depth }, net.weights, 1);
      program.in.obs.set(obs);
      await program.run();
      expect([...logits.subarray(depth * vocabulary, (depth + 1) * vocabulary)], `depth ${depth}`).toEqual([...program.out.logits]);
    }
    expect([...logits.subarray(0, vocabulary)]).not.toEqual([...logits.subarray(LAYERS * vocabulary)]);
  });

  it('of an episode it tells the row before each token, by places of the strip; the last lens is the reading of the strip', async () => {
    const reader = new ReplayReader(await playScripted('expert', entry, config, 4), entry);
    const strip = await tokenStrip(policy, reader, entry);
    expect(strip.inspectable).toBe(true);
    expect(await inspectToken(policy, reader, 0)).toBeNull();
    expect(await inspectToken(policy, reader, reader.total)).toBeNull();
    const frames = reader.total - 1;
    expect(frames).toBeGreaterThan(1);
    for (let frame = 1; frame <= frames; frame++) {
      const found = await inspectToken(policy, reader, frame);
      if (found === null) throw new Error('closed');
      const place = strip.tokens.findIndex((token) => token.frame === frame);
      expect(found.lens.at(-1)).toEqual(strip.tokens[place]?.written);
      expect(found.lens).toHaveLength(LAYERS + 1);
      reader.seek(frame - 1);
      const seen = [...reader.buffers.obs.subarray(0, places)].filter((id) => id > 0);
      expect(found.row.map((at) => strip.tokens[at]?.id)).toEqual(seen);
      expect(found.row.every((at) => at < place)).toBe(true);
      expect(found.attention).toHaveLength(LAYERS * HEADS * seen.length);
      expect(found.attention.subarray(0, seen.length).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 5);
    }
  });

  it('the whole map has a row for every token, 1 in all over the tokens up to it; the last row is what is told of the frame', async () => {
    const reader = new ReplayReader(await playScripted('expert', entry, config, 4), entry);
    const frame = reader.total - 1;
    const found = await inspectToken(policy, reader, frame);
    const map = await attentionMap(policy, reader, frame);
    if (found === null || map === null) throw new Error('closed');
    const n = found.row.length;
    expect(map).toMatchObject({ frame, row: found.row, layers: LAYERS, heads: HEADS });
    expect(map.weights).toHaveLength(LAYERS * HEADS * n * n);
    for (let head = 0; head < LAYERS * HEADS; head++) {
      for (let from = 0; from < n; from++) {
        const drawn = [...map.weights.subarray((head * n + from) * n, (head * n + from + 1) * n)];
        expect(drawn.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 5);
        expect(drawn.slice(from + 1).every((x) => x === 0)).toBe(true);
      }
      const last = map.weights.subarray((head * n + n - 1) * n, (head + 1) * n * n);
      expect([...last]).toEqual([...found.attention.subarray(head * n, (head + 1) * n)]);
    }
    expect(await attentionMap(policy, reader, 0)).toBeNull();
  });
});

it('where rows begin anew only the row as it stands is told', async () => {
  const steps = getEnv('t-steps');
  const other = steps.parse({ task: 'exchange', numbers: 3, steps: 4 });
  const told = steps.meta(other);
  const size = placesOf(told);
  const engine = await createWasmEngine();
  const shape = familyShape('a', { vocabulary: size.vocabulary, width: 8, layers: 1, heads: 2, context: size.places });
  const policy = tokenPolicy(engine, told, { shape, weights: transformer(engine.group('net'), Rng.from(1), shape) });
  const replay = await playEpisode(policy, steps, other, { seed: 2, greedy: false });
  const reader = new ReplayReader(replay, steps);
  const strip = await tokenStrip(policy, reader, steps);
  for (let frame = 1; frame < reader.total; frame++) {
    const found = await inspectToken(policy, reader, frame);
    reader.seek(frame - 1);
    const seen = [...reader.buffers.obs.subarray(0, size.places)].filter((id) => id > 0);
    expect(found?.row.map((at) => strip.tokens[at]?.id)).toEqual(seen);
  }
});

it('a policy that is no transformer offers nothing', async () => {
  const policy = randomPolicy(meta);
  const reader = new ReplayReader(await playEpisode(policy, entry, config, { seed: 3, greedy: false }), entry);
  expect((await tokenStrip(policy, reader, entry)).inspectable).toBe(false);
  expect(await inspectToken(policy, reader, 1)).toBeNull();
});

/** Of the last token over all, per head: embedding, norm, queries and keys of the first layer, turned where there is RoPE, softmax. */
async function attentionByHand({ engine, group, shape }: Network, ids: readonly number[]): Promise<number[][]> {
  const params = new Map<string, Float64Array>();
  for (const param of group.params) params.set(param.name, Float64Array.from(await engine.read(param)));
  const known = new Set(transformerParameters(shape).map(({ name }) => name));
  const at = (name: string, i: number): number => (known.has(name) ? (params.get(name)?.[i] ?? Number.NaN) : 0);
  const { width: D, heads } = shape;
  const E = D / heads;
  const axis = Array.from({ length: D }, (_, i) => i);
  const normed = ids.map((id, t) => {
    const x = axis.map((i) => at('tok', id * D + i) + at('pos', t * D + i));
    const middle = shape.norm === 'layer' ? x.reduce((a, b) => a + b) / D : 0;
    const spread = Math.sqrt(x.reduce((a, b) => a + (b - middle) ** 2, 0) / D + shape.eps);
    return x.map((value, i) => ((value - middle) / spread) * at('l0.n1.g', i) + at('l0.n1.b', i));
  });
  const projected = (name: string, t: number): number[] => {
    const y = axis.map((j) => axis.reduce((sum, i) => sum + normed[t]![i]! * at(`l0.w${name}`, i * D + j), at(`l0.b${name}`, j)));
    if (shape.positions !== 'rope') return y;
    return axis.map((j) => {
      const pair = Math.floor((j % E) / 2);
      const angle = t * 10_000 ** ((-2 * pair) / E);
      const [a, b] = [y[j - (j % 2)]!, y[j - (j % 2) + 1]!];
      return j % 2 === 0 ? a * Math.cos(angle) - b * Math.sin(angle) : a * Math.sin(angle) + b * Math.cos(angle);
    });
  };
  const q = projected('q', ids.length - 1);
  const keys = ids.map((_, t) => projected('k', t));
  return Array.from({ length: heads }, (_, head) => {
    const own = axis.slice(head * E, (head + 1) * E);
    const scores = keys.map((k) => own.reduce((sum, i) => sum + q[i]! * k[i]!, 0) / Math.sqrt(E));
    const powers = scores.map((score) => Math.exp(score - Math.max(...scores)));
    const total = powers.reduce((a, b) => a + b);
    return powers.map((power) => power / total);
  });
}
