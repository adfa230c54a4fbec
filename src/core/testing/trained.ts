/**
 * Test-only: a method trained without a session, so that it need not be in the registry: its metrics at every safe point, what it saved
 * on the way and what it was at its end.
 */

import type { JsonObject } from '#contract/kit/json.ts';
import type { Saved } from '#contract/run/events.ts';
import { decodeSaved, encodeSaved } from '#contract/run/saved.ts';
import { Rng } from '#math/rng.ts';
import type { AlgoEntry, Policy, Progress, Run } from '../algos/api/types.ts';
import { createEngine } from '../engine/index.ts';
import type { Engine } from '../engine/types.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import { createVectorEnv } from '../envs/api/vector-env.ts';
import { evaluate } from '../run/evaluate.ts';

export interface Task {
  readonly algo: AlgoEntry;
  readonly env: EnvEntry;
  readonly envConfig?: JsonObject;
  readonly config?: JsonObject;
  readonly steps: number;
  readonly seed?: number;
}

export interface Trained {
  readonly steps: number;
  /** Step and metrics at every safe point of this part of the run. */
  readonly rows: readonly (readonly [step: number, metrics: Readonly<Record<string, number>>])[];
  /** Evaluated return of the policy the run ended with, and of the one that its snapshot alone gives elsewhere. */
  readonly evalReturn: number;
  readonly snapshotReturn: number;
  readonly hash: string;
  /** Whether the greedy actions of an evaluation's first step depend on the generator. */
  readonly drawn: boolean;
  /** The checkpoint of the end, through its bytes. */
  readonly saved: Saved;
  readonly snapshot: Saved;
}

const EPISODES = 20;

/**
 * A training that began, from the start or from `resume`, and what it has. Environment streams and generators are those of a session with the
 * same seed. Call `end` when it is over. `more`: where recordings and weights come from, for a method that reads them.
 */
export function begun(task: Task, resume?: Saved, more: Pick<Run<JsonObject>, 'dataset' | 'weights' | 'makeOther'> = {}) {
  const { algo, env, steps, seed = 1 } = task;
  const config = algo.parse(task.config ?? {});
  const envConfig = env.parse(task.envConfig ?? {});
  const meta = env.meta(envConfig);
  algo.fits(meta, config);
  let made = 0;
  const engines: Engine[] = [];
  const makeEngine = async (): Promise<Engine> => {
    const engine = await createEngine('wasm');
    engines.push(engine);
    return engine;
  };
  const training = algo.train(
    {
      config,
      envEntry: env,
      envConfig,
      meta,
      steps,
      seed,
      rng: Rng.from(seed),
      makeEnv: (batch, other) => createVectorEnv(env, other ?? envConfig, batch, Rng.from(seed).split('env', made++)),
      makeEngine,
      ...more,
    },
    resume,
  );
  const end = async (): Promise<void> => {
    await training.return();
    for (const engine of engines) engine.dispose();
  };
  return { config, envConfig, meta, makeEngine, training, end };
}

/** Trains from the start, or from `resume`, to its end or to the first safe point at or after `stopAt` steps. Throws if nothing was trained. */
export async function trained(
  task: Task,
  part: { readonly resume?: Saved; readonly stopAt?: number } & Pick<Run<JsonObject>, 'weights'> = {},
): Promise<Trained> {
  const { algo, env, steps } = task;
  const { config, envConfig, meta, makeEngine, training, end } = begun(
    task,
    part.resume,
    part.weights === undefined ? {} : { weights: part.weights },
  );
  const rows: (readonly [number, Readonly<Record<string, number>>])[] = [];
  const score = async (policy: Policy): Promise<number> => {
    const found = await evaluate(policy, env, envConfig, { episodes: EPISODES });
    policy.dispose();
    return found.score;
  };
  try {
    let last: Progress | null = null;
    for (;;) {
      const next = await training.next();
      if (next.done === true) break;
      last = next.value;
      rows.push([last.step, { ...last.metrics }]);
      if (last.step >= Math.min(steps, part.stopAt ?? steps)) break;
    }
    if (last === null) throw new Error(`${algo.id} trained nothing in ${steps} steps`);
    return await outcome(last);
  } finally {
    await end();
  }

  async function outcome(progress: Progress): Promise<Trained> {
    const saved = decodeSaved(encodeSaved(await progress.save()));
    const snapshot = decodeSaved(encodeSaved(await progress.snapshot()));
    const hash = await progress.hash();
    const evalReturn = await score(await progress.policy());
    const elsewhere = await algo.policy({ config, meta, envEntry: env, envConfig, makeEngine }, snapshot);
    const [asked, drawn] = withSecondDraw(elsewhere);
    return { steps: progress.step, rows, evalReturn, snapshotReturn: await score(asked), hash, drawn: drawn(), saved, snapshot };
  }
}

/** Asks the policy a second time at its first step, with another generator; answers whether its actions differed. */
function withSecondDraw(policy: Policy): readonly [policy: Policy, differed: () => boolean] {
  let differed: boolean | null = null;
  const act: Policy['act'] = async (query) => {
    if (differed === null) {
      const pair: string[] = [];
      for (const seed of [1, 2]) pair.push((await policy.act({ ...query, rng: Rng.from(seed) })).actions.join());
      differed = pair[0] !== pair[1];
    }
    return policy.act(query);
  };
  return [{ ...policy, initial: (rows) => policy.initial(rows), act, dispose: () => policy.dispose() }, () => differed === true];
}
