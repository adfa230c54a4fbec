/** The table of scores: which method reached what in which environment, with its interval, beside random play and the best known. Pure. */
import { bestKnown, reachedByNothing } from '#contract/catalog/best-known.ts';
import type { AlgoCard, EnvCard, ReferenceReturn } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { measure, number } from '#contract/kit/numbers.ts';
import { type RunsIn, upgrade, type Versioned } from '#contract/run/versions.ts';
import { type Humps, humpsOf } from '#math/humps.ts';
import { interval95 } from '#math/seeds.ts';
import { iqm, optimalityGap } from '#math/stats.ts';

/** Quantities of runs that can be compared between methods. */
export const SCORED = {
  evalReturn: 'greedy test return',
  sampledReturn: 'test return, actions drawn',
  finalReturn: 'last 100 training episodes',
  bestReturn: 'best 100 training episodes',
} as const;
export type Scored = keyof typeof SCORED;

/** `version` null: not recorded; it counts as today's. */
interface Ran {
  readonly id: string;
  readonly version: number | null;
  readonly config: JsonObject;
}

/** One set-up over several seeds, as a result file has it (tools/facts/scores.ts). */
export interface ScoreFact {
  readonly env: Ran;
  readonly algo: Ran;
  /** Environment steps of a seed. */
  readonly steps: number;
  readonly quantity: Scored;
  readonly scores: readonly number[];
  readonly seeds: readonly [first: number, last: number];
  /** Steps that were asked for, where the runs ended before. */
  readonly cutFrom?: number;
  /** Id of the experiment whose claim it is; null: what the workbench offers first for this environment. */
  readonly claim: string | null;
}

export interface ScoreRow {
  readonly fact: ScoreFact;
  readonly env: string;
  readonly algo: string;
  /** Settings of the environment that are not its defaults, in words; '' where all are. */
  readonly setting: string;
  readonly iqm: number;
  /** 95 % interval of it; null below five seeds. */
  readonly interval: readonly [number, number] | null;
  /** What is reached without learning: by random play, or by doing nothing. Only where the environment is at its defaults, which the references are for. */
  readonly nothing: ReferenceReturn | null;
  /** The best of what is published, what a script reaches and what was measured here. */
  readonly best: ReferenceReturn | null;
  /** Part of the way from there to the best known; null where one of them is not known. */
  readonly share: number | null;
  /** The same of every seed. */
  readonly shares: readonly number[] | null;
  /** Seeds that come less than half of the way. */
  readonly below: number | null;
  /** How far the seeds fall short of the best known on average, as a part of the way; a seed beyond it counts as there. */
  readonly gap: number | null;
  /** Where the scores end on two humps. */
  readonly humps: Humps | null;
  /** Rules that have changed since, so that a run of today differs. */
  readonly older: boolean;
}

const olderThan = (card: Versioned, { version, config }: Ran, runsIn: RunsIn): boolean =>
  upgrade(card, version ?? undefined, config, '', runsIn).changed.length > 0;

const settingOf = ({ defaults }: EnvCard, config: JsonObject): string =>
  Object.entries(config)
    .filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(defaults[key]))
    .map(([key, value]) => `${key} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ');

/** Quantities of test episodes: their best counts as the best known of the environment. */
const TESTED: readonly Scored[] = ['evalReturn', 'sampledReturn'];

/** The best reference, or what was measured here at the environment's defaults where that is better. */
function bestOf(env: EnvCard, facts: readonly ScoreFact[]): ReferenceReturn | null {
  const known = bestKnown(env.references) ?? null;
  const own = facts
    .filter(
      ({ env: ran, quantity, scores }) =>
        ran.id === env.id && TESTED.includes(quantity) && scores.length > 0 && settingOf(env, ran.config) === '',
    )
    .map(({ algo, claim, scores }) => ({
      name: `${algo.id} here`,
      value: iqm(scores),
      source: claim === null ? 'what is offered first' : `claim ${claim}`,
    }))
    .toSorted((a, b) => b.value - a.value)[0];
  if (known === null) return null; // without a yardstick of others the best of our own is none
  return own === undefined || own.value <= known.value ? known : own;
}

/** The half of the way: below it a seed has not learned the task. */
const HALF = 0.5;

/** What an interquartile mean hides of its seeds, in words, from the gravest on; nothing where there is nothing to tell. */
export function hiddenWords({ fact, below, humps }: Pick<ScoreRow, 'fact' | 'below' | 'humps'>): readonly string[] {
  const { scores, cutFrom, steps } = fact;
  const words: string[] = [];
  if (below !== null && below > 0) words.push(`${below} of ${scores.length} seeds below half of the way`);
  if (humps !== null) {
    const lower = Math.round(humps.lower * scores.length);
    words.push(`two humps: ${lower} at ${measure(humps.low)}, ${scores.length - lower} at ${measure(humps.high)}`);
  }
  if (cutFrom !== undefined) words.push(`cut short: ${number(steps)} of ${number(cutFrom)} steps`);
  return words;
}

/** By title of the environment, in each the best first. Facts of what is not in the catalogue are left out. */
export function scoreRows(
  facts: readonly ScoreFact[],
  { envs, algos }: { readonly envs: readonly EnvCard[]; readonly algos: readonly AlgoCard[] },
): readonly ScoreRow[] {
  const bests = new Map(envs.map((env) => [env.id, bestOf(env, facts)]));
  const rows = facts.flatMap((fact): ScoreRow[] => {
    const env = envs.find(({ id }) => id === fact.env.id);
    const algo = algos.find(({ id }) => id === fact.algo.id);
    if (env === undefined || algo === undefined || fact.scores.length === 0) return [];
    const setting = settingOf(env, fact.env.config);
    const value = iqm(fact.scores);
    const nothing = setting === '' ? (reachedByNothing(env.references) ?? null) : null;
    const best = setting === '' ? (bests.get(env.id) ?? null) : null;
    const shareOf = (score: number): number | null =>
      nothing === null || best === null || best.value === nothing.value ? null : (score - nothing.value) / (best.value - nothing.value);
    const share = shareOf(value);
    const shares = share === null ? null : fact.scores.map((score) => shareOf(score) ?? 0);
    const runsIn = { ...env, agentCount: env.agents };
    const older = olderThan(env, fact.env, runsIn) || olderThan(algo, fact.algo, runsIn);
    return [
      {
        fact,
        env: env.title,
        algo: algo.title,
        setting,
        iqm: value,
        interval: interval95(fact.scores),
        nothing,
        best,
        share,
        shares,
        below: shares === null ? null : shares.filter((part) => part < HALF).length,
        gap: shares === null ? null : optimalityGap(shares),
        humps: humpsOf(fact.scores),
        older,
      },
    ];
  });
  return rows.sort((a, b) => a.env.localeCompare(b.env, 'en') || a.setting.localeCompare(b.setting, 'en') || b.iqm - a.iqm);
}
