/**
 * Measures a policy: whole episodes on fixed seeds, all started together and all waited for (so short ones are not favoured),
 * on copies of their own. The same seeds for every algorithm and checkpoint.
 */

import { Rng } from '#math/rng.ts';
import { mean } from '#math/stats.ts';
import type { Policy } from '../algos/api/types.ts';
import { createActions, createBuffers } from '../envs/api/buffers.ts';
import { paidOf, scoreOf } from '../envs/api/score.ts';
import type { Actions, EnvEntry, Environment, EnvMeta, ScriptedPolicy, StepBuffers, TabularModel } from '../envs/api/types.ts';

export interface Evaluation {
  /** Mean score over episodes. */
  readonly score: number;
  readonly scores: Float64Array; // [episodes]
  readonly lengths: Int32Array; // [episodes]
  readonly returns: Float64Array; // [episodes * agents]
  readonly perAgent: readonly number[]; // mean return of each agent
  /** Episodes still going at evalMaxSteps; their return so far counts. */
  readonly loops: number;
  /** What the environment measures of an episode (EnvMeta.measures): means over the finished episodes where a measure has a meaning. */
  readonly measures: Readonly<Record<string, number>>;
}

/** Of the first episode of every evaluation: far from training seeds, which are small. */
export const FIRST_SEED = 1_000_003;

/** Moves every agent of every copy for one step. */
type Mover = (env: Environment, buffers: StepBuffers, actions: Actions) => void | Promise<void>;

/** Whole episodes of a policy. Throws what the environment throws for its config. */
export async function evaluate(
  policy: Policy,
  entry: EnvEntry,
  config: unknown,
  options: { readonly episodes: number; readonly greedy?: boolean; readonly firstSeed?: number },
): Promise<Evaluation> {
  const firstSeed = options.firstSeed ?? FIRST_SEED;
  const agents = entry.meta(config).agentCount;
  const rows = options.episodes * agents;
  const agent = Int32Array.from({ length: rows }, (_, i) => i % agents);
  const rng = Rng.from(firstSeed).split('evaluation');
  let hidden = policy.initial(rows);
  return play(entry, config, options.episodes, firstSeed, async ({ meta }, buffers, actions) => {
    const query = { obs: buffers.obs, agent, hidden, rng, rows, greedy: options.greedy ?? true, paid: paidOf(meta, buffers) };
    const act = await policy.act(buffers.mask === undefined ? query : { ...query, mask: buffers.mask });
    actions.set(act.actions);
    hidden = act.hidden;
  });
}

/** Episodes played by a scripted policy of the environment: those of `evaluate`, or the `set`-th as many after them. */
export function evaluateScript(script: ScriptedPolicy, entry: EnvEntry, config: unknown, episodes: number, set = 0): Promise<Evaluation> {
  return play(entry, config, episodes, FIRST_SEED + set * episodes, (env, buffers, actions) => script.act(env, buffers, actions));
}

/** Whole episodes, or so many first steps of each, whose agents `move` moves. */
export function evaluateMoved(
  entry: EnvEntry,
  config: unknown,
  { episodes, firstSeed = FIRST_SEED, steps }: { readonly episodes: number; readonly firstSeed?: number; readonly steps?: number },
  move: Mover,
): Promise<Evaluation> {
  return play(entry, config, episodes, firstSeed, move, steps);
}

async function play(entry: EnvEntry, config: unknown, batch: number, firstSeed: number, move: Mover, most?: number): Promise<Evaluation> {
  await entry.prepare?.();
  const env = entry.create(config, batch);
  try {
    return await playAll(env, firstSeed, move, most);
  } finally {
    env.dispose?.();
  }
}

async function playAll(env: Environment, firstSeed: number, move: Mover, most = env.meta.evalMaxSteps): Promise<Evaluation> {
  const { batch } = env;
  const { meta } = env;
  const agents = meta.agentCount;
  const kinds = meta.rewards.length;
  const rows = batch * agents;
  const buffers = createBuffers(meta, batch);
  const actions = createActions(meta, batch);
  env.reset(
    Uint32Array.from({ length: batch }, (_, i) => firstSeed + i),
    buffers,
  );
  const returns = new Float64Array(rows);
  const lengths = new Int32Array(batch);
  const done = new Uint8Array(batch);
  const ended = new Uint8Array(batch);
  const names = (meta.measures ?? []).map(({ id }) => id);
  const measured = new Float64Array(batch * names.length).fill(Number.NaN); // [B, measures]
  let left = batch;
  for (let t = 0; t < most && left > 0; t++) {
    await move(env, buffers, actions);
    env.step(actions, buffers);
    let any = 0;
    for (let b = 0; b < batch; b++) {
      ended[b] = buffers.terminated[b] !== 0 || buffers.truncated[b] !== 0 ? 1 : 0;
      any |= ended[b]!;
      if (done[b] !== 0) continue;
      lengths[b]!++;
      for (let a = 0; a < agents; a++) {
        for (let k = 0; k < kinds; k++) returns[b * agents + a]! += buffers.reward[(b * agents + a) * kinds + k]!;
      }
      if (ended[b] !== 0) {
        done[b] = 1;
        left--;
        env.measure?.(b, measured, b * names.length);
      }
    }
    if (any !== 0 && left > 0) env.restart(ended, buffers); // finished copies go on unseen
  }
  const scores = Float64Array.from({ length: batch }, (_, b) => scoreOf(meta.score, returns, b * agents, agents));
  const perAgent = Array.from({ length: agents }, (_, a) => mean(Float64Array.from({ length: batch }, (_, b) => returns[b * agents + a]!)));
  const measures = Object.fromEntries(
    names.map((name, k) => [name, mean(Array.from({ length: batch }, (_, b) => measured[b * names.length + k]!).filter(Number.isFinite))]),
  );
  return { score: mean(scores), scores, lengths, returns, perAgent, loops: left, measures };
}

/**
 * Expected undiscounted return of a deterministic policy over `steps` steps, from the transition table: no sampling.
 * choice[s] is the action in state s.
 */
export function exactReturn(model: TabularModel, choice: Int32Array, steps: number): number {
  let here = model.start.slice();
  let total = 0;
  for (let t = 0; t < steps; t++) {
    const after = new Float64Array(model.states);
    for (let s = 0; s < model.states; s++) {
      const mass = here[s]!;
      if (mass === 0) continue;
      const cell = s * model.actions + choice[s]!;
      for (let i = model.offset[cell]!; i < model.offset[cell + 1]!; i++) {
        const p = mass * model.probability[i]!;
        total += p * model.reward[i]!;
        if (model.terminated[i] === 0) after[model.next[i]!]! += p;
      }
    }
    here = after;
  }
  return total;
}

/** What a policy does greedily in every state of a tabular environment. */
export async function greedyChoice(policy: Policy, meta: EnvMeta, states: number): Promise<Int32Array> {
  const obs = new Float32Array(states * meta.obsSize);
  for (let s = 0; s < states; s++) obs[s * meta.obsSize + s] = 1;
  const query = { obs, agent: new Int32Array(states), hidden: policy.initial(states), rng: Rng.from(0), rows: states, greedy: true };
  const act = await policy.act(query);
  return Int32Array.from(act.actions);
}
