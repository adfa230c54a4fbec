/**
 * Hunting by rule. Hunters run at the nearest prey they see, each aiming a little beside it so that they come from several sides; prey
 * flees from near hunters, away from obstacles and back from the edge of the square, and feeds where there is food and no danger.
 */
import { cos, sin } from '#math/functions.ts';
import type { Rule, Wish } from './steer.ts';

const DANGER = 0.7; // m
const EDGE = 0.75; // m from the middle, where prey turns back

/** Adds a push away from the body at (dx, dy), stronger the nearer. */
function flee(wish: Wish, dx: number, dy: number, reach: number, weight: number): void {
  const far = Math.sqrt(dx * dx + dy * dy);
  if (far >= reach || far === 0) return;
  const push = (weight * (reach - far)) / (reach * far);
  wish.x -= push * dx;
  wish.y -= push * dy;
}

/** Adds what keeps a body off the edge. */
function stayInside(wish: Wish, x: number, y: number): void {
  if (Math.abs(x) > EDGE) wish.x -= 8 * (x - Math.sign(x) * EDGE);
  if (Math.abs(y) > EDGE) wish.y -= 8 * (y - Math.sign(y) * EDGE);
}

/** Scales a wish so that its larger part is a full action. */
function full(wish: Wish): void {
  const most = Math.max(Math.abs(wish.x), Math.abs(wish.y));
  if (most < 0.05) return;
  wish.x /= most;
  wish.y /= most;
}

interface Cast {
  readonly hunters: number;
  readonly prey: number;
}

/** Places of the others in an observation stand in the order of their numbers, the observer left out. */
function otherAt(others: number, agent: number, j: number): number {
  return others + 2 * (j < agent ? j : j - 1);
}

/** Towards the nearest prey in sight (unseen ones stand at exactly 0, 0), a little to the hunter's own side. False: none in sight. */
function hunt({ hunters, prey }: Cast, obs: Float32Array, others: number, agent: number, speeds: number, wish: Wish): boolean {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let p = 0; p < prey; p++) {
    const k = otherAt(others, agent, hunters + p);
    const square = obs[k]! * obs[k]! + obs[k + 1]! * obs[k + 1]!;
    if (square === 0 || square >= least) continue;
    least = square;
    best = p;
  }
  if (best < 0) return false;
  const k = otherAt(others, agent, hunters + best);
  const far = Math.sqrt(least);
  const ahead = Math.min(0.5, far) * 0.8; // s
  const side = hunters > 1 ? (agent / (hunters - 1) - 0.5) * Math.min(0.6, far) * 0.8 : 0; // m
  wish.x = obs[k]! + ahead * obs[speeds + 2 * best]! - (side * obs[k + 1]!) / far;
  wish.y = obs[k + 1]! + ahead * obs[speeds + 2 * best + 1]! + (side * obs[k]!) / far;
  return true;
}

/** How prey turns from the straight way out, in radians to its left, by the names of policies beside that of "scripted", which does not turn. */
export const DODGES: { readonly [name: string]: number } = { 'prey-dodges-left': 1.3, 'prey-dodges-right': -1.3 };

/** Turns a wish to the left by an angle. */
function turn(wish: Wish, angle: number): void {
  const [c, s] = [cos(angle), sin(angle)];
  const { x, y } = wish;
  wish.x = c * x - s * y;
  wish.y = s * x + c * y;
}

export function chaseRule(
  c: {
    readonly adversaries: number;
    readonly good: number;
    readonly obstacles: number;
    readonly obstacleSize: number;
  },
  dodge = 0,
): Rule {
  const cast = { hunters: c.adversaries, prey: c.good };
  return (obs, at, agent, wish) => {
    const others = at + 4 + 2 * c.obstacles;
    const hunter = agent < c.adversaries;
    if (hunter) {
      hunt(cast, obs, others, agent, others + 2 * (c.adversaries + c.good - 1), wish);
      full(wish);
    } else {
      for (let h = 0; h < c.adversaries; h++) {
        const k = otherAt(others, agent, h);
        flee(wish, obs[k]!, obs[k + 1]!, DANGER, 1);
      }
      if (dodge !== 0) turn(wish, dodge);
      stayInside(wish, obs[at + 2]!, obs[at + 3]!);
    }
    for (let l = 0; l < c.obstacles; l++) flee(wish, obs[at + 4 + 2 * l]!, obs[at + 5 + 2 * l]!, c.obstacleSize + 0.15, hunter ? 1 : 0.7);
    full(wish);
  };
}

/** The leader sends the quarter of the first prey it sees (A to D); chasers that see none walk there. */
export function worldCommRule(c: {
  readonly adversaries: number;
  readonly good: number;
  readonly obstacles: number;
  readonly obstacleSize: number;
  readonly food: number;
  readonly forests: number;
}): Rule {
  const cast = { hunters: c.adversaries, prey: c.good };
  const landmarks = c.obstacles + c.food + c.forests;
  return (obs, at, agent, wish) => {
    const others = at + 4 + 2 * landmarks;
    const speeds = others + 2 * (c.adversaries + c.good - 1);
    const x = obs[at + 2]!;
    const y = obs[at + 3]!;
    if (agent < c.adversaries) {
      if (agent === 0) {
        const k = otherAt(others, 0, c.adversaries);
        wish.say = (x + obs[k]! > 0 ? 1 : 0) + (y + obs[k + 1]! > 0 ? 2 : 0);
      }
      if (!hunt(cast, obs, others, agent, speeds, wish)) {
        const heard = speeds + 2 * c.good + c.forests;
        for (let q = 0; q < 4; q++) {
          if (obs[heard + q]! < 0.5) continue;
          wish.x = (q % 2 === 1 ? 0.45 : -0.45) - x;
          wish.y = (q >= 2 ? 0.45 : -0.45) - y;
        }
      }
      full(wish);
    } else {
      let least = Number.POSITIVE_INFINITY;
      for (let f = 0; f < c.food; f++) {
        const k = at + 4 + 2 * (c.obstacles + f);
        const square = obs[k]! * obs[k]! + obs[k + 1]! * obs[k + 1]!;
        if (square >= least) continue;
        least = square;
        wish.x = 2 * obs[k]! - 0.5 * obs[at]!;
        wish.y = 2 * obs[k + 1]! - 0.5 * obs[at + 1]!;
      }
      for (let h = 0; h < c.adversaries; h++) {
        const k = otherAt(others, agent, h);
        flee(wish, obs[k]!, obs[k + 1]!, 0.5, 2);
      }
      stayInside(wish, x, y);
    }
    for (let l = 0; l < c.obstacles; l++) flee(wish, obs[at + 4 + 2 * l]!, obs[at + 5 + 2 * l]!, c.obstacleSize + 0.15, 0.7);
    if (Math.max(Math.abs(wish.x), Math.abs(wish.y)) > 1) full(wish);
  };
}
