/** What kept policies get when the world in which they play is changed: seconds, nothing is trained. */
import { workers } from '#client/workers/service.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { objectOf } from '#contract/kit/json.ts';
import { type Arm, armConfig, type JudgedCard } from '#contract/papers/papers.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';

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
