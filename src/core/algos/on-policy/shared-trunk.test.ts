/** A trunk over several environments: what it is with one, what all share, what is carried over, and that a run goes on bit for bit. */
import { describe, expect, it } from 'vitest';
import { present } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot, Saved } from '#contract/run/events.ts';
import { getEnv } from '../../envs/all.ts';
import { createSession } from '../../run/loaded.ts';
import { partOf } from '../../state/saved.ts';
import { getAlgo } from '../all.ts';

const fast = { envs: 4, rolloutSteps: 25, minibatches: 2, epochs: 2, hidden: [8, 8, 8] };
const others = [
  { env: 'mpe-simple-tag', config: { seats: { agent_0: 'scripted' } } },
  { env: 'level-based-foraging', config: {} },
];

interface Asked {
  readonly steps?: number;
  readonly env?: string;
  readonly resume?: Saved;
  readonly at?: number;
}

async function trained(algo: string, settings: JsonObject, { steps = 800, env = 'mpe-simple-spread', resume, at }: Asked = {}) {
  const config = runConfigSchema.parse({
    env: { id: env, config: getEnv(env).parse({}) },
    algo: { id: algo, config: getAlgo(algo).parse({ ...fast, ...settings }) },
    run: { steps, evalEpisodes: 5 },
  });
  const session = createSession({ config, seed: 1, now: () => 0, sliceMs: 0, ...(resume && { resume }) });
  let half: Promise<Saved> | undefined;
  let [hash, evalReturn] = ['', Number.NaN];
  const snapshots: PolicySnapshot[] = [];
  const columns = new Map<string, number[]>();
  const reached: number[] = [];
  for await (const event of session) {
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
    if (event.kind === 'progress' && at !== undefined && event.step >= steps * at) half ??= session.save();
    if (event.kind === 'progress') reached.push(event.step);
    if (event.kind === 'policy') snapshots.push(event.snapshot);
    if (event.kind === 'metrics')
      for (let from = 0; from < event.rows.length; from += event.columns.length + 1)
        for (const [i, column] of event.columns.entries()) columns.set(column, [...(columns.get(column) ?? []), event.rows[from + 1 + i]!]);
    if (event.kind === 'result') [hash, evalReturn] = [event.result.parameterHash, event.result.evalReturn];
  }
  return { hash, evalReturn, columns, half, snapshots, reached };
}
type Trained = Awaited<ReturnType<typeof trained>>;

/** Layers as the last policy holds them, and as they were when the first stage ended: a state of the second holds those. */
async function layersOf({ snapshots, half }: Trained) {
  const { saved } = present(snapshots.at(-1), 'a policy');
  const state = half === undefined ? undefined : partOf(partOf(await half, 'algo'), 'kept');
  return { now: partOf(partOf(saved, 'inner'), 'policy').arrays, before: state === undefined ? {} : partOf(state, 'policy').arrays };
}

describe('a shared trunk', () => {
  it('over one environment is IPPO bit for bit, and MAPPO where critics see all', async () => {
    const plain = await trained('shared-trunk', {});
    const ippo = await trained('ippo', {});
    expect(plain.hash).toBe(ippo.hash);
    expect(plain.evalReturn).toBe(ippo.evalReturn);
    const central = await trained('shared-trunk', { criticSees: 'joint', valueNorm: true });
    expect(central.hash).toBe((await trained('mappo', { valueNorm: true })).hash);
    expect(central.hash).not.toBe(plain.hash);
  });

  it('has front layers and heads for each environment, and the layers between them once', async () => {
    const run = await trained('shared-trunk', { worlds: others }, { steps: 1200 });
    const names = Object.keys((await layersOf(run)).now).filter((name) => name.endsWith('.w'));
    const of = (prefix: string): string[] => names.filter((name) => name.startsWith(`${prefix}actor`)).sort();
    expect(of('')).toEqual(['actor.0.w', 'actor.1.w', 'actor.2.w', 'actor.3.w']);
    expect(of('1.0.')).toEqual(['1.0.actor.0.w']); // five moves as in the run's own: one head for both
    expect(of('2.0.')).toEqual(['2.0.actor.0.w', '2.0.actor.3.w']);
    const apart = await trained('shared-trunk', { worlds: others, sharedHeads: false }, { steps: 1200 });
    expect(Object.keys((await layersOf(apart)).now)).toContain('1.0.actor.3.w');
    expect(run.columns.get('return1')?.some(Number.isFinite)).toBe(true);
    expect(run.columns.get('return2')?.some(Number.isFinite)).toBe(true);
  });

  it('carries over what it says, and nothing else', async () => {
    for (const carry of ['trunk', 'ends', 'nothing'] as const) {
      const run = await trained('shared-trunk', { worlds: others, carry, frozen: true }, { steps: 1600, at: 0.75 });
      const { before, now } = await layersOf(run);
      const same = (name: string): boolean => `${before[name]}` === `${now[name]}`;
      // frozen: what was carried over is still there at the end, and nothing else is
      expect(same('actor.1.w')).toBe(carry === 'trunk');
      expect(same('critic.2.b')).toBe(carry === 'trunk');
      expect(same('actor.0.w')).toBe(false);
      expect(Object.keys(now).some((name) => name.startsWith('1.'))).toBe(false);
    }
  });

  it('the wrong half begins with the front and the heads of the first environment, as far as both have them', async () => {
    const still = { worlds: others, carry: 'ends', sharedHeads: false, lr: 1e-12, annealLr: false };
    const run = await trained('shared-trunk', still, { steps: 1600, at: 0.75 });
    const { before, now } = await layersOf(run);
    const near = (a: unknown, b: unknown): boolean =>
      Array.from(a as Float32Array).every((value, i) => Math.abs(value - (b as Float32Array)[i]!) < 1e-6);
    const seen = Math.min((before['1.0.actor.0.w'] as Float32Array).length, (now['actor.0.w'] as Float32Array).length);
    const part = (values: unknown): Float32Array => (values as Float32Array).subarray(0, seen);
    expect(near(part(before['1.0.actor.0.w']), part(now['actor.0.w']))).toBe(true);
    expect(near(before['1.0.actor.3.w'], now['actor.3.w'])).toBe(true); // five moves in both
    expect(near(before['actor.1.w'], now['actor.1.w'])).toBe(false);
  });

  it('goes on bit for bit from either stage', async () => {
    const settings = { worlds: others, carry: 'trunk', valueNorm: true };
    for (const at of [0.25, 0.75]) {
      const whole = await trained('shared-trunk', settings, { steps: 2400, at });
      const rest = await trained('shared-trunk', settings, { steps: 2400, resume: await present(whole.half, 'a state') });
      expect(rest.hash).toBe(whole.hash);
      expect(rest.evalReturn).toBe(whole.evalReturn);
    }
  });

  it('spends the share of the budget that it was given elsewhere, and no more', async () => {
    const { reached, columns } = await trained('shared-trunk', { worlds: others, carry: 'trunk' }, { steps: 1600 });
    expect(reached.at(-1)).toBe(1600);
    expect(columns.get('return1')?.filter(Number.isFinite).length).toBeGreaterThan(0);
  });

  it('tells what each unit of the trunk does in each environment, as numbers in its policy', async () => {
    const run = await trained('shared-trunk', { worlds: others, carry: 'trunk' }, { steps: 1600 });
    const { saved } = present(run.snapshots.at(-1), 'a policy');
    const of = (part: string, w: number): number[] => Array.from((partOf(saved, part).arrays[`activity${w}`] ?? []) as Float32Array);
    const found = [of('kept', 1), of('kept', 2), of('inner', 0)];
    for (const units of found) {
      expect(units).toHaveLength(16); // two layers of eight
      expect(units.every((value) => value > 0 && value < 1)).toBe(true); // mean absolute outputs of tanh
    }
    expect(found[0]).not.toEqual(found[1]);
    expect(of('kept', 0)).toEqual([]);
  });

  it('needs a layer for the trunk, and ids of environments', async () => {
    await expect(trained('shared-trunk', { trunkFrom: 3 })).rejects.toThrow(/none is left/);
    await expect(trained('shared-trunk', { worlds: [{ env: 'no-such-world' }] })).rejects.toThrow(/no-such-world|There is no/);
    await expect(trained('shared-trunk', { worlds: [{ world: 'mpe-simple-tag' }] })).rejects.toThrow(/named by their ids/);
  });
});
