/** Test-only environments for continuous actions, beside those in ../probes.ts. */
import type { ActionSpace, ObsSpace } from '#contract/game/spaces.ts';
import { probe } from './probe.ts';

const flag: ObsSpace = { kind: 'box', shape: [1], low: -1, high: 1 };
/** Bounds that are neither 1 wide nor around 0: a learner that forgets to rescale misses. */
const crooked: ActionSpace = { kind: 'box', size: 1, low: [1], high: [5], labels: ['x'] };

/** Two steps; the first action moves to a good or a bad place, the reward comes at the end: 1 - (distance of the action from 4)^2 / 4. */
export const aimedBefore = probe('probe-aimed-before', {
  obs: { kind: 'box', shape: [2], low: 0, high: 1 },
  action: crooked,
  maxSteps: 3,
  start: () => 0,
  observe(cue, t, out) {
    out[0] = Math.min(t, 1);
    out[1] = cue / 1000;
  },
  joint: (cue, t, [a]) =>
    t === 0
      ? { reward: 0, terminated: false, cue: Math.round(1000 * Math.max(0, 1 - ((a! - 4) * (a! - 4)) / 4)) }
      : { reward: cue / 1000, terminated: true },
});

/** Nothing to decide, reward 1 per step, the clock ends after 5: with bootstrapping the value is 1 / (1 - gamma) everywhere. */
export const endlessBox = probe('probe-endless-box', {
  obs: flag,
  action: crooked,
  maxSteps: 5,
  start: () => 0,
  observe: (_, __, out) => out.fill(1),
  step: () => ({ reward: 1, terminated: false }),
});
