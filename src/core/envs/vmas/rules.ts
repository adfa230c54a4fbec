/** VMAS scenarios by rule: proportional steering with a brake, and what each task needs beyond. Forces in full actions. */
import { cos, sin } from '../../math/functions.ts';
import { createMatching } from '../particles/matching.ts';
import type { ScriptedPolicy, StepBuffers } from '../types.ts';

type Think = (obs: Float32Array, at: number, agent: number, force: Float64Array) => void;

/** Each agent by itself. */
function alone(think: Think): ScriptedPolicy {
  const force = new Float64Array(2);
  return {
    act({ meta, batch }, { obs }: StepBuffers, out) {
      for (let slot = 0; slot < batch * meta.agentCount; slot++) {
        force.fill(0);
        think(obs, slot * meta.obsSize, slot % meta.agentCount, force);
        out[2 * slot] = Math.min(1, Math.max(-1, force[0]!));
        out[2 * slot + 1] = Math.min(1, Math.max(-1, force[1]!));
      }
    },
  };
}

/** Towards (dx, dy), braking: full force far away, less than half a metre of way out. */
function head(force: Float64Array, dx: number, dy: number, vx: number, vy: number, gain = 6, brake = 3): void {
  force[0] = force[0]! + gain * dx - brake * vx;
  force[1] = force[1]! + gain * dy - brake * vy;
}

/** Behind the box as seen from the goal, around it if need be; then push. Agents stand side by side. */
export function transportRule(): ScriptedPolicy {
  return alone((obs, at, agent, force) => {
    const bx = obs[at + 6]!;
    const by = obs[at + 7]!;
    const gx = -obs[at + 4]!;
    const gy = -obs[at + 5]!;
    const far = Math.sqrt(gx * gx + gy * gy);
    if (far === 0) return;
    const ux = gx / far;
    const uy = gy / far;
    const side = ((agent % 4) - 1.5) * 0.07;
    const tx = bx - 0.13 * ux - side * uy;
    const ty = by - 0.13 * uy + side * ux;
    const along = bx * ux + by * uy; // how far the box is ahead
    const across = -bx * uy + by * ux;
    if (along > 0.08 && Math.abs(across + side) < 0.06) {
      head(force, ux - 3 * (across + side) * -uy, uy - 3 * (across + side) * ux, 0, 0, 1, 0);
      return;
    }
    if (along > 0.05) head(force, tx, ty, obs[at + 2]!, obs[at + 3]!);
    else {
      const way = across > 0 ? -1 : 1; // round the nearer side
      head(force, bx - 0.3 * ux + 0.3 * way * -uy, by - 0.3 * uy + 0.3 * way * ux, obs[at + 2]!, obs[at + 3]!);
    }
  });
}

/** Half of the team at each end, all pushing the same way round, as hard as the wanted speed needs. */
export function wheelRule(c: {
  readonly desiredVelocity: number;
  readonly lineLength: number;
  readonly lineMass: number;
  readonly agents: number;
  readonly drag: number;
}): ScriptedPolicy {
  const inertia = (c.lineMass * c.lineLength * c.lineLength) / 12;
  const arm = 0.4 * c.lineLength;
  const hold = (inertia * c.desiredVelocity * c.drag) / 0.1; // torque that makes up for drag
  return alone((obs, at, agent, force) => {
    const end = at + (agent % 2 === 0 ? 6 : 8);
    const cx = obs[at + 4]!;
    const cy = obs[at + 5]!;
    const ex = obs[end]! - cx;
    const ey = obs[end + 1]! - cy;
    const size = Math.sqrt(ex * ex + ey * ey);
    const ux = ex / size;
    const uy = ey / size;
    const inner = arm + 0.07 * Math.floor(agent / 2) - 0.1 * c.lineLength;
    // the place on the clockwise side of the bar, from where a push turns it counter-clockwise
    const px = cx + inner * ux + 0.05 * uy;
    const py = cy + inner * uy - 0.05 * ux;
    const offLine = -cx * -uy + -cy * ux; // own distance to the bar, counter-clockwise positive
    const along = -cx * ux - cy * uy;
    if (offLine < -0.02 && offLine > -0.12 && Math.abs(along - inner) < 0.1) {
      const wanted = hold + (8 * inertia * (c.desiredVelocity - obs[at + 11]!)) / 10;
      const share = Math.max(-0.1, wanted / (c.agents * inner)) / 0.6;
      force[0] = -uy * share + 4 * (inner - along) * ux - 1.5 * (obs[at + 2]! * ux + obs[at + 3]! * uy) * ux;
      force[1] = ux * share + 4 * (inner - along) * uy - 1.5 * (obs[at + 2]! * ux + obs[at + 3]! * uy) * uy;
      return;
    }
    if (offLine > -0.03 && Math.abs(along) < c.lineLength / 2 + 0.1) {
      // on the wrong side: round the end
      head(force, obs[end]! + 0.15 * ux + 0.1 * uy, obs[end + 1]! + 0.15 * uy - 0.1 * ux, obs[at + 2]!, obs[at + 3]!);
      return;
    }
    head(force, px, py, obs[at + 2]!, obs[at + 3]!);
  });
}

/** Each holds its place under the plank; all lift together, more where the plank hangs, tilting it so that the ball rolls to the goal. */
export function balanceRule(c: { readonly agents: number; readonly packageMass: number; readonly gravity: number }): ScriptedPolicy {
  const weight = (c.packageMass + 5 + c.agents) * c.gravity;
  return alone((obs, at, agent, force) => {
    const place = -0.385 + (agent * 0.77) / (c.agents - 1);
    const tilt = obs[at + 15]! > Math.PI / 2 ? obs[at + 15]! - Math.PI : obs[at + 15]!;
    const ball = obs[at + 6]! - obs[at + 4]!; // ball - line, x
    const goalX = -obs[at + 8]!; // goal - ball
    const goalY = -obs[at + 9]!;
    const rise = Math.min(0.12, Math.max(-0.03, 0.5 * goalY)); // wanted speed upwards
    const keep = Math.max(-0.25, Math.min(0.25, ball + goalX)); // where the ball should be on the plank
    const wantedTilt = Math.max(-0.12, Math.min(0.12, 0.4 * (ball - keep) + 0.6 * (obs[at + 10]! - obs[at + 12]!)));
    const level = 6 * (wantedTilt - tilt) - 5 * obs[at + 14]!;
    const load = (c.packageMass * c.gravity * ball * place * 3) / (0.385 * 0.385 * c.agents);
    const up = weight / c.agents + 3 * (rise - obs[at + 13]!) + level * place * 2 + load;
    const drift = Math.max(-0.08, Math.min(0.08, 0.3 * goalX));
    force[0] = (2 * (place - obs[at + 6]!) - 1.5 * (obs[at + 2]! - drift)) / 0.7;
    force[1] = up / 0.7;
  });
}

/** To the goal, pushed off by what the rays feel, always a little to the right so that two who meet do not stand. */
export function navigationRule(rays: number, range: number): ScriptedPolicy {
  return alone((obs, at, _agent, force) => {
    head(force, -obs[at + 4]!, -obs[at + 5]!, obs[at + 2]!, obs[at + 3]!, 4, 2);
    const size = Math.max(1, Math.abs(force[0]!), Math.abs(force[1]!));
    force[0] = force[0]! / size;
    force[1] = force[1]! / size;
    for (let k = 0; k < rays; k++) {
      const near = obs[at + 6 + k]! / range;
      if (near < 0.3) continue;
      const angle = (2 * Math.PI * k) / rays;
      force[0] = force[0]! - near * (cos(angle) + 0.5 * sin(angle));
      force[1] = force[1]! - near * (sin(angle) - 0.5 * cos(angle));
    }
  });
}

/** A conductor gives everybody the food that makes all ways short; who has none left waits. */
export function dispersionRule(n: number): ScriptedPolicy {
  const matching = createMatching(n);
  const cost = new Float64Array(n * n);
  const job = new Int32Array(n);
  return alone((obs, at, agent, force) => {
    const width = 4 + 3 * n;
    if (agent === 0) {
      for (let i = 0; i < n; i++)
        for (let l = 0; l < n; l++) {
          const k = at + i * width + 4 + 3 * l;
          cost[i * n + l] = obs[k + 2]! > 0 ? 0.1 : Math.sqrt(obs[k]! * obs[k]! + obs[k + 1]! * obs[k + 1]!);
        }
      matching.solve(cost, job);
    }
    const k = at + 4 + 3 * job[agent]!;
    if (obs[k + 2]! > 0) return;
    head(force, obs[k]!, obs[k + 1]!, obs[at + 2]!, obs[at + 3]!, 20, 2);
  });
}

/** A place each round the target, off the obstacles that the rays see. */
export function flockingRule(): ScriptedPolicy {
  return alone((obs, at, agent, force) => {
    const angle = 2.4 * agent; // the golden angle spreads any number
    const ring = 0.13 + 0.02 * agent;
    head(force, -obs[at + 4]! + ring * cos(angle), -obs[at + 5]! + ring * sin(angle), obs[at + 2]!, obs[at + 3]!, 5, 1);
    for (let k = 0; k < 12; k++) {
      const near = 1 - obs[at + 6 + k]! / 0.2;
      if (near < 0.4) continue;
      force[0] = force[0]! - 2 * near * cos((2 * Math.PI * k) / 12);
      force[1] = force[1]! - 2 * near * sin((2 * Math.PI * k) / 12);
    }
  });
}

/** The team walks round together in two rings, and stops by every target it sees. */
export function discoveryRule(rays: number, range: number): ScriptedPolicy {
  return alone((obs, at, agent, force) => {
    let seen = -1;
    let least = range;
    for (let k = 0; k < rays; k++) {
      if (obs[at + 4 + k]! >= least) continue;
      least = obs[at + 4 + k]!;
      seen = k;
    }
    const x = obs[at]!;
    const y = obs[at + 1]!;
    const far = Math.max(1e-6, Math.sqrt(x * x + y * y));
    const ring = agent % 2 === 0 ? 0.75 : 0.4;
    head(force, (x / far) * ring - x - (y / far) * 0.3, (y / far) * ring - y + (x / far) * 0.3, obs[at + 2]!, obs[at + 3]!, 4, 1);
    if (seen < 0) return;
    const angle = (2 * Math.PI * seen) / rays;
    force[0] = 0.3 * force[0]! + 3 * (least - 0.08) * cos(angle);
    force[1] = 0.3 * force[1]! + 3 * (least - 0.08) * sin(angle);
  });
}
