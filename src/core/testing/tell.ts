/** Test-only: a short training run of a team that communicates, and its policy asked. */

import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { Rng } from '#math/rng.ts';
import { getAlgo } from '../algos/all.ts';
import type { Act } from '../algos/api/types.ts';
import { createEngine } from '../engine/index.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import { createSession } from '../run/loaded.ts';

export const fast = { envs: 8, rolloutSteps: 16, lr: 3e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.001, width: 16, agentId: true };

export async function train(env: EnvEntry, algoId: string, steps: number, settings: JsonObject, seed = 1) {
  const algo = getAlgo(algoId);
  const config = runConfigSchema.parse({
    env: { id: env.id, config: env.parse({}) },
    algo: { id: algoId, config: algo.parse({ ...fast, ...settings }) },
    run: { steps, evalEpisodes: 50 },
  });
  algo.fits(env.meta({}), config.algo.config);
  let evalReturn = Number.NaN;
  let snapshot: PolicySnapshot | undefined;
  for await (const event of createSession({ config, seed, now: () => 0, env })) {
    if (event.kind === 'result') evalReturn = event.result.evalReturn;
    if (event.kind === 'policy') snapshot = event.snapshot;
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
  }
  if (snapshot === undefined) throw new Error('no policy');
  const meta = env.meta({});
  const context = { config: snapshot.algo.config, meta, envEntry: env, envConfig: {}, makeEngine: () => createEngine('wasm') };
  const policy = await algo.policy(context, snapshot.saved);
  const ask = async (
    rows: readonly (readonly number[])[],
    agents: readonly number[],
    muted?: readonly number[],
  ): Promise<Act & { readonly messages: Float32Array }> => {
    const query = {
      obs: Float32Array.from(rows.flat()),
      agent: Int32Array.from(agents),
      hidden: policy.initial(rows.length),
      rng: Rng.from(1),
      rows: rows.length,
      greedy: true,
      ...(meta.masked && { mask: new Uint8Array(rows.length * meta.actionCount).fill(1) }),
    };
    const { act, messages } = await policy.communication!.act(query, muted ? Uint8Array.from(muted) : null);
    return { ...act, messages };
  };
  return { evalReturn, ask, policy };
}
