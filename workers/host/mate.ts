/** A policy that was trained in seats of its own, beside a person in another seat of the same environment. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Beside, HumanSeat } from '#contract/session/session.ts';
import type { Act, Policy } from '#core/algos/api/types.ts';
import { namesOf } from '#core/envs/api/meta.ts';
import type { EnvEntry } from '#core/envs/api/types.ts';
import { mover } from '#core/run/cross-play.ts';
import { extrasOf } from '#core/run/inspect.ts';
import type { Lineup } from '#core/run/lineup.ts';
import { Rng } from '#math/rng.ts';

export interface Mate extends Pick<Lineup, 'act'> {
  /** What it reported with its last decision of the first agent that it moves; null: it has decided nothing yet. */
  said(): Beside | null;
}

interface Place {
  readonly entry: EnvEntry;
  readonly env: { readonly id: string; readonly config: JsonObject };
  /** The agent that the person moves. */
  readonly person: number;
  readonly seed: number;
}

/** It moves all agents of this environment that it knows, but the person's. `load`: the kept policy in the world that it was trained in. */
export async function mateOf(
  { entry, env, person, seed }: Place,
  { policy: key, trained }: NonNullable<HumanSeat['beside']>,
  load: (key: string, env: { readonly id: string; readonly config: JsonObject }) => Promise<Policy>,
): Promise<Mate> {
  const here = entry.meta(env.config);
  const own = entry.meta(trained);
  const known = namesOf(own);
  const moved = namesOf(here).filter((name, agent) => agent !== person && known.includes(name));
  const policy = await load(key, { id: env.id, config: trained });
  let last: Act | null = null;
  const heard: Policy = {
    dispose: () => policy.dispose(),
    initial: (rows) => policy.initial(rows),
    // `valueless` would leave out what is shown beside the game
    act: async ({ valueless: _, ...query }) => (last = await policy.act(query)),
  };
  const move = mover({ policy: heard, meta: own }, moved, here, {
    copies: 1,
    member: null,
    greedy: true,
    rng: Rng.from(seed).split('mate'),
  });
  return {
    act: (_, buffers, out) => move(buffers, out),
    said: () => last && { policy: key, extras: extrasOf(policy, last, 0) },
  };
}
