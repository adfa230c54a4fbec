/** Numbers of an explanation: what a policy says about one state, put into rows a view can draw. Pure. */
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { Inspection } from '#contract/session/session.ts';
import { t } from '#text/text.ts';

export interface ActionRow {
  readonly action: number;
  readonly label: string;
  /** 0..1; NaN when the policy gives no probabilities. */
  readonly probability: number;
  /** NaN when the policy has no action values. */
  readonly q: number;
  readonly chosen: boolean;
}

/** The choice above the actions, where the method makes one. */
export function skillsOf({ extras }: Pick<Inspection, 'extras'>): {
  readonly labels: readonly string[];
  readonly probabilities: Float32Array;
  readonly chosen: number;
} | null {
  const found = extras.find(({ card }) => card.kind === 'logits');
  if (found === undefined) return null;
  const current = extras.find(({ card }) => card.id === found.card.chosen);
  return { labels: found.card.labels, probabilities: found.values, chosen: current?.values[0] ?? -1 };
}

/** One row per skill or discrete action of the first agent; empty for continuous actions. */
export function actionRows(inspection: Inspection, env: EnvCard): readonly ActionRow[] {
  const { probs, q, chosen } = inspection;
  const skills = skillsOf(inspection);
  if (skills !== null) {
    const row = (label: string, action: number): ActionRow => ({
      action,
      label,
      probability: skills.probabilities[action] ?? Number.NaN,
      q: Number.NaN,
      chosen: skills.chosen === action,
    });
    return skills.labels.map((label, i) => row(t(label), i));
  }
  if (env.action.kind !== 'discrete') return [];
  return Array.from({ length: env.action.n }, (_, action) => ({
    action,
    label: t(env.action.labels[action] ?? String(action)),
    probability: probs?.[action] ?? Number.NaN,
    q: q?.[action] ?? Number.NaN,
    chosen: chosen[0] === action,
  }));
}

/** Shannon entropy in nats; NaN without probabilities. */
export function entropy(probabilities: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < probabilities.length; i++) {
    const p = probabilities[i]!;
    if (Number.isNaN(p)) return Number.NaN;
    if (p > 0) sum -= p * Math.log(p);
  }
  return sum;
}

/** Bar lengths 0..1 for action values: the worst has none, the best a full one; equal values have half. */
export function barShares(values: readonly number[]): readonly number[] {
  const known = values.filter(Number.isFinite);
  const low = Math.min(...known);
  const high = Math.max(...known);
  return values.map((v) => (Number.isFinite(v) ? (high > low ? 0.04 + 0.96 * ((v - low) / (high - low)) : 0.5) : 0));
}
