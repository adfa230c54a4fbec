/** Small changes of what agents see, chosen to change what they do. */
import type { ExplainerRef } from './explain-api.ts';

/**
 * What a change is to bring about:
 *   'any other'   not what the policy would do (untargeted)
 *   'other side'  actions on the other side of the middle, as a group: a bifurcation and the difference of its two groups
 *   'farthest'    the one action that lies farthest on the other side (targeted)
 */
export const AIMS = ['any other', 'other side', 'farthest'] as const;
export type AttackAim = (typeof AIMS)[number];

export interface AttackQuestion {
  /** Largest change of every number seen, in standard deviations of that number. */
  readonly eps: number;
  /** 1: FGSM, one step along the sign of the gradient; more: PGD, smaller steps, kept within eps. */
  readonly steps: number;
  /** Missing: any other. */
  readonly aim?: AttackAim;
  readonly episodes: number;
}

/** Greedy episodes on the same seeds: as they are, with noise of the same size, and attacked. Mean scores. */
export interface AttackTest {
  readonly question: AttackQuestion;
  readonly clean: number;
  readonly noise: number;
  readonly attacked: number;
  /** Half of the 95 % interval of clean - attacked, pair by pair. */
  readonly halfWidth: number;
  /** Share of decisions that the attack changed; where actions are numbers the mean change of one, as a share of its range. */
  readonly flipped: number;
  /** Where actions are numbers. */
  readonly moved?: true;
  /** exact: by the gradient of the network; measured: by trying small changes of every number. */
  readonly gradient: 'exact' | 'measured';
}

/** src/core/explain/attack.ts */
export const ATTACK: ExplainerRef<AttackQuestion, AttackTest> = { id: 'attack' };
