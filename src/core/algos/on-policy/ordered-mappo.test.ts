/** One after the other: the base bit for bit, graphs without circles, what later ones are told, and games that need it. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { Saved } from '#contract/run/events.ts';
import { createGraph } from '#core/engine/graph.ts';
import { getEnv } from '#core/envs/all.ts';
import { createSession } from '#core/run/loaded.ts';
import { interpret } from '#core/testing/engine/interpreter.ts';
import { Rng } from '#math/rng.ts';
import { getAlgo } from '../all.ts';
import { shareNetworks } from '../lib/sharing.ts';
import { createGraphs, drawnOrder, fixedOrder, graphLogProb, randomOrder, slotsOf, tell, thinned } from './lib/order.ts';

const small: JsonObject = { envs: 4, rolloutSteps: 16, minibatches: 2, epochs: 2, hidden: [8] };

describe('graphs', () => {
  const A = 4;
  const B = 200;
  const withoutCircles = ({ places, hears }: ReturnType<typeof createGraphs>): void => {
    for (let b = 0; b < B; b++) {
      expect([...places.subarray(b * A, (b + 1) * A)].toSorted((x, y) => x - y)).toEqual([0, 1, 2, 3]);
      for (let i = 0; i < A; i++)
        for (let j = 0; j < A; j++) if (hears[(b * A + i) * A + j] === 1) expect(places[b * A + j]!).toBeLessThan(places[b * A + i]!);
    }
  };

  it('fixed: by number, all earlier ones are heard', () => {
    const graphs = createGraphs(B, A);
    fixedOrder(graphs, A);
    withoutCircles(graphs);
    expect([...graphs.hears.subarray(0, 16)]).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0]);
  });

  it('random: every agent is first equally often', () => {
    const graphs = createGraphs(B, A);
    randomOrder(graphs, A, Rng.from(1));
    withoutCircles(graphs);
    const first = [0, 0, 0, 0];
    for (let b = 0; b < B; b++) for (let i = 0; i < A; i++) first[i]! += Number(graphs.places[b * A + i] === 0);
    for (const times of first) expect(Math.abs(times - B / A)).toBeLessThan(20);
  });

  it('drawn: as often as their probability says, which the program computes as well', () => {
    const scores = Float32Array.of(0.5, -0.3, 0.1);
    const links = Float32Array.from({ length: 9 }, (_, i) => (i % 4) - 1.5);
    const [many, agents] = [6000, 3];
    const graphs = createGraphs(many, agents);
    const repeated = (of: Float32Array): Float32Array => Float32Array.from({ length: many * of.length }, (_, i) => of[i % of.length]!);
    const logProbs = new Float32Array(many);
    drawnOrder(graphs, agents, repeated(scores), repeated(links), Rng.from(2), logProbs);
    const seen = new Map<string, { count: number; p: number; first: number }>();
    for (let b = 0; b < many; b++) {
      const key = `${graphs.places.subarray(b * 3, b * 3 + 3)} ${graphs.hears.subarray(b * 9, b * 9 + 9)}`;
      const known = seen.get(key) ?? { count: 0, p: Math.exp(logProbs[b]!), first: b };
      known.count++;
      seen.set(key, known);
    }
    expect(seen.size).toBe(6 * 8); // six orders, three links each
    for (const { count, p } of seen.values()) expect(Math.abs(count / many - p)).toBeLessThan(5 * Math.sqrt(p / many) + 1e-3);
    for (const { first, p } of [...seen.values()].slice(0, 10)) {
      const g = createGraph();
      const before = (i: number, j: number): number => Number(graphs.places[first * 3 + j]! < graphs.places[first * 3 + i]!);
      const pairs = (of: (i: number, j: number) => number) => g.constant(Array.from({ length: 9 }, (_, k) => of(Math.floor(k / 3), k % 3)), [1, 3, 3]); // biome-ignore format: one line
      const { logProb } = graphLogProb(
        { scores: g.constant([...scores], [1, 3]), links: g.constant([...links], [1, 3, 3]) },
        { earlier: pairs(before), later: pairs((i, j) => 1 - before(i, j)), hears: pairs((i, j) => graphs.hears[first * 9 + i * 3 + j]!) },
      );
      expect(interpret([logProb], {}).get(logProb)![0]).toBeCloseTo(Math.log(p), 5);
    }
    drawnOrder(graphs, agents, repeated(scores), repeated(links), null);
    expect([...graphs.places.subarray(0, 3)]).toEqual([0, 2, 1]);
  });

  it('thinned: all, about half, or none stay', () => {
    const left = (chance: number): number => {
      const graphs = createGraphs(B, A);
      fixedOrder(graphs, A);
      thinned(graphs, chance, Rng.from(4));
      return graphs.hears.reduce((sum, one) => sum + one, 0) / (B * 6);
    };
    expect([left(1), left(0)]).toEqual([1, 0]);
    expect(Math.abs(left(0.5) - 0.5)).toBeLessThan(0.05);
  });

  it('told: a slot for each agent that is heard, its choice one-hot, or 1 and its numbers', () => {
    const sharing = shareNetworks(getEnv('mpe-simple-spread').meta({}), 'shared');
    const slots = slotsOf(sharing);
    expect(slots.size).toBe(15);
    const graphs = createGraphs(1, 3);
    fixedOrder(graphs, 3);
    const chosen = new Float32Array(15);
    slots.write(0, [3], 0, chosen, 0);
    slots.write(1, [0], 0, chosen, 0);
    const told = new Float32Array(15);
    tell(slots, graphs, 0, 2, chosen, told, 0);
    expect([...told]).toEqual([0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    tell(slots, graphs, 0, 0, chosen, told, 0);
    expect(told.every((x) => x === 0)).toBe(true);
    const box = slotsOf(shareNetworks(getEnv('mpe-simple-spread').meta({ continuousActions: true }), 'shared'));
    const numbers = new Float32Array(box.size);
    box.write(1, [9, 0.25, -0.5, 0, 0, 0], 1, numbers, 0);
    expect([...numbers.subarray(box.from[1]!, box.from[1]! + 3)]).toEqual([1, 0.25, -0.5]);
  });
});

interface Outcome {
  readonly evalReturn: number;
  readonly hash: string;
  readonly arrays: Saved['arrays'];
  readonly metrics: Readonly<Record<string, number>>;
}
/** The last number of every column that has one. */
function* metricsOf(columns: readonly string[], rows: Float64Array, width: number): Generator<[string, number]> {
  for (const [k, name] of columns.entries())
    for (let at = k + 1; at < rows.length; at += width) if (!Number.isNaN(rows[at])) yield [name, rows[at]!];
}

async function train(
  algo: string,
  envId: string,
  envConfig: JsonObject,
  settings: JsonObject,
  steps: number,
  resume?: Saved,
): Promise<Outcome> {
  const env = getEnv(envId);
  const config = runConfigSchema.parse({
    env: { id: env.id, config: env.parse(envConfig) },
    algo: { id: algo, config: getAlgo(algo).parse(settings) },
    run: { steps, evalEpisodes: 20 },
  });
  let arrays: Saved['arrays'] = {};
  let metrics: Outcome['metrics'] = {};
  for await (const event of createSession({ config, seed: 1, now: () => 0, env, ...(resume && { resume }) })) {
    if (event.kind === 'policy') arrays = event.snapshot.saved.arrays;
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
    if (event.kind === 'metrics') {
      const { columns, rows } = event;
      const width = columns.length + 1;
      const found = [...metricsOf(columns, rows, width)];
      metrics = { ...metrics, ...Object.fromEntries(found) };
    }
    if (event.kind === 'result') return { evalReturn: event.result.evalReturn, hash: event.result.parameterHash, arrays, metrics };
  }
  throw new Error('no result');
}

describe('MAPPO bit for bit', () => {
  const cases: readonly (readonly [string, string, JsonObject, JsonObject])[] = [
    ['one agent', 'mpe-simple-spread', { agents: 1 }, { ...small, order: 'learned' }],
    ['no order', 'mpe-simple-tag', {}, { ...small, order: 'none' }],
  ];
  it.each(cases)('%s', async (_, env, envConfig, settings) => {
    const { order: _order, ...base } = settings;
    const one = await train('ordered-mappo', env, envConfig, settings, 640);
    const other = await train('mappo', env, envConfig, base, 640);
    expect(one.arrays).toEqual(other.arrays);
    expect(one.hash).toBe(other.hash);
    expect(one.evalReturn).toBe(other.evalReturn);
  });

  it('a graph without links: the same losses; parameters differ by the rounding of one more gradient', async () => {
    const once = { ...small, minibatches: 1, epochs: 1 };
    const empty = { ...once, order: 'learned', thinning: { kind: 'linear', from: 0, until: 0 } };
    const one = await train('ordered-mappo', 'mpe-simple-spread', {}, empty, 64);
    const other = await train('mappo', 'mpe-simple-spread', {}, once, 64);
    for (const name of ['policyLoss', 'valueLoss', 'entropy', 'explainedVariance']) {
      expect(one.metrics[name], name).not.toBeNaN();
      expect(one.metrics[name], name).toBe(other.metrics[name]);
    }
    expect(one.metrics.heard).toBe(0);
    const called = (name: string): string =>
      name.replace(/actor\.(\d)/, (_all, k: string) => `actor.${Number(k) + 1}`).replace('actor.first', 'actor.0');
    const found = Object.fromEntries(Object.entries(one.arrays).map(([name, array]) => [called(name), array]));
    for (const [name, array] of Object.entries(other.arrays))
      for (const [i, value] of [...(array as Float32Array)].entries()) expect(found[name]![i], name).toBeCloseTo(value, 5);
    expect(one.evalReturn).toBe(other.evalReturn);
  });
});

describe('climbing', () => {
  const settings = { envs: 8, rolloutSteps: 16, lr: 3e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.1, hidden: [16], agentId: true };
  const game = { game: 'climbing', maxSteps: 1 };
  it('one after the other finds the best pair, 11 for each; all at once ends at 7 at most', async () => {
    expect((await train('ordered-mappo', 'matrix-games', game, settings, 20_000)).evalReturn).toBe(22);
    expect((await train('mappo', 'matrix-games', game, settings, 20_000)).evalReturn).toBeLessThanOrEqual(14);
  });
});
