/** One group of episodes from the same start, as a group policy gradient on worlds collects it, and what each of its steps would be learned from with. */
import type { RunConfig } from './config.ts';
import type { PolicySnapshot, Replay } from './events.ts';

export interface GroupAsk {
  /** Complete; of a group policy gradient on worlds: its settings are those that the group is collected with. */
  readonly config: RunConfig;
  /** Who plays: a kept policy, or what this config has learned from a seed after so many steps (0: nothing yet). */
  readonly policy: PolicySnapshot | { readonly seed: number; readonly steps: number };
  /** Of the start, the actions and the branches. */
  readonly seed: number;
}

export interface GroupStep {
  /** Number of the state that the step begins in, from 0, in the order in which the rows meet them. */
  readonly state: number;
  readonly action: number;
  readonly reward: number;
  /** Entropy of the policy there, as a share of that of the uniform one. */
  readonly entropy: number;
  /** What this step and those after it earned, discounted as state groups do; where these are off, not at all. */
  readonly following: number;
  /** Its advantage among the steps of the group from the same state, not yet weighed. */
  readonly among: number;
  /** Whether a waiting episode branched off before it: steps that did just before, and the chance. null: it was not asked. */
  readonly branch: { readonly before: number; readonly chance: number } | null;
}

export interface GroupEpisode {
  readonly steps: readonly GroupStep[];
  /** The row and the step that it branched off; its steps before are that row's. null: it began at the start. */
  readonly parent: { readonly row: number; readonly step: number } | null;
  readonly return: number;
  /** Of the whole episode in its group. */
  readonly advantage: number;
  /** Plays it again; null in a group that branches, whose episodes are put together from several. */
  readonly replay: Replay | null;
}

export interface OneGroup {
  readonly episodes: readonly GroupEpisode[];
  /** Share of the steps whose state another step of the group began from: the method's metric `sharedStates`. */
  readonly sharedStates: number;
  /** Entropy at the start, as a share of that of the uniform policy: H_0 of the branches. */
  readonly startEntropy: number;
}
