/** Policies that are ready beside the page, with what their offers reach on fresh seeds. Pure. */
import type { EnvCard, Judged } from '#contract/catalog/catalog.ts';
import { interval95 } from '#math/seeds.ts';
import { iqm } from '#math/stats.ts';

/** A first offer on fresh seeds, on which nothing of it was chosen (tools/facts/zoo.ts). */
export interface ZooFact {
  readonly algo: string;
  /** Steps of each seed, and those that are offered. */
  readonly steps: number;
  readonly offered: number;
  readonly judged: Judged;
  readonly random: number | null;
  readonly best: number | null;
  readonly bestIs: string;
  /** Of each seed. */
  readonly scores: readonly number[];
  readonly firstSeed: number;
  /** The seed whose policy lies beside the page: the one nearest to the interquartile mean; null: none does. */
  readonly kept: number | null;
  /** Of its file, compressed. */
  readonly bytes: number;
  /** What the seeds that the offer was measured on first let expect; null: not known. */
  readonly expected: readonly [number, number] | null;
}

export interface ZooRow {
  readonly fact: ZooFact;
  readonly env: EnvCard;
  readonly iqm: number;
  /** 95 % interval of it; null below five seeds. */
  readonly interval: readonly [number, number] | null;
  /** Part of the way from random play to the best known; null where one of them is not known. */
  readonly share: number | null;
  readonly shares: readonly number[] | null;
  /** Whether fresh seeds stay within what the offer lets expect; null: nothing is expected. */
  readonly holds: boolean | null;
}

/** Whether the interquartile mean of fresh seeds stays within what an offer lets expect; null: nothing is expected. */
export function holdsOn({ scores, expected }: Pick<ZooFact, 'scores' | 'expected'>): boolean | null {
  if (expected === null || scores.length === 0) return null;
  const middle = iqm(scores);
  return middle >= expected[0] && middle <= expected[1];
}

/** By title of the environment. Facts of what is not in the catalogue are left out. */
export function zooRows(facts: { readonly [env: string]: ZooFact }, envs: readonly EnvCard[]): readonly ZooRow[] {
  return envs
    .flatMap((env): ZooRow[] => {
      const fact = facts[env.id];
      if (fact === undefined || fact.scores.length === 0) return [];
      const { random, best, scores } = fact;
      const wayOf = (value: number): number | null =>
        random === null || best === null || random === best ? null : (value - random) / (best - random);
      const middle = iqm(scores);
      const shares = scores.map(wayOf);
      return [
        {
          fact,
          env,
          iqm: middle,
          interval: interval95(scores),
          share: wayOf(middle),
          shares: shares.some((one) => one === null) ? null : shares.map((one) => one ?? 0),
          holds: holdsOn(fact),
        },
      ];
    })
    .toSorted((a, b) => a.env.title.localeCompare(b.env.title, 'en'));
}
