/**
 * Actions in a box: learners work in [-1, 1] per dimension, environments get centre + half * action. And the policies that act so.
 */

import { fail, present } from '#contract/kit/errors.ts';
import { add, mul, tanh as tanhOf } from '#core/engine/ops.ts';
import type { Program, Shape, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { chunkSize, policyPrograms } from '#core/nets/chunks.ts';
import { type SplitNetwork, splitNetwork } from '#core/nets/split-network.ts';
import { exp, log, tanh } from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { checkBufferSize, checkSameAgents } from '../api/guards.ts';
import type { Policy } from '../api/types.ts';

interface Box {
  readonly centre: Float32Array; // [D]
  readonly half: Float32Array; // [D]
}

/** Of every agent in turn, [A * D]; dimensions that an agent does not have are 0 +- 1. */
export function boxOf(meta: EnvMeta): Box {
  const D = meta.actionSize;
  const centre = new Float32Array(meta.agentCount * D);
  const half = new Float32Array(meta.agentCount * D).fill(1);
  let agent = 0;
  for (const group of meta.agents) {
    for (let k = 0; k < group.count; k++, agent++) {
      if (group.action.kind !== 'box') continue;
      group.action.low.forEach((low, d) => {
        const high = (group.action as { readonly high: readonly number[] }).high[d]!;
        centre[agent * D + d] = (low + high) / 2;
        half[agent * D + d] = (high - low) / 2;
      });
    }
  }
  return { centre, half };
}

/** Whether all actions are numbers with bounds. */
export const isBounded = (meta: EnvMeta): boolean =>
  meta.agents.every(({ action }) => action.kind === 'box' && [...action.low, ...action.high].every(Number.isFinite));

/**
 * What learners of continuous actions with one network need: bounded boxes, agents that are alike, and a buffer that fits.
 * Throws LabError('incompatible' | 'config-invalid').
 */
export function checkBox(meta: EnvMeta, title: string, bufferSize: number): void {
  if (!isBounded(meta))
    throw fail('incompatible', `${title} learns continuous actions with bounds.`, 'Choose another environment or algorithm.', 'env.id');
  checkSameAgents(meta, title);
  checkBufferSize(bufferSize, 2 * meta.obsSize + meta.actionSize + 2);
}

/** Throws LabError('incompatible') for environments whose recorded rows are not enough: turns, masks, agents that differ, actions without bounds. */
export function checkRecordable(meta: EnvMeta, title: string): void {
  checkSameAgents(meta, title);
  const refuse = (why: string): Error =>
    fail('incompatible', `${title} learns from recorded rows, and ${why}.`, 'Choose another environment.', 'env.id');
  if (meta.turns === true) throw refuse('here players move in turn');
  if (meta.masked) throw refuse('here the legal actions change, which rows do not hold');
  if (meta.actionCount === 0 && !isBounded(meta)) throw refuse('here actions have no bounds');
}

/** Shape of `rows` actions as learners keep them. */
export const actionShape = (meta: EnvMeta, rows: number): Shape => (meta.actionCount > 0 ? [rows] : [rows, meta.actionSize]);

/** Actions of a recording or a step as learners keep them: whole numbers as they are, others clipped to the box in [-1, 1]; [..., A, D]. */
export function learnerActions(meta: EnvMeta, actions: ArrayLike<number>): Float32Array {
  const own = Float32Array.from(actions);
  if (meta.actionCount > 0) return own;
  const { centre, half } = boxOf(meta);
  const W = centre.length; // A * D
  for (let i = 0; i < own.length; i++) own[i] = Math.min(1, Math.max(-1, (own[i]! - centre[i % W]!) / half[i % W]!));
  return own;
}

/** The actions of one step of all environments. */
export interface BoxActions {
  readonly unit: Float32Array; // [B, A, D] in [-1, 1]: what is stored and learned from
  /** Anywhere in the box with equal probability. */
  drawUniform(rng: Rng): void;
  /** [B, A, D] in the environment's units; valid until the next call. */
  scaled(): Float32Array;
}

export function createBoxActions(meta: EnvMeta, numEnvs: number): BoxActions {
  const { centre, half } = boxOf(meta);
  const unit = new Float32Array(numEnvs * centre.length);
  const inBox = new Float32Array(unit.length);
  return {
    unit,
    drawUniform(rng) {
      for (let i = 0; i < unit.length; i++) unit[i] = 2 * rng.uniform() - 1;
    },
    scaled() {
      for (let i = 0; i < unit.length; i++) inBox[i] = centre[i % centre.length]! + half[i % half.length]! * unit[i]!;
      return inBox;
    },
  };
}

export interface BoxPolicyOptions {
  readonly meta: EnvMeta;
  compile(rows: number): Program;
  /** Standard deviation of the noise that a deterministic policy explores with, 1 is half the width of the box; clipped to the box. */
  readonly noise?: () => number;
  dispose?(): void;
}

/**
 * A program has the input `obs` [rows, O] and the outputs `mean` [rows, D], before a squashing tanh (with `logStd` [rows, D]) or already
 * in [-1, 1] (without), and `value` [rows] where there is one. Rows go through programs of a few sizes (nets/chunks.ts), compiled when first needed. What
 * the policy reports is in the environment's units.
 */
export function boxPolicy(options: BoxPolicyOptions): Policy {
  const { meta } = options;
  const { obsSize: O, actionSize: D, agentCount } = meta;
  const { centre, half } = boxOf(meta);
  const { whole, actor } = policyPrograms(options.compile);
  const cuts = new Map<string, SplitNetwork | null>();
  const none = new Float32Array(0);

  /** The mean action of an agent in the environment's units. */
  const scaled =
    (agent: number) =>
    (outputs: { readonly [name: string]: Tensor }): Tensor => {
      const mean = present(outputs.mean, 'the output "mean"');
      const of = (values: Float32Array): Tensor => mean.graph.constant(values.slice(agent * D, (agent + 1) * D), [1, D]);
      return add(mul(outputs.logStd === undefined ? mean : tanhOf(mean), of(half)), of(centre));
    };

  return {
    initial: () => none,
    async act({ rows, obs, rng, greedy, agent, valueless }) {
      const actions = new Float32Array(rows * D);
      const mean = new Float32Array(rows * D);
      const logStd = new Float32Array(rows * D);
      let value: Float32Array | undefined;
      for (let from = 0; from < rows; ) {
        const size = chunkSize(rows - from);
        const program = valueless === true ? actor(size) : whole(size);
        const count = Math.min(size, rows - from);
        const into = present(program.in.obs, 'the input "obs"');
        into.fill(0);
        into.set(obs.subarray(from * O, (from + count) * O));
        const pending = program.run();
        if (pending) await pending;
        const judged = program.out.value;
        if (judged !== undefined) (value ??= new Float32Array(rows)).set(judged.subarray(0, count), from);
        const centres = present(program.out.mean, 'the output "mean"');
        const spreads = program.out.logStd;
        for (let i = 0; i < count * D; i++) {
          const to = from * D + i;
          const at = (agent[Math.floor(to / D)]! % agentCount) * D + (i % D);
          const m = centres[i]!;
          let unit = spreads === undefined ? m : tanh(m);
          mean[to] = centre[at]! + half[at]! * unit;
          if (spreads !== undefined) {
            // Half the distance between one standard deviation to either side: the squashed Gaussian near its middle.
            const std = exp(spreads[i]!);
            logStd[to] = log(Math.max(1e-6, (half[at]! * (tanh(m + std) - tanh(m - std))) / 2));
            if (!greedy) unit = tanh(m + std * normal(rng));
          } else {
            const noise = options.noise?.() ?? 0;
            logStd[to] = log(Math.max(1e-6, half[at]! * noise));
            if (!greedy) unit = Math.min(1, Math.max(-1, m + noise * normal(rng)));
          }
          actions[to] = centre[at]! + half[at]! * unit;
        }
        from += count;
      }
      return { actions, hidden: none, mean, logStd, ...(value !== undefined && { value }) };
    },
    split(output, agent) {
      const key = `${output} ${agent}`;
      let found = cuts.get(key);
      if (found === undefined) {
        const feed = (obs: Float32Array, from: number, count: number, into: Float32Array): void =>
          into.set(obs.subarray(from * O, (from + count) * O));
        cuts.set(key, (found = splitNetwork({ program: whole, feed, scale: scaled(agent) }, output)));
      }
      return found;
    },
    network(agent) {
      const of = (values: Float32Array): number[] => [...values.subarray(agent * D, (agent + 1) * D)];
      const box = { form: 'scaled', centre: of(centre), half: of(half) } as const;
      return { program: options.compile, obsWidth: O, number: [], normaliser: null, box };
    },
    dispose() {
      options.dispose?.();
    },
  };
}
