/**
 * Scripted play for scenarios with goals and messages: an agent that knows the goal goes there or
 * sends it, a listener goes where it is sent, one that can only guess stands between the goals.
 */
import { createMatching } from '../../lib/matching.ts';
import { arrive, type Rule, type Wish } from './steer.ts';

interface Steering {
  readonly dt: number;
  readonly damping: number;
  readonly mass: number;
  readonly force: number;
}

function goTo(c: Steering, dx: number, dy: number, vx: number, vy: number, wish: Wish): void {
  wish.x = arrive(c, dx, vx);
  wish.y = arrive(c, dy, vy);
}

/** Index of the largest of n numbers, -1 where all are alike. */
function largest(obs: Float32Array, at: number, n: number): number {
  let best = 0;
  let same = true;
  for (let k = 1; k < n; k++) {
    if (obs[at + k] !== obs[at]) same = false;
    if (obs[at + k]! > obs[at + best]!) best = k;
  }
  return same ? -1 : best;
}

/** To the landmark of that number, or to the middle of all where none is known. */
function toLandmark(c: Steering, obs: Float32Array, marks: number, count: number, which: number, at: number, wish: Wish): void {
  let x = 0;
  let y = 0;
  for (let l = 0; l < count; l++) {
    if (which >= 0 && l !== which) continue;
    const share = which >= 0 ? 1 : 1 / count;
    x += obs[marks + 2 * l]! * share;
    y += obs[marks + 2 * l + 1]! * share;
  }
  goTo(c, x, y, obs[at]!, obs[at + 1]!, wish);
}

/**
 * Good agents take one landmark each, so that none stands out; the adversary goes to the landmark that one of them is nearest to.
 * Velocities are not seen here: all steer by place alone.
 */
export function deceiveRule(c: Steering & { readonly good: number }): Rule {
  const n = c.good;
  const matching = createMatching(n);
  const cost = new Float64Array(n * n);
  const job = new Int32Array(n);
  const far = (x: number, y: number) => Math.sqrt(x * x + y * y);
  return (obs, at, agent, wish) => {
    const marks = at + (agent === 0 ? 0 : 2);
    const others = marks + 2 * n;
    const friend = (i: number) => others + 2 * (agent === 0 ? i : i + 1); // who watches stands first among a good agent's others
    let goal = 0;
    if (agent === 0) {
      let least = Number.POSITIVE_INFINITY;
      for (let l = 0; l < n; l++)
        for (let i = 0; i < n; i++) {
          const d = far(obs[marks + 2 * l]! - obs[friend(i)]!, obs[marks + 2 * l + 1]! - obs[friend(i) + 1]!);
          if (d >= least) continue;
          least = d;
          goal = l;
        }
    } else {
      for (let i = 0; i < n; i++)
        for (let l = 0; l < n; l++) {
          const x = i === 0 ? 0 : obs[friend(i - 1)]!;
          const y = i === 0 ? 0 : obs[friend(i - 1) + 1]!;
          cost[i * n + l] = far(obs[marks + 2 * l]! - x, obs[marks + 2 * l + 1]! - y);
        }
      matching.solve(cost, job);
      goal = job[0]!;
    }
    const gain = 4; // full force from 0.25 m on: without the velocity a gentler approach does not overshoot
    wish.x = gain * obs[marks + 2 * goal]!;
    wish.y = gain * obs[marks + 2 * goal + 1]!;
  };
}

/** The agent walks to its goal; the adversary between it and the landmark it is nearest to. */
export function pushRule(c: Steering): Rule {
  return (obs, at, agent, wish) => {
    const vx = obs[at]!;
    const vy = obs[at + 1]!;
    if (agent === 1) {
      goTo(c, obs[at + 2]!, obs[at + 3]!, vx, vy, wish);
      return;
    }
    const foeX = obs[at + 6]!;
    const foeY = obs[at + 7]!;
    let best = at + 2;
    let least = Number.POSITIVE_INFINITY;
    for (let l = at + 2; l < at + 6; l += 2) {
      const dx = obs[l]! - foeX;
      const dy = obs[l + 1]! - foeY;
      if (dx * dx + dy * dy >= least) continue;
      least = dx * dx + dy * dy;
      best = l;
    }
    const far = Math.sqrt(least);
    const share = far > 0.15 ? 0.1 / far : 0;
    goTo(c, obs[best]! + share * (foeX - obs[best]!), obs[best + 1]! + share * (foeY - obs[best + 1]!), vx, vy, wish);
  };
}

/** Says the number of the other's landmark, walks to the one whose number it hears. */
export function referenceRule(c: Steering): Rule {
  return (obs, at, _agent, wish) => {
    wish.say = Math.max(0, largest(obs, at + 8, 3));
    toLandmark(c, obs, at + 2, 3, largest(obs, at + 11, 10), at, wish);
  };
}

export function speakerListenerRule(c: Steering): Rule {
  return (obs, at, agent, wish) => {
    if (agent === 0) wish.say = Math.max(0, largest(obs, at, 3));
    else toLandmark(c, obs, at + 2, 3, largest(obs, at + 8, 3), at, wish);
  };
}

/** The one-time pad of one bit: Alice says goal xor key, Bob undoes it, Eve guesses the first colour. */
export function cryptoRule(): Rule {
  return (obs, at, agent, wish) => {
    if (agent === 0) return;
    const first = Math.max(0, largest(obs, at, 4));
    const second = Math.max(0, largest(obs, at + 4, 4));
    wish.say = first === second ? 0 : 1;
  };
}
