/** The numbers behind a learner's words at one step of an episode, as the worker has them. */

export interface StepNumbers {
  readonly t: number;
  readonly agent: number;
  /** From the policy's own config; `assumed` where its method has no such setting. */
  readonly gamma: number;
  readonly lambda: number;
  readonly assumed: readonly ('gamma' | 'lambda')[];
  /** Of this agent's step t; null: nothing follows the last frame. */
  readonly reward: number | null;
  /** How the step ended the episode; '': it goes on. */
  readonly ended: '' | 'terminated' | 'truncated';
  /** 'V': a value network; 'Q': action values, then `value` is that of the action taken and `nextValue` the greatest; null: neither. */
  readonly kind: 'V' | 'Q' | null;
  readonly value: number | null;
  /** Of what follows: 0 after a terminated step. */
  readonly nextValue: number | null;
  /** reward + gamma nextValue - value */
  readonly tdError: number | null;
  /** GAE over the rest of this episode. */
  readonly advantage: number | null;
  /** advantage + value */
  readonly target: number | null;
  /** Discounted and plain sum of this agent's rewards from here to the end. */
  readonly discounted: number;
  readonly undiscounted: number;
  /** Nats; null: no distribution. */
  readonly entropy: number | null;
  /** ln of the probability (density) of the action taken. */
  readonly logProb: number | null;
  /** The same by the policy that it is compared with. */
  readonly oldLogProb: number | null;
  /** exp(logProb - oldLogProb) */
  readonly ratio: number | null;
  /** KL(old || this) over the actions at this state, nats. */
  readonly kl: number | null;
}
