/**
 * Watches a run's metrics for trouble that a curve shows too late. The rules stand in diagnoses/; here is what they read, how long evidence
 * must hold before it counts, and that a finding is told when it begins to stand and once more when it no longer does. Plain numbers in, so
 * that the same run is judged alike at the same step everywhere; the state is part of a checkpoint.
 */
import type { SessionEvent } from '#contract/run/events.ts';
import type { Finding } from '#contract/run/findings.ts';
import { median } from '#math/stats.ts';
import { type Diagnosis, type Rule, type RunEvidence, type RunSettings, say, type Tally } from './diagnoses/types.ts';

export interface HealthState {
  /** The step these settings began to train at. */
  readonly begun: number;
  readonly largestKl: RunEvidence['largestKl'];
  /** Ids of findings told, in order; `<id> over` where one was withdrawn. */
  readonly warned: readonly string[];
  /** Rows with a return so far. */
  readonly rows: number;
  /** First, lowest and highest mean return so far. */
  readonly first: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** The last values of what rules read, oldest first; of every row: its step and the episodes that ended in it. */
  readonly recent: Readonly<Record<string, readonly number[]>>;
  readonly tally: Tally;
  readonly copies: RunEvidence['copies'];
  /** Of every rule: rows in a row that spoke for it (above 0) or against it (below 0). */
  readonly held: Readonly<Record<string, number>>;
}

export const NO_TALLY: Tally = { rewards: 0, squares: 0, largest: 0, ended: 0, truncated: 0 };

export const healthy: HealthState = {
  begun: 0,
  largestKl: null,
  warned: [],
  rows: 0,
  first: null,
  low: null,
  high: null,
  recent: {},
  tally: NO_TALLY,
  copies: null,
  held: {},
};

/** The state of a checkpoint, of an older version too: what it did not keep begins anew. */
export function healthFrom(stored: Partial<HealthState> | undefined): HealthState {
  const warned = (stored?.warned ?? []).map((id) => id.replace(/^reward(?= over$|$)/, 'same-return'));
  return { ...healthy, ...stored, warned, first: stored?.first ?? stored?.low ?? null };
}

export interface HealthReport {
  readonly state: HealthState;
  /** Findings that stand from now on. */
  readonly findings: readonly Finding[];
  /** Those that no longer do, and why. */
  readonly over: readonly { readonly id: string; readonly text: string }[];
}

/** What is kept of the last rows. */
const WATCHED = [
  'approxKl',
  'clipFraction',
  'entropy',
  'temperature',
  'explainedVariance',
  'valueLoss',
  'gradNorm',
  'qMean',
  'tdError',
  'targetsClipped',
  'aboveBound',
  'steadyObs',
  'episodeLength',
  'taught',
  'successes',
] as const;
const WINDOW = 20; // rows
const LEAST = 5; // of them, for a median
/** Rows in a row before a finding stands, and before it is withdrawn. */
const PATIENCE = 3;
/** A finding that comes and goes is told so often. */
const MOST = 3;
/** Of the way from the first return to the best that is known: what counts as having learned something. */
const RISEN = 0.25;

export interface HealthRow {
  readonly step: number;
  readonly episodes: number;
  /** What the environments gave since the row before. */
  readonly tally: Tally;
  readonly settings: RunSettings;
  /** Live edits made so far. */
  readonly edits: readonly { readonly step: number; readonly path: string }[];
}

/** `rules`: those of diagnoses/index.ts, which runs load when they begin. */
export function examine(
  rules: readonly Rule[],
  before: HealthState,
  metrics: Readonly<Record<string, number>>,
  row: HealthRow,
): HealthReport {
  const state = takeIn(before, metrics, row);
  const evidence = evidenceOf(state, metrics, row);
  const warned = [...state.warned];
  const held: Record<string, number> = {};
  const found: Finding[] = [];
  const over: { id: string; text: string }[] = [];
  for (const rule of rules) {
    const diagnosis = rule.explainedBy?.some((cause) => stands(warned, cause)) === true ? null : rule.look(evidence);
    const rows = state.held[rule.id] ?? 0;
    const now = diagnosis === null ? Math.min(rows, 0) - 1 : Math.max(rows, 0) + 1;
    held[rule.id] = Math.max(-PATIENCE, Math.min(PATIENCE, now));
    const standing = stands(warned, rule.id);
    if (diagnosis !== null && !standing && now >= PATIENCE && warned.filter((id) => id === rule.id).length < MOST) {
      warned.push(rule.id);
      const { evidence, sure, ways } = diagnosis;
      found.push({ id: rule.id, title: rule.title, evidence, sure, ways, since: sinceOf(diagnosis, state, row) });
    }
    if (diagnosis === null && standing && now <= -PATIENCE) {
      warned.push(`${rule.id} over`);
      over.push({ id: rule.id, text: rule.over });
    }
  }
  return { state: { ...state, warned, held }, findings: found, over };
}

/** The mark of a finding: its text says all to readers that do not know findings. */
export function warningOf(finding: Finding, step: number): Extract<SessionEvent, { kind: 'mark' }> {
  const { title, evidence, ways } = finding;
  const [first] = ways;
  const text = `${title}. ${evidence.join(' ')}${first === undefined ? '' : ` Try: ${first.text}.`}`;
  return { kind: 'mark', step, type: 'warning', text, by: 'system', finding };
}

const stands = (warned: readonly string[], id: string): boolean => warned.lastIndexOf(id) > warned.lastIndexOf(`${id} over`);

function sinceOf({ fault }: Diagnosis, state: HealthState, { step, edits }: HealthRow): number {
  if (fault === undefined) return state.recent.step?.[0] ?? step;
  return edits.findLast(({ path }) => path === fault)?.step ?? state.begun;
}

/** The state with one more row. */
function takeIn(state: HealthState, metrics: Readonly<Record<string, number>>, { step, tally }: HealthRow): HealthState {
  const { episodicReturn, targetCopies } = metrics;
  const approxKl = metrics.updateKl ?? metrics.approxKl; // of learners on tokens the first is that of whole updates
  const measured = episodicReturn !== undefined && Number.isFinite(episodicReturn);
  const recent: Record<string, readonly number[]> = { ...state.recent };
  const keep = (name: string, value: number | undefined): void => {
    if (value !== undefined && Number.isFinite(value)) recent[name] = [...(recent[name] ?? []), value].slice(-WINDOW);
  };
  for (const name of WATCHED) keep(name, name === 'approxKl' ? approxKl : metrics[name]);
  for (const [name, value] of Object.entries({ step, ended: tally.ended, truncated: tally.truncated })) keep(name, value);
  const copies = state.copies ?? { count: 0, last: state.begun };
  return {
    ...state,
    largestKl: approxKl !== undefined && approxKl > (state.largestKl?.value ?? 0) ? { value: approxKl, step } : state.largestKl,
    rows: state.rows + (measured ? 1 : 0),
    first: measured ? (state.first ?? episodicReturn) : state.first,
    low: measured ? Math.min(state.low ?? episodicReturn, episodicReturn) : state.low,
    high: measured ? Math.max(state.high ?? episodicReturn, episodicReturn) : state.high,
    recent,
    tally: {
      rewards: state.tally.rewards + tally.rewards,
      squares: state.tally.squares + tally.squares,
      largest: Math.max(state.tally.largest, tally.largest),
      ended: state.tally.ended + tally.ended,
      truncated: state.tally.truncated + tally.truncated,
    },
    copies: targetCopies === undefined ? state.copies : { count: copies.count + targetCopies, last: targetCopies > 0 ? step : copies.last },
  };
}

function evidenceOf(state: HealthState, metrics: Readonly<Record<string, number>>, { step, episodes, settings }: HealthRow): RunEvidence {
  const { first, low, high, recent, begun } = state;
  const now = metrics.episodicReturn;
  const measured = now !== undefined && Number.isFinite(now) && first !== null && low !== null && high !== null;
  const returns = measured ? { first, low, high, now } : null;
  const sum = (name: string): number => (recent[name] ?? []).reduce((a, b) => a + b, 0);
  return {
    ...settings,
    step,
    begun,
    episodes,
    share: (step - begun) / Math.max(1, settings.budget - begun),
    rows: state.rows,
    median: (metric) => ((recent[metric]?.length ?? 0) < LEAST ? Number.NaN : median(recent[metric] ?? [])),
    returns,
    ...dropOf(returns, settings),
    largestKl: state.largestKl,
    stands: (rule) => stands(state.warned, rule),
    tally: state.tally,
    recent: { ended: sum('ended'), truncated: sum('truncated') },
    copies: state.copies,
  };
}

/** Whether the return is low: fallen to the lower half of its range so far, or hardly risen towards the best that is known of the environment. */
function dropOf(returns: RunEvidence['returns'], { meta }: RunSettings): Pick<RunEvidence, 'returnDropped' | 'harm'> {
  if (returns === null) return { returnDropped: false, harm: () => '' };
  const { first, low, high, now } = returns;
  const best = Math.max(...meta.references.map(({ value }) => value).filter(Number.isFinite)); // -Infinity without any
  const known = best > first;
  const fallen = now <= low + 0.5 * (high - low);
  const risen = known ? now - first >= RISEN * (best - first) : high - first >= 0.5 * Math.abs(first);
  const harm = (): string => {
    const goal = known ? `; ${say(best)} is known to be possible` : '';
    const flat = say(now) === say(first) && say(first) === say(high);
    return flat
      ? `The return has stayed at ${say(now)}${goal}.`
      : `The return is ${say(now)} after ${say(first)} at first and ${say(high)} at best${goal}.`;
  };
  return { returnDropped: fallen || !risen, harm };
}
