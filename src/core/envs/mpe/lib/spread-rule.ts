/**
 * Covering landmarks by rule: every agent computes the same cheapest assignment of agents to landmarks from what it sees, walks to
 * its own landmark by the deadbeat law of steer.ts and is pushed off its line by others that come close.
 */
import { createMatching } from '../../lib/matching.ts';
import { arrive, type Rule } from './steer.ts';

const REACH = 1.1; // of the distance at touch: from here on others push
const LOOKAHEAD = 1; // steps of own motion that count when judging who is near
const PUSH = 2; // in full actions, at no distance

interface Settings {
  readonly agents: number;
  readonly agentNeighbors: number | null;
  readonly landmarkNeighbors: number | null;
  readonly agentSize: number;
  readonly dt: number;
  readonly damping: number;
  readonly mass: number;
  readonly force: number;
}

/** An agent that sees only some of the others walks to the nearest landmark that no seen agent is nearer to. */
export function coverRule(c: Settings): Rule {
  const lands = c.landmarkNeighbors ?? c.agents;
  const others = c.agentNeighbors ?? c.agents - 1;
  const whole = lands >= c.agents && others === c.agents - 1;
  const n = c.agents;
  const matching = createMatching(n);
  const cost = new Float64Array(n * n);
  const job = new Int32Array(n);
  const chosen = (obs: Float32Array, marks: number, friends: number): number => {
    if (whole) {
      for (let i = 0; i < n; i++) {
        const x = i === 0 ? 0 : obs[friends + 2 * (i - 1)]!;
        const y = i === 0 ? 0 : obs[friends + 2 * (i - 1) + 1]!;
        for (let l = 0; l < n; l++) {
          const dx = obs[marks + 2 * l]! - x;
          const dy = obs[marks + 2 * l + 1]! - y;
          cost[i * n + l] = Math.sqrt(dx * dx + dy * dy);
        }
      }
      matching.solve(cost, job);
      return job[0]!;
    }
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let l = 0; l < lands; l++) {
      const x = obs[marks + 2 * l]!;
      const y = obs[marks + 2 * l + 1]!;
      const own = x * x + y * y;
      let taken = 0;
      for (let j = 0; j < others; j++) {
        const dx = x - obs[friends + 2 * j]!;
        const dy = y - obs[friends + 2 * j + 1]!;
        if (dx * dx + dy * dy < own) taken = 10;
      }
      if (own + taken >= least) continue;
      least = own + taken;
      best = l;
    }
    return best;
  };
  return (obs, at, _agent, wish) => {
    const marks = at + 4;
    const friends = marks + 2 * lands;
    if (lands === 0) return;
    const goal = marks + 2 * chosen(obs, marks, friends);
    wish.x = arrive(c, obs[goal]!, obs[at]!);
    wish.y = arrive(c, obs[goal + 1]!, obs[at + 1]!);
    const size = Math.max(1, Math.abs(wish.x), Math.abs(wish.y));
    wish.x /= size;
    wish.y /= size;
    const keep = 2 * c.agentSize * REACH;
    for (let j = 0; j < others; j++) {
      const dx = obs[friends + 2 * j]! - LOOKAHEAD * c.dt * obs[at]!;
      const dy = obs[friends + 2 * j + 1]! - LOOKAHEAD * c.dt * obs[at + 1]!;
      const far = Math.sqrt(dx * dx + dy * dy);
      if (far >= keep || far === 0) continue;
      const push = (PUSH * (keep - far)) / keep / far;
      wish.x -= push * dx;
      wish.y -= push * dy;
    }
  };
}
