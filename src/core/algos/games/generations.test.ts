/** Generations: what one of them is, how the steps are dealt, who is watched, and that a run goes on bit for bit. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot, Saved } from '#contract/run/events.ts';
import { getEnv } from '../../envs/all.ts';
import { createSession } from '../../run/loaded.ts';
import { partOf } from '../../state/saved.ts';
import { getAlgo } from '../all.ts';
import { lifeAt } from './generations.ts';

const world = getEnv('goal-sequence');
const fast = {
  ...{ envs: 4, rolloutSteps: 16, minibatches: 2, epochs: 2, hidden: [8], lr: 3e-3 },
  memory: { kind: 'gru', units: 8, sequence: 8 },
};

async function trained(
  algo: string,
  settings: JsonObject,
  { steps = 640, env = {}, resume, from = 0.5 }: { steps?: number; env?: JsonObject; resume?: Saved; from?: number } = {},
) {
  const config = runConfigSchema.parse({
    env: { id: world.id, config: world.parse({ visible: 0, ...env }) },
    algo: { id: algo, config: getAlgo(algo).parse({ ...fast, ...settings }) },
    run: { steps, evalEpisodes: 5 },
  });
  const session = createSession({ config, seed: 1, now: () => 0, sliceMs: 0, ...(resume && { resume }) });
  let kept: Promise<Saved> | undefined;
  let [hash, evalReturn] = ['', Number.NaN];
  let snapshot: PolicySnapshot | undefined;
  const rows: Record<string, number>[] = [];
  for await (const event of session) {
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
    if (event.kind === 'progress' && event.step >= steps * from) kept ??= session.save();
    if (event.kind === 'policy') snapshot = event.snapshot;
    if (event.kind === 'metrics')
      for (let at = 0; at < event.rows.length; at += event.columns.length + 1)
        rows.push({ step: event.rows[at]!, ...Object.fromEntries(event.columns.map((column, i) => [column, event.rows[at + 1 + i]!])) });
    if (event.kind === 'result') [hash, evalReturn] = [event.result.parameterHash, event.result.evalReturn];
  }
  return { hash, evalReturn, rows, kept, snapshot: snapshot! };
}

/** The parameters of one network of a policy, by name. */
const network = ({ saved }: PolicySnapshot, part: string) => partOf(saved, part).arrays;

describe('generations', () => {
  it('of one are recurrent PPO bit for bit, with a seat beside it or none', async () => {
    const alone = await trained('recurrent-ppo', {}, { env: { predecessor: false } });
    const one = await trained('generations', { generations: 1 }, { env: { predecessor: false } });
    const beside = await trained('generations', { generations: 1 });
    expect(network(one.snapshot, 'learner')).toEqual(network(alone.snapshot, 'policy'));
    expect(network(beside.snapshot, 'learner')).toEqual(network(alone.snapshot, 'policy'));
    expect([one.hash, one.evalReturn]).toEqual([alone.hash, alone.evalReturn]);
    expect(beside.evalReturn).toBe(alone.evalReturn);
    expect(beside.rows.map(({ episodicReturn }) => episodicReturn)).toEqual(alone.rows.map(({ episodicReturn }) => episodicReturn));
  });

  it('share the steps of one lifetime, all of them, within one update', () => {
    for (const [updates, generations] of [
      [10, 5],
      [11, 5],
      [489, 5],
      [3, 2],
    ] as const) {
      const lives = Array.from({ length: updates }, (_, update) => lifeAt(update, updates, generations));
      const lengths = Array.from({ length: generations }, (_, g) => lives.filter(({ generation }) => generation === g).length);
      expect(lengths.reduce((a, b) => a + b, 0)).toBe(updates);
      expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
      for (const { generation, life } of lives) expect(life).toBe(lengths[generation]);
      for (const [at, { lived, generation }] of lives.entries())
        expect(lived).toBe(at - lives.findIndex((other) => other.generation === generation));
    }
    expect(lifeAt(7, 10, 1)).toEqual({ generation: 0, lived: 7, life: 10 });
  });

  it('see nobody at first, then the one before from always to never', async () => {
    const { rows: all } = await trained('generations', { generations: 2 });
    const rows = all.filter(({ predecessorSeen }) => predecessorSeen !== undefined && !Number.isNaN(predecessorSeen)); // no row of a test
    expect(rows.map(({ generation }) => generation)).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
    expect(rows.map(({ predecessorSeen }) => predecessorSeen)).toEqual([0, 0, 0, 0, 0, 1, 0.75, 0.5, 0.25, 0]);
  });

  it('watch the network that the one before ended with, and begin with a new one', async () => {
    const one = await trained('generations', { generations: 1, annealLr: false }, { steps: 320 });
    const two = await trained('generations', { generations: 2, annealLr: false });
    expect(network(two.snapshot, 'predecessor')).toEqual(network(one.snapshot, 'learner'));
    expect(network(two.snapshot, 'learner')).not.toEqual(network(one.snapshot, 'learner'));
    const blind = await trained('generations', { generations: 2, annealLr: false, seenFirst: 0 });
    expect(network(blind.snapshot, 'predecessor')).toEqual(network(one.snapshot, 'learner'));
    expect(blind.hash).not.toBe(two.hash); // who is seen changes what is learned
  });

  it('go on bit for bit from a checkpoint, at a border and within a life', async () => {
    const whole = await trained('generations', { generations: 2 });
    for (const from of [0.5, 0.7]) {
      const { kept } = await trained('generations', { generations: 2 }, { from });
      const rest = await trained('generations', { generations: 2 }, { resume: (await kept)! });
      expect([rest.hash, rest.evalReturn]).toEqual([whole.hash, whole.evalReturn]);
    }
  });

  it('need a seat that may be watched', async () => {
    await expect(trained('generations', { generations: 2 }, { env: { predecessor: false } })).rejects.toThrow(/no seat for a predecessor/);
  });
});
