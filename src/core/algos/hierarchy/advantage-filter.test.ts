/** The filter of plans: where it fits, who is asked first, and what it refuses after some recorded play. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { getEnv } from '#core/envs/all.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import { buildPolicy, createSession } from '#core/run/loaded.ts';
import { Rng } from '#math/rng.ts';
import { getAlgo } from '../all.ts';

async function trained(envConfig: JsonObject, settings: JsonObject, steps: number): Promise<PolicySnapshot> {
  const env = getEnv('planned-kitchen');
  const config = runConfigSchema.parse({
    env: { id: env.id, config: env.parse(envConfig) },
    algo: { id: 'advantage-filter', config: getAlgo('advantage-filter').parse(settings) },
    run: { steps, evalEpisodes: 1 },
  });
  let snapshot: PolicySnapshot | null = null;
  for await (const event of createSession({ config, seed: 1, now: () => 0, env })) {
    if (event.kind === 'policy') snapshot = event.snapshot;
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
  }
  if (snapshot === null) throw new Error('No policy came.');
  return snapshot;
}

describe('the filter of plans', () => {
  it('is refused where no plans are proposed', () => {
    const algo = getAlgo('advantage-filter');
    expect(() => algo.fits(getEnv('overcooked').meta({}), algo.parse({}))).toThrow('needs a planner');
    expect(() => algo.fits(getEnv('planned-kitchen').meta({}), algo.parse({}))).not.toThrow();
  });

  it('asks the critic about the first cook as if the second had no plan, and tells the second what the first takes', async () => {
    const env = getEnv('planned-kitchen');
    const { policy, free } = await buildPolicy(await trained({ error: 0.5 }, { hidden: [8], gradientSteps: 4 }, 2048));
    const live = env.create({ error: 0.5 }, 1);
    const buffers = createBuffers(live.meta, 1);
    live.reset(Uint32Array.of(3), buffers);
    const O = live.meta.obsSize;
    const { base, names } = live.meta.plans!;
    const ask = async (second: number) => {
      const obs = buffers.obs.slice();
      obs.fill(0, O + base + 2 * names.length, O + base + 3 * names.length);
      obs[O + base + 2 * names.length + second] = 1;
      const query = { obs, agent: Int32Array.of(0, 1), hidden: new Float32Array(0), rng: Rng.from(1), rows: 2, greedy: true };
      return (await policy.act({ ...query, mask: buffers.mask! })).extras!.advantage!.slice();
    };
    const [one, other] = [await ask(1), await ask(4)];
    expect(one[0]).toBe(other[0]);
    expect(one[1]).not.toBe(other[1]);
    free();
  }, 60_000);

  it('after recorded play refuses plans that cannot be done far more often than right ones', async () => {
    const error = 0.5;
    const env = getEnv('planned-kitchen');
    const { policy, free } = await buildPolicy(await trained({ error }, { gradientSteps: 64, batchSize: 128 }, 80_000));
    const rows = 8;
    const live = env.create({ error }, rows);
    const buffers = createBuffers(live.meta, rows);
    const [right, possible] = [createActions(live.meta, rows), createActions(live.meta, rows)];
    const { 'takes-right': knows, 'takes-possible': check } = env.policies({ error });
    live.reset(
      Uint32Array.from({ length: rows }, (_, i) => 50 + i),
      buffers,
    );
    const agent = Int32Array.from({ length: 2 * rows }, (_, i) => i % 2);
    const asked = { right: [0, 0], impossible: [0, 0] };
    for (let t = 0; t < 300; t++) {
      const query = { obs: buffers.obs, agent, hidden: new Float32Array(0), rng: Rng.from(1), rows: 2 * rows, greedy: true };
      const { actions } = await policy.act({ ...query, mask: buffers.mask! });
      knows!.act(live, buffers, right);
      check!.act(live, buffers, possible);
      for (let row = 0; row < 2 * rows; row++) {
        if (buffers.mask![2 * row + 1] === 0) continue;
        const kind = right[row] === 0 ? asked.right : possible[row] === 1 ? asked.impossible : null;
        if (kind === null) continue;
        kind[0]!++;
        kind[1]! += actions[row]!;
      }
      live.step(actions, buffers);
    }
    free();
    const share = ([all = 0, refused = 0]: readonly number[]) => refused / all;
    expect(share(asked.impossible)).toBeGreaterThan(share(asked.right) + 0.25);
  }, 120_000);
});
