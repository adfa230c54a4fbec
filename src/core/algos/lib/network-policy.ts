/**
 * Policies that ask a network, row by row: rows go through programs of a few sizes (chunks.ts).
 * A program has the inputs `obs` [rows, O] and, where actions are masked, `mask` [rows, N]; its outputs are some of `logits`, `q`
 * [rows, N], `mean`, `logStd` [rows, D] and `value` [rows].
 */

import { fail } from '#contract/errors.ts';
import type { Saved } from '#contract/events.ts';
import { exp } from '#math/functions.ts';
import { argmax, categorical, normal, randomAction } from '#math/sampling.ts';
import type { Engine, ParamGroup, Program } from '../../engine/types.ts';
import { perAgent } from '../../envs/api/meta.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import type { Act, ActQuery, Policy } from '../api/types.ts';
import { giveRows, partOf, readRows, takeRows } from './chunks.ts';
import { type CutNetwork, type CutOutput, cutNetwork } from './cut-network.ts';
import { policyPrograms } from './policy-programs.ts';

const WIDTHS = ['logits', 'q', 'mean', 'logStd', 'value'] as const;

export interface NetworkPolicyOptions {
  readonly meta: EnvMeta;
  compile(rows: number): Program;
  /** Observations as the network wants them, in place (normalised, say). */
  prepare?(obs: Float32Array): void;
  /** What action values explore with when not greedy. */
  readonly epsilon?: () => number;
  dispose?(): void;
}

export function networkPolicy(options: NetworkPolicyOptions): Policy {
  const { meta } = options;
  const { obsSize, actionCount: n, actionSize: d } = meta;
  const { whole, actor } = policyPrograms(options.compile);
  const cuts = new Map<CutOutput, CutNetwork | null>();
  const none = new Float32Array(0);
  const spaces = perAgent(meta, (group) => group.action);
  let asked = new Int32Array(0);

  async function forward({ rows, obs, mask, unread, valueless }: ActQuery): Promise<Record<string, Float32Array>> {
    const outputs: Record<string, Float32Array> = {};
    if (asked.length < rows) asked = new Int32Array(rows);
    const total = readRows(rows, unread, asked);
    for (let from = 0; from < total; ) {
      const size = partOf(total - from);
      const count = Math.min(size, total - from);
      const program = valueless === true ? actor(size) : whole(size);
      const into = program.in.obs!;
      takeRows(asked, from, count, obs, obsSize, into);
      options.prepare?.(into.subarray(0, count * obsSize));
      if (meta.masked) {
        if (mask === undefined) program.in.mask!.fill(1);
        else takeRows(asked, from, count, mask, n, program.in.mask!);
      }
      const pending = program.run();
      if (pending) await pending;
      for (const name of WIDTHS) {
        const found = program.out[name];
        if (found === undefined) continue;
        const width = found.length / size;
        giveRows(asked, from, count, found, width, (outputs[name] ??= new Float32Array(rows * width)));
      }
      from += count;
    }
    return outputs;
  }

  return {
    initial: () => none,
    async act(query): Promise<Act> {
      const outputs = await forward(query);
      const { logits, q, mean, logStd } = outputs;
      const { rows, rng, greedy, mask, unread } = query;
      let actions: Act['actions'];
      if (mean !== undefined && logStd !== undefined) {
        actions = new Float32Array(rows * d);
        for (let i = 0; i < rows * d; i++) {
          const space = spaces[query.agent[Math.floor(i / d)]!]!;
          const drawn = greedy ? mean[i]! : mean[i]! + exp(logStd[i]!) * normal(rng);
          const [low, high] = space.kind === 'box' ? [space.low[i % d]!, space.high[i % d]!] : [-1, 1];
          actions[i] = Math.min(high, Math.max(low, drawn));
        }
      } else {
        actions = new Int32Array(rows);
        for (let row = 0; row < rows; row++) {
          if (unread?.[row] === 1) continue;
          if (logits !== undefined) actions[row] = greedy ? argmax(logits, row * n, n) : categorical(logits, row * n, n, rng.uniform());
          else if (!greedy && rng.uniform() < (options.epsilon?.() ?? 0)) actions[row] = randomAction(rng, n, mask, row * n);
          else actions[row] = argmax(q as Float32Array, row * n, n, mask, row * n);
        }
      }
      return { actions, hidden: none, ...outputs };
    },
    cut(output) {
      let found = cuts.get(output);
      if (found === undefined) {
        const feed = (obs: Float32Array, from: number, count: number, into: Float32Array): void => {
          into.set(obs.subarray(from * obsSize, (from + count) * obsSize));
          options.prepare?.(into.subarray(0, count * obsSize));
        };
        cuts.set(output, (found = cutNetwork({ program: whole, feed }, output)));
      }
      return found;
    },
    dispose() {
      options.dispose?.();
    },
  };
}

/** The parameters of one group, by name: what a policy file holds. */
export async function readParams(engine: Engine, group: ParamGroup): Promise<Saved> {
  const arrays: Record<string, Float32Array> = {};
  for (const param of group.params) arrays[param.name] = await engine.read(param);
  return { meta: { group: group.name }, arrays };
}

/** Throws LabError('file-invalid') if a parameter is missing or has another size. */
export function writeParams(engine: Engine, group: ParamGroup, saved: Saved): void {
  for (const param of group.params) {
    const data = saved.arrays[param.name];
    const size = param.shape.reduce((a, b) => a * b, 1);
    if (!(data instanceof Float32Array) || data.length !== size) {
      throw fail(
        'file-invalid',
        `This policy does not fit its own settings: "${param.name}" is missing or has another size.`,
        'Save it again.',
      );
    }
    engine.write(param, data);
  }
}
