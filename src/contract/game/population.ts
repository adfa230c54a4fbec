/**
 * What a run with a population of policies says about it: who is in it, how its members do against each other, and what the method
 * makes of that. Plain data, small enough to be sent whole; everything is ordered and numbered as in `members`.
 */

export interface PopulationMember {
  /** Unique within the run and never given twice: "start", "main 3", "exploiter 1". */
  readonly id: string;
  /** 'main', 'exploiter', 'best response', ..: members of a role go together. */
  readonly role: string;
  /** Environment steps at which it joined; it never changes afterwards, unless it is `learning`. */
  readonly step: number;
  /** Rating from all games so far, the mean of the population is 0 and 400 points are odds of ten to one; null: no game yet. */
  readonly elo: number | null;
  /** Still being trained: its rating is what it is worth now. */
  readonly learning?: boolean;
  /** Kept for measuring only: no policy is trained against it. */
  readonly held?: boolean;
}

/** Shares of strategies in one or more populations, and how they move. */
export interface SharesReport {
  /** Who meets whom: one population that plays itself, or one for each player. */
  readonly populations: readonly { readonly name: string; readonly strategies: readonly string[] }[];
  /** [state][all strategies, one population after the other], oldest first; each population sums to 1. */
  readonly states: readonly (readonly number[])[];
  /** [state] environment steps of each. */
  readonly steps: readonly number[];
  /** What would happen elsewhere: shares as in `states`, and their change per unit of time. Empty where there are too many strategies to draw. */
  readonly flow: readonly { readonly at: readonly number[]; readonly change: readonly number[] }[];
  /** Equilibria that are known, as in `states`. */
  readonly rest: readonly (readonly number[])[];
}

export interface PopulationReport {
  readonly step: number;
  readonly members: readonly PopulationMember[];
  /** [row][column] mean score of row against column, averaged over seats where they differ; null: they have not met. */
  readonly payoffs: readonly (readonly (number | null)[])[];
  /** Games behind each cell; 0 where the value is exact or there is none. */
  readonly games: readonly (readonly number[])[];
  /** [iteration][member] which mixture of members the method aims at, oldest first: shorter rows are from when there were fewer. */
  readonly meta: readonly (readonly number[])[];
  /** [iteration] environment steps of each. */
  readonly metaSteps: readonly number[];
  readonly shares?: SharesReport;
}
