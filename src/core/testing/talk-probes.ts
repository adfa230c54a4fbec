/** Test-only environments that need communication, beside those in probes.ts. */
import { probe } from './probe.ts';

const flag = { kind: 'box', shape: [1], low: -1, high: 1 } as const;
const two = { kind: 'discrete', n: 2, labels: ['a', 'b'] } as const;

/** One sees the cue, the other is paid for repeating it, in the same step. */
export const tell = probe('probe-tell', {
  obs: flag,
  action: two,
  maxSteps: 1,
  agents: 2,
  start: (rng) => rng.int(2),
  observe: (cue, _, out, agent) => out.fill(agent === 0 ? (cue === 1 ? 1 : -1) : 0),
  joint: (cue, _, [, b]) => ({ reward: b === cue ? 1 : 0, terminated: true }),
});

/** The same one step later: the cue is shown to one in the first step, and the other must repeat it in the second. */
export const tellLater = probe('probe-tell-later', {
  obs: flag,
  action: two,
  maxSteps: 2,
  agents: 2,
  start: (rng) => rng.int(2),
  observe: (cue, t, out, agent) => out.fill(agent === 0 && t === 0 ? (cue === 1 ? 1 : -1) : 0),
  joint: (cue, t, [, b]) => ({ reward: t === 1 && b === cue ? 1 : 0, terminated: t === 1 }),
});
