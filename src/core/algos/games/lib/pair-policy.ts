/** One actor and critic for both seats as a policy; also for whoever sits at one of them only. */

import type { Saved } from '#contract/events.ts';
import type { Engine } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { writeParams } from '#core/state/params.ts';
import type { Rng } from '#math/rng.ts';
import type { Policy } from '../../api/types.ts';
import { createActor, createCritic, criticInput, type NetworkOptions } from '../../lib/ppo/networks.ts';
import { type ActorCriticPair, pairsPolicy } from '../../lib/ppo/team.ts';
import { shareNetworks } from '../../lib/sharing.ts';
import { seatNetwork } from './frozen.ts';

const PLAIN = { moments: null, norm: null };

export function buildPair(engine: Engine, name: string, meta: EnvMeta, options: NetworkOptions, rng: Rng): ActorCriticPair {
  const network = seatNetwork(meta);
  const group = engine.group(name);
  const input = criticInput(meta, shareNetworks(meta, 'shared'), 0, 'own');
  return { actor: createActor(group, network, meta.masked, options, rng), critic: createCritic(group, input, network, options, rng) };
}

export function pairPolicy(engine: Engine, meta: EnvMeta, pair: ActorCriticPair, dispose?: () => void): Policy {
  return pairsPolicy(engine, meta, shareNetworks(meta, 'shared'), [pair], () => PLAIN, dispose);
}

/** From what readParams gave. */
export async function policyFromPair(
  makeEngine: () => Promise<Engine>,
  meta: EnvMeta,
  options: NetworkOptions,
  params: Saved,
  rng: Rng,
): Promise<Policy> {
  const engine = await makeEngine();
  const pair = buildPair(engine, 'policy', meta, options, rng);
  writeParams(engine, pair.actor.group, params);
  return pairPolicy(engine, meta, pair, () => engine.dispose());
}
