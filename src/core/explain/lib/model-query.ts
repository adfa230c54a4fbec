/**
 * Asks a policy about made-up observations of one agent, and reads the one number of its answers that is explained: from the network
 * itself, cut behind its first sums, where the policy lets it be seen (the same answers within 1e-5), else from what the policy says.
 */

import type { FeatureQuestion } from '#contract/explain/explain.ts';
import { fail, present } from '#contract/kit/errors.ts';
import type { SplitNetwork, SplitOutput } from '#core/nets/split-network.ts';
import { Rng } from '#math/rng.ts';
import type { Act, Policy } from '../../algos/api/types.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import { probabilities } from '../../run/inspect.ts';

/** Rows that the policy is asked about at once. */
export const ROWS = 512;

export interface ModelQueryOptions {
  readonly policy: Policy;
  readonly meta: EnvMeta;
  readonly question: FeatureQuestion;
  /** Legal actions where they are limited. */
  readonly mask?: Uint8Array; // [N]
  /** What the agent remembers; a new episode's memory where it is left out. */
  readonly hidden?: Float32Array;
  /** For `outcome`: what each action is worth, NaN where it is not allowed. */
  readonly actionReturns?: readonly number[];
}

export class ModelQuery {
  readonly options: ModelQueryOptions;
  /** The network's own output, and which; null: the policy is asked. */
  readonly split: SplitNetwork | null = null;
  private readonly output: SplitOutput = 'value';
  /** The action or dimension that is explained. */
  action = 0;

  constructor(options: ModelQueryOptions) {
    this.options = options;
    const { policy, meta, question, hidden } = options;
    this.action = question.action ?? 0;
    if (policy.split === undefined || hidden !== undefined) return;
    const first: SplitOutput = question.about === 'prediction' ? 'value' : meta.actionCount > 0 ? 'probs' : 'mean';
    for (const output of [first, 'q'] as const) {
      const found = policy.split(output, question.agent);
      if (found === null) continue;
      this.split = found;
      this.output = output;
      return;
    }
  }

  /** Whether nothing is left to ask the policy: the question names the action, and the network itself tells its number. */
  get settled(): boolean {
    return this.split !== null && this.options.question.action !== null;
  }

  /** The explained number; the action that the policy takes becomes the one that is explained unless the question names another. */
  async evaluate(obs: Float32Array): Promise<number> {
    const { meta, question } = this.options;
    const act = await this.ask(obs, 1);
    this.action = question.action ?? (meta.actionCount > 0 ? act.actions[0]! : 0);
    return this.read(act, 0);
  }

  /** The explained number at each of these observations [rows, O]. */
  async outputs(obs: Float32Array, rows: number): Promise<Float64Array> {
    const out = new Float64Array(rows);
    if (this.split !== null) {
      this.numbers(await this.split.outputs(await this.split.preActivations(obs, rows), rows, this.options.mask), rows, out, 0);
      return out;
    }
    const { obsSize } = this.options.meta;
    for (let from = 0; from < rows; from += ROWS) {
      const count = Math.min(ROWS, rows - from);
      const act = await this.ask(obs.subarray(from * obsSize, (from + count) * obsSize), count);
      for (let row = 0; row < count; row++) out[from + row] = this.read(act, row);
    }
    return out;
  }

  /** The same from what the cut network gives [rows, D], to `out` from `at`. */
  numbers(found: Float32Array, rows: number, out: Float64Array, at: number): void {
    const { mask, question, meta } = this.options;
    const { action, output } = this;
    const { width } = present(this.split, 'cut network');
    if (output === 'value' || question.about === 'behaviour') {
      const column = output === 'value' ? 0 : action;
      for (let row = 0; row < rows; row++) out[at + row] = column < width ? found[row * width + column]! : 0;
    } else if (output === 'q') {
      const q = new Float32Array(meta.actionCount).fill(Number.NEGATIVE_INFINITY);
      for (let row = 0; row < rows; row++) {
        q.set(found.subarray(row * width, (row + 1) * width));
        out[at + row] = this.read({ actions: new Int32Array(1), hidden: q, q }, 0);
      }
    } else {
      const { actionReturns } = this;
      for (let row = 0; row < rows; row++) {
        let sum = 0;
        for (let a = 0; a < width; a++) if (mask?.[a] !== 0) sum += found[row * width + a]! * actionReturns[a]!;
        out[at + row] = sum;
      }
    }
  }

  /** Slope of the explained number along each first sum at these sums [W]; null: it is no weighted sum of outputs. */
  async slope(sums: Float32Array): Promise<Float32Array | null> {
    const { mask, question } = this.options;
    const { action, output, split } = this;
    if (split === null || (output === 'q' && question.about !== 'behaviour')) return null;
    const weights = new Float32Array(split.width);
    if (output === 'value') weights[0] = 1;
    else if (question.about === 'behaviour') weights[action] = 1;
    else {
      const { actionReturns } = this;
      for (let a = 0; a < weights.length; a++) weights[a] = mask?.[a] === 0 ? 0 : actionReturns[a]!;
    }
    return split.slope(sums, weights, mask);
  }

  private async ask(obs: Float32Array, count: number): Promise<Act> {
    const { policy, question, mask, hidden } = this.options;
    const start = policy.initial(count).slice();
    if (hidden !== undefined) for (let i = 0; i < count; i++) start.set(hidden, i * hidden.length);
    const agent = new Int32Array(count).fill(question.agent);
    const valueless = question.about !== 'prediction';
    const query = { obs, agent, hidden: start, rng: Rng.from(0), rows: count, greedy: true, valueless };
    if (mask === undefined) return policy.act(query);
    const masks = new Uint8Array(count * mask.length);
    for (let i = 0; i < count; i++) masks.set(mask, i * mask.length);
    return policy.act({ ...query, mask: masks });
  }

  /** What each action is worth, for `outcome`. */
  private get actionReturns(): readonly number[] {
    const { actionReturns } = this.options;
    if (actionReturns === undefined)
      throw fail('internal', 'What actions are worth was not given.', 'Pass the action values along with the observation.');
    return actionReturns;
  }

  private read(act: Act, row: number): number {
    const { meta, question, mask } = this.options;
    const { action } = this;
    const { actionCount: n, actionSize } = meta;
    const legal = (a: number): boolean => mask === undefined || mask[a] !== 0;
    if (question.about === 'prediction') {
      if (act.value !== undefined) return act.value[row]!;
      if (act.q !== undefined) {
        let best = Number.NEGATIVE_INFINITY;
        for (let a = 0; a < n; a++) if (legal(a)) best = Math.max(best, act.q[row * n + a]!);
        return best;
      }
      throw fail('incompatible', 'This policy expects nothing: it has no value estimate.', 'Ask about its behaviour instead.', 'about');
    }
    const probs = n === 0 ? null : probabilities({ ...act, ...rowOf(act, row, n) }, 0, n, mask);
    if (question.about === 'outcome') {
      const { actionReturns } = this;
      let sum = 0;
      for (let a = 0; a < n; a++) if (legal(a)) sum += (probs?.[a] ?? (act.actions[row] === a ? 1 : 0)) * actionReturns[a]!;
      return sum;
    }
    if (n === 0) return act.mean?.[row * actionSize + action] ?? act.actions[row * actionSize + action]!;
    // a policy that only ranks actions has no probabilities worth the name: its action values say more
    if (act.logits === undefined && act.q !== undefined) return act.q[row * n + action]!;
    return probs?.[action] ?? (act.actions[row * actionSize] === action ? 1 : 0);
  }
}

function rowOf(act: Act, row: number, n: number): Partial<Act> {
  return {
    ...(act.logits && { logits: act.logits.subarray(row * n, (row + 1) * n) }),
    ...(act.q && { q: act.q.subarray(row * n, (row + 1) * n) }),
  };
}
