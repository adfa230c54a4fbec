/** Test-only: whole runs of a learner on a probe, what they measured and saved, and their policies asked. */

import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot, Saved, SessionEvent } from '#contract/run/events.ts';
import { decodeSaved, encodeSaved } from '#contract/run/saved.ts';
import { Rng } from '#math/rng.ts';
import { getAlgo } from '../algos/all.ts';
import { createEngine } from '../engine/index.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import { createSession, type SessionOptions } from '../run/loaded.ts';

interface Outcome {
  readonly evalReturn: number;
  readonly hash: string;
  /** Names of the metrics; in `rows` they follow the step. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly number[])[];
  readonly snapshot: PolicySnapshot | undefined;
  readonly saved: Saved | undefined;
}

/** A whole run, or up to the first safe point at or after `stopAt` steps, saved there. */
export async function play(
  env: EnvEntry,
  algoId: string,
  steps: number,
  settings: JsonObject,
  options: Partial<SessionOptions> = {},
  stopAt = Number.POSITIVE_INFINITY,
) {
  const config = runConfigSchema.parse({
    env: { id: env.id },
    algo: { id: algoId, config: getAlgo(algoId).parse(settings) },
    run: { steps, evalEpisodes: 20 },
  });
  let time = 0;
  const session = createSession({ config, seed: 1, env, now: () => (time += 1000), sliceMs: 1, ...options });
  const found: { -readonly [K in keyof Outcome]: Outcome[K] } = {
    evalReturn: Number.NaN,
    hash: '',
    columns: [],
    rows: [],
    snapshot: undefined,
    saved: undefined,
  };
  const take = (event: SessionEvent): void => {
    if (event.kind === 'result') {
      found.evalReturn = event.result.evalReturn;
      found.hash = event.result.parameterHash;
    }
    if (event.kind === 'policy') found.snapshot = event.snapshot;
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
    if (event.kind !== 'metrics') return;
    const width = event.columns.length + 1;
    const clock = event.columns.indexOf('seconds') + 1;
    found.columns = event.columns.filter((_, j) => j + 1 !== clock);
    for (let i = 0; i < event.rows.length; i += width) {
      found.rows = [...found.rows, [...event.rows.slice(i, i + width)].filter((_, j) => j !== clock)];
    }
  };
  for await (const event of session) {
    take(event);
    if (event.kind === 'progress' && event.step >= stopAt) session.stop();
  }
  if (Number.isFinite(stopAt)) found.saved = decodeSaved(encodeSaved(await session.save()));
  return found;
}

export async function ask(env: EnvEntry, { snapshot }: Outcome, obs: readonly number[]) {
  if (snapshot === undefined) throw new Error('no policy');
  const policy = await getAlgo(snapshot.algo.id).policy(
    { config: snapshot.algo.config, meta: env.meta({}), envEntry: env, envConfig: {}, makeEngine: () => createEngine('wasm') },
    snapshot.saved,
  );
  const hidden = policy.initial(1);
  return policy.act({ obs: Float32Array.from(obs), agent: Int32Array.of(0), hidden, rng: Rng.from(1), rows: 1, greedy: true });
}

/** The same run whole, and cut in the middle and continued from its bytes: what must be equal. */
export async function resumed(
  env: EnvEntry,
  algoId: string,
  steps: number,
  settings: JsonObject,
): Promise<{ readonly whole: Outcome; readonly joined: Outcome }> {
  const whole = await play(env, algoId, steps, settings);
  const half = await play(env, algoId, steps, settings, {}, steps / 2);
  const rest = await play(env, algoId, steps, settings, half.saved === undefined ? {} : { resume: half.saved });
  if (half.rows.length === 0 || rest.rows.length === 0) throw new Error('The run was not cut in its middle.');
  return { whole, joined: { ...rest, rows: [...half.rows, ...rest.rows] } };
}
