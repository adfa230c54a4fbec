/** What the lesson says of teams that are sent in another size: one seed each, by night. */
import { expect, test } from 'vitest';
import { type JsonObject, mergeJson } from '#contract/kit/json.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { getAlgo } from '#core/algos/all.ts';
import { getEnv } from '#core/envs/all.ts';
import { buildPolicy } from '#core/run/by-id.ts';
import { evaluate } from '#core/run/evaluate.ts';
import { completeRun } from '#core/run/loaded.ts';
import { createSession } from '#core/run/session.ts';
import { movedTo } from '#core/run/transfer.ts';
import { eight } from './eight.ts';

const EIGHT = 8;

/** Mean greedy return of each agent as eight, of a team trained as three with these settings. */
async function sent(own: JsonObject): Promise<number> {
  const config = completeRun(mergeJson(mergeJson({ v: 1, ...eight.config }, { env: { config: own } }), { run: { seeds: 1 } }));
  const env = getEnv('mpe-simple-spread');
  let snapshot: PolicySnapshot | undefined;
  for await (const event of createSession({ config, env, algo: getAlgo('ippo'), seed: 1, now: () => 0 }))
    if (event.kind === 'policy') snapshot = event.snapshot;
  if (snapshot === undefined) throw new Error('no policy');
  const there = env.parse({ ...own, agents: EIGHT });
  const moved = movedTo(snapshot, env, there);
  const { policy, free } = await buildPolicy(moved);
  try {
    return (await evaluate(policy, env, there, { episodes: 50 })).score;
  } finally {
    free();
  }
}

test('@night three that see the nearest do better as eight than three that see all, and both better than chance', {
  timeout: 600_000,
}, async () => {
  const [all, nearest] = [await sent({}), await sent({ agentNeighbors: 2, landmarkNeighbors: 3 })];
  expect(nearest).toBeGreaterThan(all + 0.5);
  expect(all).toBeGreaterThan(-40);
});
