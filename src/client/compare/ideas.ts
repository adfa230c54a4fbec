/** What kept policies get when the world in which they play is changed: seconds, nothing is trained. */
import { workers } from '#client/workers/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { objectOf } from '#contract/kit/json.ts';
import { type Arm, armConfig, type JudgedCard } from '#contract/papers/papers.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import type { GroupAsk, OneGroup } from '#contract/run/group.ts';

/** Names of policies in the worker: two measurements at once must not share one. */
let asked = 0;

/**
 * Mean return of `episodes` greedy episodes of a kept policy in its arm's world with `change` over it, on the evaluation's seeds. Rejects with a
 * LabError where the policy does not fit that world.
 */
export async function scoreOfKept(
  card: JudgedCard,
  arm: Arm,
  snapshot: PolicySnapshot,
  change: JsonObject,
  episodes: number,
): Promise<number> {
  const told = armConfig(card, arm);
  const own = objectOf(told.env);
  const { env } = await workers.complete({ ...told, env: { ...own, config: { ...objectOf(own.config), ...change } } });
  const api = workers.answerer();
  const key = `idea ${asked++}`;
  await api.setPolicy(key, snapshot);
  try {
    return await api.score(env, key, episodes);
  } finally {
    await api.dropPolicy(key);
  }
}

/** A group, and the world that it was played in. */
export interface GroupThere {
  readonly group: OneGroup;
  readonly world: EnvCard;
}

/**
 * One group of episodes as an arm collects it, from a seed, with `change` over those settings of its method that are made of several. Rejects with
 * a LabError where the arm's method plays no groups.
 */
export async function groupOfArm(
  card: JudgedCard,
  arm: Arm,
  change: { readonly [setting: string]: JsonObject },
  { policy, seed }: Pick<GroupAsk, 'policy' | 'seed'>,
): Promise<GroupThere> {
  const told = await workers.complete(armConfig(card, arm));
  const own = told.algo.config;
  const over = Object.fromEntries(Object.entries(change).map(([name, more]) => [name, { ...objectOf(own[name]), ...more }]));
  const api = workers.answerer();
  const group = await api.oneGroup({ config: { ...told, algo: { ...told.algo, config: { ...own, ...over } } }, policy, seed });
  return { group, world: await api.describe(told.env) };
}

/** One frame of an episode of a group. */
export async function frameOf({ replay }: OneGroup['episodes'][number], step: number): Promise<Float32Array | null> {
  return replay === null ? null : (await workers.answerer().frames(replay, step, 1)).frames;
}
