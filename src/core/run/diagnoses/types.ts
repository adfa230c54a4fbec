/** What a rule reads of a run, and what it answers. Plain numbers in, so that the same run is judged alike on every machine. */
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { fieldAt } from '#contract/catalog/field-check.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { Finding, Way } from '#contract/run/findings.ts';
import { getAt } from '#contract/run/paths.ts';
import type { EnvMeta } from '../../envs/api/types.ts';

/** The settings a run is trained with, as they are now. */
export interface RunSettings {
  readonly budget: number; // environment steps
  readonly algo: JsonObject;
  readonly algoDefaults: JsonObject;
  readonly algoSchema: FieldSchema;
  readonly env: JsonObject;
  readonly envDefaults: JsonObject;
  readonly meta: EnvMeta;
}

/** Of the environments that a run trains in, over some steps. */
export interface Tally {
  /** Rewards, one per copy, agent and kind. */
  readonly rewards: number;
  /** Sum of their squares. */
  readonly squares: number;
  readonly largest: number; // absolute
  readonly ended: number; // episodes
  readonly truncated: number; // of them: ended by a time limit only
}

export interface RunEvidence extends RunSettings {
  readonly step: number;
  /** Where these settings began to train: 0, or the step that a fork goes on from. */
  readonly begun: number;
  readonly share: number; // done of the budget from there on
  readonly episodes: number;
  /** Rows with a return so far. */
  readonly rows: number;
  /** Median over the last rows that have this metric; NaN where fewer than five do. */
  median(metric: string): number;
  /** Largest KL divergence of an update so far, and where; null: none reported. */
  readonly largestKl: { readonly value: number; readonly step: number } | null;
  /** Whether a finding of this rule stands: evidence that was there once need not be there again. */
  stands(rule: string): boolean;
  /** Mean return over the last episodes: at first, lowest, highest, now; null: none yet. */
  readonly returns: { readonly first: number; readonly low: number; readonly high: number; readonly now: number } | null;
  /** The return is as low as at first, or has fallen again. */
  readonly returnDropped: boolean;
  /** That in words. */
  harm(): string;
  /** Of the whole run; `recent`: of the last rows. */
  readonly tally: Tally;
  readonly recent: Pick<Tally, 'ended' | 'truncated'>;
  /** Copies of networks into their targets, as far as the method counts them, and the step of the newest; null: it does not. */
  readonly copies: { readonly count: number; readonly last: number } | null;
}

export interface Diagnosis extends Pick<Finding, 'evidence' | 'sure' | 'ways'> {
  /** The setting at fault: what was trained since it has its value is ill. Without it the evidence began with the rows it rests on. */
  readonly fault?: string;
}

export interface Rule {
  readonly id: string;
  readonly title: string;
  /** Why a finding no longer holds. */
  readonly over: string;
  /** Rules whose standing finding explains this one: it is not given beside them. */
  readonly explainedBy?: readonly string[];
  /** null: nothing speaks for it now. */
  look(symptoms: RunEvidence): Diagnosis | null;
}

/** A number setting of the method, of a variant by dots ('distribution.low'); undefined where it has none of that name, or it is not set. */
export function setting({ algo }: Pick<RunSettings, 'algo'>, key: string): number | undefined {
  const value = getAt(algo, key.split('.'));
  return typeof value === 'number' ? value : undefined;
}

/** "learning rate (algo.lr)" as the form names it. */
export function fieldName({ algoSchema }: Pick<RunSettings, 'algoSchema'>, key: string): string {
  return fieldAt(algoSchema, key.split('.'))?.title ?? key;
}

/** The setting back at its default where it lies above, else a tenth of what it is. */
export function lower(settings: RunSettings, key: string, begin: Way['begin'] = 'state'): readonly Way[] {
  const value = setting(settings, key);
  const usual = settings.algoDefaults[key];
  if (value === undefined) return [];
  const to = typeof usual === 'number' && value > usual ? usual : Number((value / 10).toPrecision(3));
  const words = to === usual ? `${fieldName(settings, key)} back to ${to}` : `${fieldName(settings, key)} ${to}, a tenth`;
  return [{ text: words, path: `algo.${key}`, value: to, begin }];
}

/** A number in a sentence. */
export function say(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6 || (size > 0 && size < 1e-3)) return value.toExponential(1).replace('e+', 'e');
  if (size >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}

export const percent = (share: number): string => `${Number((100 * share).toPrecision(share > 0.999 && share < 1 ? 6 : 3))} %`;
