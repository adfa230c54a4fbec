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

/** Three places on a circle, to one of which prey of habit runs when it is frightened. */
const REFUGES = [0, 1, 2].map((k) => ({
  x: 0.6 * cos((2 * Math.PI * k) / 3 + Math.PI / 2),
  y: 0.6 * sin((2 * Math.PI * k) / 3 + Math.PI / 2),
}));
const [FRIGHT, ARRIVED, SLOW] = [0.45, 0.12, 0.25]; // m, m, m/s

/** From which refuge prey runs to which, by the names of policies: nothing but its name tells where it will run to next. */
export const HABITS: { readonly [name: string]: readonly [number, number, number] } = {
  'prey-circles-left': [1, 2, 0],
  'prey-circles-right': [2, 0, 1],
  'prey-shuttles': [1, 0, 0],
};

/** The refuge that prey runs to: while it runs the one ahead, else the nearest one, or where its habit leads once a hunter is near. */
function refugeOf(obs: Float32Array, at: number, frightened: boolean, habit: readonly number[]): number {
  const [vx, vy, px, py] = [obs[at]!, obs[at + 1]!, obs[at + 2]!, obs[at + 3]!];
  let [nearest, ahead] = [0, 0];
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  REFUGES.forEach(({ x, y }, k) => {
    const far = Math.sqrt((x - px) ** 2 + (y - py) ** 2);
    if (far < least) [least, nearest] = [far, k];
    const along = (vx * (x - px) + vy * (y - py)) / Math.max(far, 1e-6);
    if (along > most) [most, ahead] = [along, k];
  });
  if (Math.sqrt(vx * vx + vy * vy) > SLOW && least > ARRIVED) return ahead;
  return frightened ? (habit[nearest] ?? nearest) : nearest;
}

/** Hunters as in chaseRule, and prey of habit, which looks at no hunter while it runs. */
export function habitRule(c: Parameters<typeof chaseRule>[0], habit: readonly number[]): Rule {
  const chase = chaseRule(c);
  return (obs, at, agent, wish) => {
    if (agent < c.adversaries) {
      chase(obs, at, agent, wish);
      return;
    }
    const others = at + 4 + 2 * c.obstacles;
    let frightened = false;
    for (let h = 0; h < c.adversaries; h++) {
      const k = otherAt(others, agent, h);
      if (obs[k]! * obs[k]! + obs[k + 1]! * obs[k + 1]! < FRIGHT * FRIGHT) frightened = true;
    }
    const { x, y } = REFUGES[refugeOf(obs, at, frightened, habit)] ?? { x: 0, y: 0 };
    wish.x = 4 * (x - obs[at + 2]!) - obs[at]!;
    wish.y = 4 * (y - obs[at + 3]!) - obs[at + 1]!;
    if (Math.max(Math.abs(wish.x), Math.abs(wish.y)) > 0.5) full(wish);
    else [wish.x, wish.y] = [0, 0];
  };
}

export function chaseRule(c: {
  readonly adversaries: number;
  readonly good: number;
  readonly obstacles: number;
  readonly obstacleSize: number;
}): Rule {
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
