/** The three questions about a decision, which must not be mixed, and what was asked in words. Pure. */
import type { FeatureAttribution, FeatureQuestion } from '#contract/explain/explain.ts';
import type { ActionSpace } from '#contract/game/spaces.ts';
import { msg, t } from '#text/text.ts';
import { measure } from '#ui/kit/format/numbers.ts';

export const ABOUT: readonly { readonly id: FeatureQuestion['about']; readonly words: string; readonly hint: string }[] = [
  {
    id: 'behaviour',
    words: msg('what it does'),
    hint: msg('What the probability of this action rests on; not whether the action is good.'),
  },
  { id: 'prediction', words: msg('what it expects'), hint: msg('What the value estimate rests on; not why the agent acts as it does.') },
  {
    id: 'outcome',
    words: msg('what comes of it'),
    hint: msg('What seeing each thing is worth: the return if it had to choose here without it, and went on as usual.'),
  },
];

export const METHODS: readonly { readonly id: FeatureQuestion['method']; readonly words: string }[] = [
  { id: 'orders', words: msg('orders and their reverses') },
  { id: 'kernel', words: msg('KernelSHAP') },
];

/** What the numbers measure, as the subject of a sentence. */
export function measured({ question, action }: Pick<FeatureAttribution, 'question' | 'action'>, space: ActionSpace): string {
  const label = t(space.labels[action] ?? String(action));
  if (question.about === 'prediction') return t('the return it expects');
  if (question.about === 'outcome') return t('the return that follows');
  return space.kind === 'discrete' ? t('how likely it finds "{action}"', { action: label }) : t('its {action}', { action: label });
}

const NAMED = 3;
/** Of the number that is explained: where no share is larger, nothing stands out. */
const LEAST_SHARE = 0.02;

/** The answer in a sentence: what speaks for it most and what against, of shares that are surely not zero. */
export function because({ features, value, halfWidth, question, base, output }: FeatureAttribution): string {
  const sure = features
    .map(({ name }, i) => ({ name, share: value[i]!, half: halfWidth[i]! }))
    .filter(({ share, half }) => Math.abs(share) > half)
    .sort((a, b) => Math.abs(b.share) - Math.abs(a.share));
  const least = LEAST_SHARE * Math.max(Math.abs(base), Math.abs(output));
  if (!sure.some(({ share }) => Math.abs(share) > least))
    return t('Nothing it sees stands out here: at other moments it would do about the same.');
  const list = (sign: number): string =>
    sure
      .filter(({ share }) => share * sign > 0)
      .slice(0, NAMED)
      .map(({ name, share }) => `${t(name)} (${share > 0 ? '+' : ''}${measure(share, 2).replace('-', '−')})`)
      .join('; ');
  const [more, less] = [list(1), list(-1)];
  const chosen = question.about === 'behaviour';
  return [
    more === '' ? '' : chosen ? t('For it speaks most: {what}.', { what: more }) : t('What raises it most: {what}.', { what: more }),
    less === '' ? '' : chosen ? t('Against it: {what}.', { what: less }) : t('What lowers it most: {what}.', { what: less }),
  ]
    .filter(Boolean)
    .join(' ');
}

interface Step {
  readonly name: string;
  /** -1: several. */
  readonly feature: number;
  readonly from: number;
  readonly to: number;
  readonly halfWidth: number;
}

/** From the mean over other moments to the number here: the largest shares first, the rest as one. */
export function waterfall(of: FeatureAttribution, most: number): readonly Step[] {
  const order = of.features.map((_, i) => i).sort((a, b) => Math.abs(of.value[b]!) - Math.abs(of.value[a]!));
  const steps: Step[] = [];
  let at = of.base;
  for (const i of order.slice(0, most)) {
    steps.push({ name: of.features[i]!.name, feature: i, from: at, to: at + of.value[i]!, halfWidth: of.halfWidth[i]! });
    at += of.value[i]!;
  }
  const others = order.slice(most);
  if (others.length > 0) {
    const rest = others.reduce((sum, i) => sum + of.value[i]!, 0);
    steps.push({ name: t('{n} more', { n: others.length }), feature: -1, from: at, to: at + rest, halfWidth: Number.POSITIVE_INFINITY });
  }
  return steps;
}

/** For a beeswarm: the features that matter most over all frames. */
export function leading(points: readonly FeatureAttribution[], most: number): readonly number[] {
  const total = points[0]!.features.map((_, i) => points.reduce((sum, { value }) => sum + Math.abs(value[i]!), 0));
  return total
    .map((_, i) => i)
    .sort((a, b) => total[b]! - total[a]!)
    .slice(0, most);
}

/** 0 for the lowest, 1 for the highest of these numbers; equal ones share their place. */
export function ranks(values: readonly number[]): readonly number[] {
  const sorted = [...new Set(values)].sort((a, b) => a - b);
  return values.map((v) => (sorted.length < 2 ? 0.5 : sorted.indexOf(v) / (sorted.length - 1)));
}
