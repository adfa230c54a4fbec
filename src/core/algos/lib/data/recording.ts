/**
 * Play becomes a dataset (contract/files/dataset.ts): whole episodes of one copy, one after the other, from seeds that follow each other. The
 * same mover, seed and number of steps give the same bytes. Grades of a scripted player: `expert` plays as written, `medium` acts at
 * random in a share of the steps, `random` always does, and `mixed` plays thirds of the steps in each of these ways, worst first.
 */
import { type Dataset, type DatasetHeader, type Grade, MOST_DATASET_BYTES } from '#contract/files/dataset.ts';
import type { ActionSpace } from '#contract/game/spaces.ts';
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import { perAgent } from '#core/envs/api/meta.ts';
import { scoreOf } from '#core/envs/api/score.ts';
import type { Actions, EnvEntry, Environment, EnvMeta, StepBuffers } from '#core/envs/api/types.ts';
import { Rng } from '#math/rng.ts';
import { randomAction } from '#math/sampling.ts';

/** Writes the actions [B, A, D] of one step. `first`: an episode begins with it. */
export type Mover = (env: Environment, buffers: StepBuffers, actions: Actions, first: boolean) => void | Promise<void>;

/** Collects rows of one environment; the caller calls begin, then step until the episode ends, then finish. */
export class DatasetRecorder {
  private readonly entry: EnvEntry;
  private readonly config: JsonObject;
  private readonly meta: EnvMeta;
  private readonly observations: Float32Array[] = []; // a row per step
  private readonly actions: Float32Array[] = [];
  private readonly rewards: Float32Array[] = [];
  private readonly ends: number[] = []; // 0: goes on, 1: terminated, 2: cut
  private readonly finals: Float32Array[] = [];
  private readonly returns: number[] = [];
  private readonly starts: Uint8Array[] = [];
  private sums: Float64Array;
  private bytes = 0;

  constructor(entry: EnvEntry, config: JsonObject, meta: EnvMeta) {
    this.entry = entry;
    this.config = config;
    this.meta = meta;
    this.sums = new Float64Array(meta.agentCount);
  }

  get steps(): number {
    return this.ends.length;
  }

  get episodes(): number {
    return this.returns.length;
  }

  /** `env` stands at the start of an episode, in row 0. */
  begin(env: Environment): void {
    this.starts.push(env.save(0));
    this.sums = new Float64Array(this.meta.agentCount);
  }

  /** Before env.step(): what is seen and done. Throws LabError('config-invalid') where the file would be too large. */
  seen(buffers: StepBuffers, actions: Actions): void {
    this.observations.push(buffers.obs.slice());
    this.actions.push(Float32Array.from(actions));
    this.bytes += 4 * (buffers.obs.length + actions.length + this.meta.agentCount) + 2;
    if (this.bytes < MOST_DATASET_BYTES) return;
    throw fail(
      'config-invalid',
      `After ${this.steps} steps the dataset has 256 MB, the most there may be.`,
      'Record fewer steps.',
      'steps',
    );
  }

  /** After env.step(); `cut`: the episode is given up here. */
  step(buffers: StepBuffers, cut = false): void {
    const { agentCount, rewards: kinds, score } = this.meta;
    const row = new Float32Array(agentCount);
    for (let a = 0; a < agentCount; a++) {
      let sum = 0;
      for (let k = 0; k < kinds.length; k++) sum += buffers.reward[a * kinds.length + k]!;
      row[a] = sum;
      this.sums[a] = this.sums[a]! + sum;
    }
    this.rewards.push(row);
    const end = buffers.terminated[0] !== 0 ? 1 : cut || buffers.truncated[0] !== 0 ? 2 : 0;
    this.ends.push(end);
    if (end === 0) return;
    this.finals.push(buffers.obs.slice());
    this.returns.push(scoreOf(score, this.sums));
  }

  /** The dataset so far; `what` says who played. */
  finish(what: Pick<DatasetHeader, 'title' | 'who' | 'player' | 'grade' | 'licence' | 'seed'>): Dataset {
    const { meta, ends } = this;
    return {
      header: {
        kind: 'dataset',
        version: 1,
        ...what,
        env: { id: this.entry.id, version: this.entry.version, config: this.config },
        steps: this.steps,
        episodes: this.episodes,
        agents: meta.agentCount,
        obsSize: meta.obsSize,
        actionSize: meta.actionSize,
        actionCount: meta.actionCount,
      },
      observations: joined(this.observations),
      actions: joined(this.actions),
      rewards: joined(this.rewards),
      terminals: Uint8Array.from(ends, (end) => (end === 1 ? 1 : 0)),
      timeouts: Uint8Array.from(ends, (end) => (end === 2 ? 1 : 0)),
      finals: joined(this.finals),
      returns: Float64Array.from(this.returns),
      starts: bytesOf(this.starts.slice(0, this.episodes)),
    };
  }
}

function joined(rows: readonly Float32Array[]): Float32Array {
  const out = new Float32Array(rows.reduce((sum, row) => sum + row.length, 0));
  let at = 0;
  for (const row of rows) {
    out.set(row, at);
    at += row.length;
  }
  return out;
}

function bytesOf(rows: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(rows.reduce((sum, row) => sum + row.length, 0));
  let at = 0;
  for (const row of rows) {
    out.set(row, at);
    at += row.length;
  }
  return out;
}

export interface Recording {
  readonly entry: EnvEntry;
  /** Complete. */
  readonly config: JsonObject;
  /** Whole episodes are played until there are at least so many steps. */
  readonly steps: number;
  /** Of the first episode. */
  readonly seed: number;
}

/** Plays and records. `stop` is asked after every episode; true: it is enough. */
export async function recordPlay(
  { entry, config, steps, seed }: Recording,
  move: Mover,
  into?: DatasetRecorder,
  stop: () => boolean | Promise<boolean> = () => false,
): Promise<DatasetRecorder> {
  await entry.prepare?.();
  const env = entry.create(config, 1);
  const { meta } = env;
  const buffers = createBuffers(meta, 1);
  const actions = createActions(meta, 1);
  const recorder = into ?? new DatasetRecorder(entry, config, meta);
  const until = recorder.steps + steps;
  for (let episode = 0; recorder.steps < until; episode++) {
    env.reset(Uint32Array.of((seed + episode) >>> 0), buffers);
    recorder.begin(env);
    for (let t = 0; ; t++) {
      await move(env, buffers, actions, t === 0);
      recorder.seen(buffers, actions);
      env.step(actions, buffers);
      const cut = t + 1 >= meta.evalMaxSteps;
      recorder.step(buffers, cut);
      if (cut || buffers.terminated[0] !== 0 || buffers.truncated[0] !== 0) break;
    }
    if (await stop()) break;
  }
  return recorder;
}

/** One copy's legal actions with equal probability, points of a box uniformly. */
function actAtRandom(meta: EnvMeta, spaces: readonly ActionSpace[], rng: Rng, copy: number, { mask }: StepBuffers, actions: Actions): void {
  spaces.forEach((space, a) => {
    const row = copy * meta.agentCount + a;
    if (space.kind === 'discrete') actions[row * meta.actionSize] = randomAction(rng, space.n, mask, row * meta.actionCount);
    else
      for (let d = 0; d < space.size; d++)
        actions[row * meta.actionSize + d] = space.low[d]! + (space.high[d]! - space.low[d]!) * rng.uniform();
  });
}

/** Acts at random in every step. */
export function randomMover(meta: EnvMeta, rng: Rng): Mover {
  const spaces = perAgent(meta, (group) => group.action);
  return (_, buffers, actions) => actAtRandom(meta, spaces, rng, 0, buffers, actions);
}

/** `move`, but in a share of the steps of each of `copies` copies all act at random: a player who errs. */
export function erring(move: Mover, errors: number, meta: EnvMeta, rng: Rng, copies = 1): Mover {
  if (errors === 0) return move;
  const spaces = perAgent(meta, (group) => group.action);
  return async (env, buffers, actions, first) => {
    await move(env, buffers, actions, first);
    for (let copy = 0; copy < copies; copy++) if (rng.uniform() < errors) actAtRandom(meta, spaces, rng, copy, buffers, actions);
  };
}

/** The environment's own player: the first of its scripted policies. Throws LabError('incompatible') where it has none. */
export function scriptedMover(entry: EnvEntry, config: JsonObject, name = entry.policyNames[0]): Mover {
  const policy = name === undefined ? undefined : entry.policies(config)[name];
  if (policy !== undefined) return (env, buffers, actions) => policy.act(env, buffers, actions);
  throw fail(
    'incompatible',
    name === undefined ? `${entry.title} has no scripted player to learn from.` : `${entry.title} has no scripted player "${name}".`,
    entry.policyNames.length > 0
      ? `There are: ${entry.policyNames.join(', ')}.`
      : 'Record a dataset on the Data page and choose it, or take random play.',
    'algo.dataset',
  );
}

/** The grades that need nothing but the environment. */
export const OWN_GRADES = ['expert', 'medium', 'random', 'mixed'] as const satisfies readonly Grade[];
export type OwnGrade = (typeof OWN_GRADES)[number];

/** Play of one of these grades by the environment's own player, `errors` being the share of random steps of a medium one. */
export async function recordGrade(recording: Recording, grade: OwnGrade, errors: number, player?: string): Promise<Dataset> {
  const { entry, config, steps, seed } = recording;
  const meta = entry.meta(config);
  const rng = Rng.from(seed).split('recording');
  const expert = (): Mover => scriptedMover(entry, config, player);
  const medium = (): Mover => erring(expert(), errors, meta, rng);
  const parts: readonly Mover[] =
    grade === 'random'
      ? [randomMover(meta, rng)]
      : grade === 'expert'
        ? [expert()]
        : grade === 'medium'
          ? [medium()]
          : [randomMover(meta, rng), medium(), expert()];
  const recorder = new DatasetRecorder(entry, config, meta);
  const each = Math.ceil(steps / parts.length);
  for (const move of parts) await recordPlay({ ...recording, steps: each, seed: seed + recorder.episodes }, move, recorder);
  return recorder.finish({
    title: `${entry.title}, ${grade}`,
    who: grade === 'random' ? 'random' : 'script',
    player: grade === 'random' ? 'random actions' : (player ?? entry.policyNames[0] ?? ''),
    grade,
    licence: 'CC0-1.0',
    seed,
  });
}
