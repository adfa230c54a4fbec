/** The codes of a partner: their losses, what each is made from, and that PPO is left as it is without them. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { gradients } from '../../engine/autodiff.ts';
import { createEngine } from '../../engine/index.ts';
import { createWasmEngine } from '../../engine/wasm/engine.ts';
import { getEnv } from '../../envs/all.ts';
import { createBuffers } from '../../envs/api/buffers.ts';
import { createSession } from '../../run/loaded.ts';
import { getAlgo } from '../all.ts';
import { layoutFor } from './lib/histories.ts';
import { infoNce, partnerEncoder, reconstruction } from './lib/partner-code.ts';

const POOL = ['modest-patient', 'greedy-patient', 'random', 'idle'];
const fast = { envs: 4, rolloutSteps: 32, minibatches: 2, epochs: 2, hidden: [8] };
const LEARNED = { size: 3, history: 6, steps: 3 };

const foraging = (tell: boolean): JsonObject => ({
  ...{ foods: 2, maxSteps: 10 },
  seats: { 'player 2': { pool: POOL, ...(tell && { tell }) } },
});

async function trained(algo: string, settings: JsonObject, tell: boolean) {
  const config = runConfigSchema.parse({
    env: { id: 'level-based-foraging', config: getEnv('level-based-foraging').parse(foraging(tell)) },
    algo: { id: algo, config: getAlgo(algo).parse({ ...fast, ...settings }) },
    run: { steps: 512, evalEpisodes: 10 },
  });
  const session = createSession({ config, seed: 1, now: () => 0 });
  const last: Record<string, number> = {};
  let hash = '';
  let snapshot: PolicySnapshot | undefined;
  for await (const event of session) {
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
    if (event.kind === 'policy') snapshot = event.snapshot;
    if (event.kind === 'metrics')
      for (let at = 0; at < event.rows.length; at += event.columns.length + 1)
        event.columns.forEach((column, i) => {
          const value = event.rows[at + 1 + i]!;
          if (!Number.isNaN(value)) last[column] = value;
        });
    if (event.kind === 'result') hash = event.result.parameterHash;
  }
  return { hash, last, snapshot: snapshot! };
}

describe('without a code', () => {
  it('is PPO bit for bit, also where the environment tells what is not to be heard', async () => {
    const ppo = await trained('ppo', {}, false);
    expect((await trained('agent-modelling', { partnerCode: 'none' }, false)).hash).toBe(ppo.hash);
    expect((await trained('agent-modelling', { partnerCode: 'none' }, true)).hash).toBe(ppo.hash);
  });

  it('an oracle is PPO that is told', async () => {
    const ppo = await trained('ppo', {}, true);
    expect((await trained('agent-modelling', { partnerCode: 'oracle' }, true)).hash).toBe(ppo.hash);
    expect(ppo.hash).not.toBe((await trained('ppo', {}, false)).hash);
  });
});

describe('codes that are learned', () => {
  it.each(['contrastive', 'reconstruction'])('%s: hears nothing of what is told, and learns', async (kind) => {
    const code = { kind, ...LEARNED };
    const quiet = await trained('agent-modelling', { partnerCode: code }, false);
    const told = await trained('agent-modelling', { partnerCode: code }, true);
    expect(told.hash).toBe(quiet.hash);
    expect(quiet.last.codeLoss).toBeGreaterThan(0);
    expect(quiet.last.partnerRead).toBeGreaterThanOrEqual(0);
    const longer = await trained('agent-modelling', { partnerCode: { ...code, steps: 60 } }, false);
    expect(longer.last.codeLoss).toBeLessThan(quiet.last.codeLoss!);
  });

  it('the policy says its code: the same for any first sight, and another one for another past', async () => {
    const { snapshot } = await trained('agent-modelling', { partnerCode: { kind: 'contrastive', ...LEARNED } }, false);
    const entry = getEnv('level-based-foraging');
    const meta = entry.meta(foraging(false));
    const policy = await getAlgo('agent-modelling').policy(
      { config: snapshot.algo.config, meta, envEntry: entry, envConfig: foraging(false), makeEngine: () => createEngine('wasm') },
      snapshot.saved,
    );
    expect(policy.extras?.[0]?.labels).toHaveLength(LEARNED.size);
    const env = entry.create(foraging(false), 2);
    const buffers = createBuffers(env.meta, 2);
    env.reset(Uint32Array.of(1, 2), buffers);
    const query = { agent: Int32Array.of(0, 0), rng: Rng.from(1), rows: 2, greedy: true };
    const first = await policy.act({ ...query, obs: buffers.obs, hidden: policy.initial(2) });
    const codes = first.extras!.partnerCode!.slice();
    expect([...codes.slice(0, LEARNED.size)]).toEqual([...codes.slice(LEARNED.size)]);
    env.step(first.actions, buffers);
    const second = await policy.act({ ...query, obs: buffers.obs, hidden: first.hidden });
    const next = second.extras!.partnerCode!;
    expect([...next.slice(0, LEARNED.size)]).not.toEqual([...next.slice(LEARNED.size)]);
    policy.dispose();
  });

  it.each([
    [{ partnerCode: 'oracle' }, {}, 'algo.partnerCode.kind'],
    [{ normaliseObs: true }, {}, 'algo.normaliseObs'],
    [{}, { gridObservation: true }, 'env.id'],
  ])('%j is refused where it cannot act', (settings, world, field) => {
    const algo = getAlgo('agent-modelling');
    const meta = getEnv('level-based-foraging').meta({ ...foraging(false), ...world });
    expect(() => algo.fits(meta, settings)).toThrow(expect.objectContaining({ failure: expect.objectContaining({ field }) }));
  });
});

describe('losses', () => {
  const [P, Z] = [5, 3];
  const draw = (n: number, seed: number): Float32Array => {
    const rng = Rng.from(seed);
    return Float32Array.from({ length: n }, () => normal(rng));
  };

  /** InfoNCE in float64, both ways. */
  function expected(a: Float32Array, b: Float32Array, t: number): number {
    const unit = (x: Float32Array, i: number): number[] => {
      const row = [...x.subarray(i * Z, (i + 1) * Z)];
      const length = Math.sqrt(row.reduce((sum, v) => sum + v * v, 0) + 1e-8);
      return row.map((v) => v / length);
    };
    const likeness = Array.from({ length: P }, (_, i) =>
      Array.from({ length: P }, (__, j) => unit(a, i).reduce((sum, v, d) => sum + v * unit(b, j)[d]!, 0) / t),
    );
    const one = (rows: number[][]): number =>
      rows.reduce((sum, row, i) => sum - Math.log(Math.exp(row[i]!) / row.reduce((all, v) => all + Math.exp(v), 0)), 0) / P;
    return (one(likeness) + one(likeness.map((_, j) => likeness.map((row) => row[j]!)))) / 2;
  }

  it('InfoNCE equals its definition, and its slope finite differences of it', async () => {
    const engine = await createWasmEngine();
    const [a, b] = [draw(P * Z, 1), draw(P * Z, 2)];
    const program = engine.compile({ a: [P, Z], b: [P, Z], t: [1] }, (x) => {
      const { loss, found } = infoNce(x.a, x.b, x.t);
      return { loss, found, slope: gradients(loss, [x.a])[0]! };
    });
    program.in.a.set(a);
    program.in.b.set(b);
    program.in.t[0] = 0.5;
    program.run();
    expect(program.out.loss[0]).toBeCloseTo(expected(a, b, 0.5), 5);
    for (let i = 0; i < P * Z; i++) {
      const moved = (by: number): number =>
        expected(
          Float32Array.from(a, (v, k) => (k === i ? v + by : v)),
          b,
          0.5,
        );
      expect(program.out.slope[i]).toBeCloseTo((moved(1e-3) - moved(-1e-3)) / 2e-3, 3);
    }
    program.in.b.set(a);
    program.run();
    expect(program.out.found[0]).toBe(1); // each is nearest to itself
    engine.dispose();
  });

  it('a missing step counts neither for the code nor for the error of a reconstruction', async () => {
    const engine = await createWasmEngine();
    const meta = getEnv('level-based-foraging').meta({});
    const layout = layoutFor(meta, { told: 0, code: 0, steps: 3, marked: true });
    const encode = partnerEncoder(engine.group('model'), Rng.from(1), layout, Z);
    const program = engine.compile({ past: [2, layout.past], made: [2, layout.past] }, (x) => ({
      code: encode(x.past),
      error: reconstruction(x.past, x.made, layout),
    }));
    const past = draw(2 * layout.past, 3);
    const made = draw(2 * layout.past, 4);
    for (let step = 0; step < 6; step++) past[(step + 1) * layout.entry - 1] = step === 0 || step === 3 ? 1 : 0;
    const run = () => {
      program.in.past.set(past);
      program.in.made.set(made);
      program.run();
      return { code: [...program.out.code], error: program.out.error[0]! };
    };
    const before = run();
    let error = 0;
    for (const from of [0, layout.past]) for (let i = 0; i < layout.entry; i++) error += (past[from + i]! - made[from + i]!) ** 2;
    expect(before.error).toBeCloseTo(error / (2 * layout.entry), 4);
    for (let i = layout.entry; i < layout.past; i++) if ((i + 1) % layout.entry !== 0) past[i] = 9; // behind the only step of the first row
    expect(run()).toEqual(before);
    past[0] = 9;
    expect(run().code).not.toEqual(before.code);
    engine.dispose();
  });
});
