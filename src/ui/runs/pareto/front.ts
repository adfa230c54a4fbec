/** A front as it is looked at: equal policies as one point, which weights choose it, and where it stands among the others. */

import { type Front, nearestWeights } from '#contract/files/pareto.ts';
import { present } from '#contract/kit/errors.ts';

export interface Choice {
  readonly value: readonly number[];
  /** Indices in front.points of the weightings whose policy gets this. */
  readonly weightings: readonly number[];
  /** Another one is at least as good everywhere and better somewhere. */
  readonly dominated: boolean;
}

const key = (value: readonly number[]): string => value.map((x) => x.toPrecision(9)).join();

export function choicesOf({ points }: Front): readonly Choice[] {
  const groups = new Map<string, { value: readonly number[]; weightings: number[] }>();
  points.forEach(({ value }, i) => {
    const found = groups.get(key(value));
    if (found === undefined) groups.set(key(value), { value, weightings: [i] });
    else found.weightings.push(i);
  });
  const all = [...groups.values()];
  const beats = (a: readonly number[], b: readonly number[]): boolean => a.every((x, k) => x >= b[k]!) && a.some((x, k) => x > b[k]!);
  return all.map((choice) => ({ ...choice, dominated: all.some(({ value }) => beats(value, choice.value)) }));
}

/** The choice that the policy of a weighting makes. */
function choiceOf(choices: readonly Choice[], weighting: number): Choice {
  return present(
    choices.find(({ weightings }) => weightings.includes(weighting)),
    `choice of weighting ${weighting}`,
  );
}

/** The choice that the policy for these weights makes. */
export function choiceFor(front: Front, choices: readonly Choice[], weights: readonly number[]): Choice {
  const at = nearestWeights(
    front.points.map((p) => p.weights),
    weights,
  );
  return choiceOf(choices, at);
}

/** Weights in the middle of those that make this choice: what to ask for to get it safely. */
export function weightsFor(front: Front, choice: Choice): readonly number[] {
  return front.points[choice.weightings[Math.floor(choice.weightings.length / 2)]!]!.weights;
}

/** Known trade-offs that no policy of the list gets. */
export function missing(front: Front, choices: readonly Choice[]): Front['known'] {
  const got = new Set(choices.map(({ value }) => key(value.map((x) => Math.round(x * 1e4) / 1e4))));
  return front.known.filter(({ value }) => !got.has(key(value.map((x) => Math.round(x * 1e4) / 1e4))));
}

/** Of two objectives: runs of neighbouring weightings with one choice, by the weight of the first. */
export function stretches(
  front: Front,
  choices: readonly Choice[],
): readonly { readonly from: number; readonly to: number; readonly choice: Choice }[] {
  const order = front.points.map((p, i) => ({ i, w: p.weights[0]! })).sort((a, b) => a.w - b.w);
  const out: { from: number; to: number; choice: Choice }[] = [];
  for (const { i, w } of order) {
    const choice = choiceOf(choices, i);
    const last = out.at(-1);
    if (last?.choice === choice) last.to = w;
    else out.push({ from: w, to: w, choice });
  }
  return out;
}
