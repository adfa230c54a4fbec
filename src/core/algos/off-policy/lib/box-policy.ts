/**
 * Policies that act in a box. Their program has the input `obs` [rows, O] and the outputs `mean` [rows, D], before a squashing tanh or
 * already in [-1, 1], perhaps `logStd` [rows, D], and `value` [rows]. What they report is in the environment's units.
 */

import { add, mul, tanh as tanhOf } from '#core/engine/ops.ts';
import type { Program, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { chunkSize, policyPrograms } from '#core/nets/chunks.ts';
import { type SplitNetwork, splitNetwork } from '#core/nets/split-network.ts';
import { exp, log, tanh } from '#math/functions.ts';
import { normal } from '#math/sampling.ts';
import type { Policy } from '../../api/types.ts';
import { boxOf } from './box.ts';

export interface BoxPolicyOptions {
  readonly meta: EnvMeta;
  compile(rows: number): Program;
  /** Deviation of the noise that a deterministic policy explores with, in units of the box; the draw is cut to the box. */
  readonly noise?: () => number;
  dispose?(): void;
}

/** Rows go through programs of a few sizes (chunks.ts), compiled when first needed. */
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
    ({ mean, logStd }: { readonly [name: string]: Tensor }): Tensor => {
      const of = (values: Float32Array): Tensor => mean!.graph.constant(values.slice(agent * D, (agent + 1) * D), [1, D]);
      return add(mul(logStd === undefined ? mean! : tanhOf(mean!), of(half)), of(centre));
    };

  return {
    initial: () => none,
    async act({ rows, obs, rng, greedy, agent, valueless }) {
      const actions = new Float32Array(rows * D);
      const mean = new Float32Array(rows * D);
      const logStd = new Float32Array(rows * D);
      const value = new Float32Array(valueless === true ? 0 : rows);
      for (let from = 0; from < rows; ) {
        const size = chunkSize(rows - from);
        const program = valueless === true ? actor(size) : whole(size);
        const count = Math.min(size, rows - from);
        const into = program.in.obs!;
        into.fill(0);
        into.set(obs.subarray(from * O, (from + count) * O));
        const pending = program.run();
        if (pending) await pending;
        if (valueless !== true) value.set(program.out.value!.subarray(0, count), from);
        const centres = program.out.mean!;
        const spreads = program.out.logStd;
        for (let i = 0; i < count * D; i++) {
          const to = from * D + i;
          const at = (agent[Math.floor(to / D)]! % agentCount) * D + (i % D);
          const m = centres[i]!;
          let unit = spreads === undefined ? m : tanh(m);
          mean[to] = centre[at]! + half[at]! * unit;
          if (spreads !== undefined) {
            // Half the distance between one deviation to either side: what a squashed Gaussian looks like near its middle.
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
      return { actions, hidden: none, mean, logStd, ...(valueless !== true && { value }) };
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
    dispose() {
      options.dispose?.();
    },
  };
}
