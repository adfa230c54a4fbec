/** What the checks of a verdict read of arms, and what they find. */
import type { ScoreVoid } from './rule.ts';

/** What is known of an arm beside its scores. */
export interface ArmFacts {
  /** Environment steps of one run; null: nothing is trained. */
  readonly steps: number | null;
  /** Numbers that one run learns; null: not counted or nothing is learned. */
  readonly parameters: number | null;
  /** Configurations tried for this arm, on other seeds, before its settings were fixed; null: nothing to tune. */
  readonly trials: number | null;
  /** In its world, in the unit of the quantity. */
  readonly random?: number | undefined;
  readonly ceiling?: number | undefined;
  /** Score that it must reach before "no worse than it" says anything. */
  readonly competent?: number | undefined;
  /** Mean of the last fifth of its training less that of the fifth before, mean over seeds. */
  readonly rise?: number | undefined;
  /** Its config, and what each seed ended with: two arms of other configs that end alike differ in nothing that acted. */
  readonly config?: string;
  readonly learned?: readonly string[];
}

export type CheckId =
  | 'seeds'
  | 'random'
  | 'ceiling'
  | 'headroom'
  | 'rising'
  | 'competence'
  | 'acts'
  | 'steps'
  | 'parameters'
  | 'trials'
  | ScoreVoid['check'];

/** A check that failed, in words. */
export interface Void {
  readonly check: CheckId;
  readonly text: string;
}

/** Which scores are good, and what bounds them; an arm in another world has bounds of its own. */
export interface Scale {
  readonly better: 'more' | 'less';
  /** Score of random play. */
  readonly random?: number;
  /** Best score that there is. */
  readonly ceiling?: number;
}

/** Checks and arms that a paper exempts, each with its reason: a script learns nothing, a control is meant to fail. */
export type Exempt = readonly { readonly check: CheckId; readonly arms: readonly string[]; readonly why: string }[];
