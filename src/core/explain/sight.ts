/** Asks a policy about made-up observations of one agent, and reads the one number of its answers that is explained. */
import { fail } from '#contract/errors.ts';
import type { Feature, FeatureQuestion } from '#contract/explain.ts';
import type { Act, Policy } from '../algos/types.ts';
import type { EnvMeta } from '../envs/types.ts';
import { Rng } from '../math/rng.ts';
import { probabilities } from '../run/inspect.ts';

/** Rows that the policy is asked about at once. */
export const ROWS = 512;

export interface SightOptions {
  readonly policy: Policy;
  readonly meta: EnvMeta;
  readonly question: FeatureQuestion;
  /** Legal actions where they are limited. */
  readonly mask?: Uint8Array; // [N]
  /** What the agent remembers; a new episode's memory where it is left out. */
  readonly hidden?: Float32Array;
  /** For `outcome`: what each action is worth, NaN where it is not allowed. */
  readonly worth?: readonly number[];
}

export class Sight {
  private readonly options: SightOptions;
  /** The action or dimension that is explained. */
  action = 0;

  constructor(options: SightOptions) {
    this.options = options;
  }

  /** The action it takes, which becomes the one that is explained unless the question names another. */
  async look(obs: Float32Array): Promise<number> {
    const { meta, question } = this.options;
    const act = await this.ask([obs]);
    this.action = question.action ?? (meta.actionCount > 0 ? act.actions[0]! : 0);
    return this.read(act, 0);
  }

  /** The explained number at each of these observations, in as many calls as it takes. */
  async outputs(rows: readonly Float32Array[]): Promise<Float64Array> {
    const out = new Float64Array(rows.length);
    for (let from = 0; from < rows.length; from += ROWS) {
      const part = rows.slice(from, from + ROWS);
      const act = await this.ask(part);
      for (let row = 0; row < part.length; row++) out[from + row] = this.read(act, row);
    }
    return out;
  }

  private async ask(rows: readonly Float32Array[]): Promise<Act> {
    const { policy, meta, question, mask, hidden } = this.options;
    const count = rows.length;
    const obs = new Float32Array(count * meta.obsSize);
    rows.forEach((row, i) => {
      obs.set(row, i * meta.obsSize);
    });
    const start = policy.initial(count).slice();
    if (hidden !== undefined) for (let i = 0; i < count; i++) start.set(hidden, i * hidden.length);
    const agent = new Int32Array(count).fill(question.agent);
    const query = { obs, agent, hidden: start, rng: Rng.from(0), rows: count, greedy: true };
    if (mask === undefined) return policy.act(query);
    const masks = new Uint8Array(count * mask.length);
    for (let i = 0; i < count; i++) masks.set(mask, i * mask.length);
    return policy.act({ ...query, mask: masks });
  }

  private read(act: Act, row: number): number {
    const { meta, question, mask, worth } = this.options;
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
      if (worth === undefined) throw fail('internal', 'What actions are worth was not given.', 'Reload the page and ask again.');
      let sum = 0;
      for (let a = 0; a < n; a++) if (legal(a)) sum += (probs?.[a] ?? (act.actions[row] === a ? 1 : 0)) * worth[a]!;
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

/** The observation with the features of a coalition (`members` from `at`), the rest from another moment. */
export function mix(features: readonly Feature[], members: Uint8Array, at: number, obs: Float32Array, other: Float32Array): Float32Array {
  const out = other.slice();
  features.forEach((feature, i) => {
    if (members[at + i] === 1) for (const column of feature.columns) out[column] = obs[column]!;
  });
  return out;
}
