/** VMAS scenarios by rule: proportional steering with a brake, and what each task needs beyond. Forces in full actions. */
import { cos, sin } from '#math/functions.ts';
import type { ScriptedPolicy, StepBuffers } from '../../api/types.ts';
import { createMatching } from '../../lib/matching.ts';

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

/**
 * The box does not turn and is smooth, so it is pushed along its axes: every second agent on the face away from the goal in x, the others
 * in y, round the box if they stand on the wrong side. Who has nothing left to do on its axis helps on the other.
 */
export function transportRule(): ScriptedPolicy {
  return alone((obs, at, agent, force) => {
    const straight = [-obs[at + 4]!, -obs[at + 5]!] as const; // goal - box
    let axis = agent % 2;
    if (Math.abs(straight[axis]!) < 0.02) axis = 1 - axis;
    const sign = straight[axis]! < 0 ? -1 : 1;
    const ahead = sign * obs[at + 6 + axis]!; // how far the box is ahead on that axis
    const aside = obs[at + 7 - axis]!; // and aside
    const v = sign * obs[at + 2 + axis]!;
    const w = obs[at + 3 - axis]!;
    const slot = ((agent >> 1) % 2 === 0 ? 1 : -1) * 0.036; // own place on the face
    let along = 0;
    let across = 6 * (aside + slot) - 3 * w;
    if (ahead > 0.09) {
      const lined = Math.abs(aside + slot) < 0.04;
      along = lined ? 1 : 6 * (ahead - 0.14) - 3 * v;
    } else {
      along = 6 * (ahead - 0.16) - 3 * v; // back, past the box
      const room = aside > 0 ? -1 : 1;
      if (Math.abs(aside) < 0.17) {
        across = room;
        along = ahead > -0.12 ? Math.min(along, 0) : 0;
      } else across = -2 * w;
    }
    force[axis] = sign * along;
    force[1 - axis] = across;
  });
}

/** Every agent moves to the end that it can push counter-clockwise from its own side of the bar, then as hard as the wanted speed needs. */
export function wheelRule(c: {
  readonly desiredVelocity: number;
  readonly lineLength: number;
  readonly lineMass: number;
  readonly agents: number;
  readonly drag: number;
}): ScriptedPolicy {
  const inertia = (c.lineMass * c.lineLength * c.lineLength) / 12;
  const hold = (inertia * c.desiredVelocity * c.drag) / 0.1; // torque that makes up for drag
  return alone((obs, at, agent, force) => {
    const cx = obs[at + 4]!;
    const cy = obs[at + 5]!;
    const ex = obs[at + 6]! - cx;
    const ey = obs[at + 7]! - cy;
    const size = Math.sqrt(ex * ex + ey * ey);
    const end = cx * ey - cy * ex < 0 ? 1 : -1; // the first end, if it is on that one's clockwise side
    const ux = (end * ex) / size;
    const uy = (end * ey) / size;
    const inner = 0.47 * c.lineLength - 0.07 * agent; // own place along the bar
    const along = -cx * ux - cy * uy;
    const off = Math.abs(cx * uy - cy * ux); // own distance from the bar
    const vx = obs[at + 2]!;
    const vy = obs[at + 3]!;
    const slide = 5 * (inner - along) - 2 * (vx * ux + vy * uy);
    const wanted = hold + (inertia * (c.desiredVelocity - obs[at + 11]!)) / 0.4;
    const share =
      off < 0.06
        ? Math.max(-0.2, (wanted / (c.agents * inner) + (c.drag * c.desiredVelocity * inner) / 0.1) / 0.6)
        : 6 * (off - 0.03) - 2 * (vy * ux - vx * uy);
    force[0] = slide * ux - share * uy;
    force[1] = slide * uy + share * ux;
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

/** A central assignment gives each agent the food that keeps all paths short; an agent without one waits. */
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

/** A place each round the target, off each other and off the obstacles that the rays see. */
export function flockingRule(c: { readonly agents: number }): ScriptedPolicy {
  return alone((obs, at, agent, force) => {
    const angle = (2 * Math.PI * agent) / c.agents;
    head(force, -obs[at + 4]! + 0.17 * cos(angle), -obs[at + 5]! + 0.17 * sin(angle), obs[at + 2]!, obs[at + 3]!, 5, 0);
    const first = at - agent * FLOCK;
    for (let j = -1; j < c.agents; j++) {
      const other = first + j * FLOCK;
      const dx = j < 0 ? obs[at + 4]! : obs[at]! - obs[other]!; // j = -1: the target
      const dy = j < 0 ? obs[at + 5]! : obs[at + 1]! - obs[other + 1]!;
      shove(force, dx, dy, 0.15, 3);
    }
    for (let k = 0; k < 12; k++) {
      const far = obs[at + 6 + k]!;
      shove(force, -far * cos((2 * Math.PI * k) / 12), -far * sin((2 * Math.PI * k) / 12), 0.12, 3);
    }
  });
}

const FLOCK = 18; // numbers in an observation of flocking
const DISCOVERY = 19;

/** Away from something that lies at -(dx, dy), the harder the nearer. */
function shove(force: Float64Array, dx: number, dy: number, reach: number, weight: number): void {
  const far = Math.sqrt(dx * dx + dy * dy);
  if (far >= reach || far === 0) return;
  force[0] = force[0]! + (weight * (reach - far) * dx) / (reach * far);
  force[1] = force[1]! + (weight * (reach - far) * dy) / (reach * far);
}

/**
 * A conductor sends the team out in groups of as many as a target needs. Each group walks round the middle on its own ring, close
 * together; when one of it sees a target all of it go there.
 */
export function discoveryRule(
  c: { readonly agents: number; readonly agentsPerTarget: number },
  rays: number,
  range: number,
): ScriptedPolicy {
  const groups = Math.max(1, Math.floor(c.agents / c.agentsPerTarget));
  return alone((obs, at, agent, force) => {
    const group = agent % groups;
    const first = at - agent * DISCOVERY;
    const lead = first + group * DISCOVERY;
    let least = range;
    let tx = 0;
    let ty = 0;
    for (let j = group; j < c.agents; j += groups) {
      const other = first + j * DISCOVERY;
      for (let k = 0; k < rays; k++) {
        const far = obs[other + 4 + k]!;
        if (far >= least) continue;
        least = far;
        tx = obs[other]! + (far + 0.05) * cos((2 * Math.PI * k) / rays);
        ty = obs[other + 1]! + (far + 0.05) * sin((2 * Math.PI * k) / rays);
      }
    }
    const x = obs[at]!;
    const y = obs[at + 1]!;
    if (least < range) {
      const slot = 2.4 * agent;
      head(force, tx + 0.12 * cos(slot) - x, ty + 0.12 * sin(slot) - y, obs[at + 2]!, obs[at + 3]!, 8, 1);
      return;
    }
    const lx = obs[lead]!;
    const ly = obs[lead + 1]!;
    if (lead !== at) {
      head(force, lx + 0.12 * cos(agent) - x, ly + 0.12 * sin(agent) - y, 0, 0, 8, 0);
      return;
    }
    const far = Math.max(1e-6, Math.sqrt(lx * lx + ly * ly));
    const ring = 0.35 + (0.4 * group) / Math.max(1, groups - 1);
    head(force, (lx / far) * ring - lx - (ly / far) * 0.3, (ly / far) * ring - ly + (lx / far) * 0.3, 0, 0, 3, 0);
  });
}
