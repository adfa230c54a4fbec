/** The table of scores: which method reached what in which environment, with its interval, beside random play and the best known. Pure. */
import { bestKnown } from '#contract/catalog/best-known.ts';
import type { AlgoCard, EnvCard, ReferenceReturn } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { type RunsIn, upgrade, type Versioned } from '#contract/run/versions.ts';
import { interval95 } from '#math/seeds.ts';
import { iqm } from '#math/stats.ts';

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
  /** Only where the environment is at its defaults, which the references are for. */
  readonly random: number | null;
  readonly best: ReferenceReturn | null;
  /** Part of the way from random to the best known; null where one of them is not known. */
  readonly share: number | null;
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

/** By title of the environment, in each the best first. Facts of what is not in the catalogue are left out. */
export function scoreRows(
  facts: readonly ScoreFact[],
  { envs, algos }: { readonly envs: readonly EnvCard[]; readonly algos: readonly AlgoCard[] },
): readonly ScoreRow[] {
  const rows = facts.flatMap((fact): ScoreRow[] => {
    const env = envs.find(({ id }) => id === fact.env.id);
    const algo = algos.find(({ id }) => id === fact.algo.id);
    if (env === undefined || algo === undefined || fact.scores.length === 0) return [];
    const setting = settingOf(env, fact.env.config);
    const value = iqm(fact.scores);
    const random = setting === '' ? (env.references.find(({ name }) => name === 'random')?.value ?? null) : null;
    const best = setting === '' ? (bestKnown(env.references) ?? null) : null;
    const share = random === null || best === null || best.value === random ? null : (value - random) / (best.value - random);
    const runsIn = { ...env, agentCount: env.agents };
    const older = olderThan(env, fact.env, runsIn) || olderThan(algo, fact.algo, runsIn);
    return [{ fact, env: env.title, algo: algo.title, setting, iqm: value, interval: interval95(fact.scores), random, best, share, older }];
  });
  return rows.sort((a, b) => a.env.localeCompare(b.env, 'en') || a.setting.localeCompare(b.setting, 'en') || b.iqm - a.iqm);
}
