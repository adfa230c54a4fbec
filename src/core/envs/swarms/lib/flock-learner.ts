/** What a learning boid sees, in the frame of its own velocity, and the rule as a policy that needs no more than that. */
import type { ScriptedPolicy } from '../../api/types.ts';
import { type Forces, KEPT, ruleForce } from './flock.ts';

export const LEARNER_SEES = [
  'speed',
  'neighbours',
  'their velocity ahead',
  'their velocity left',
  'their place ahead',
  'their place left',
  'apart ahead',
  'apart left',
  'too close',
];

const CROWD = 10; // neighbours that count as one in observations

export interface FlockSettings extends Forces {
  readonly viewRadius: number;
  readonly separationRadius: number;
}

/** Observation of the boid whose velocity stands at v and whose kept numbers stand at k. */
export function writeLearner(
  c: FlockSettings,
  floats: Float64Array,
  v: number,
  kept: Float64Array,
  k: number,
  out: Float32Array,
  at: number,
): void {
  const vx = floats[v]!;
  const vy = floats[v + 1]!;
  const speed = Math.sqrt(vx * vx + vy * vy);
  const x = speed > 0 ? vx / speed : 1;
  const y = speed > 0 ? vy / speed : 0;
  out[at] = speed / c.maxSpeed;
  out[at + 1] = kept[k]! / CROWD;
  for (let pair = 0; pair < 3; pair++) {
    const unit = CROWD * (pair === 0 ? c.maxSpeed : pair === 1 ? c.viewRadius : 1 / c.separationRadius);
    const from = k + 1 + 2 * pair;
    out[at + 2 + 2 * pair] = (kept[from]! * x + kept[from + 1]! * y) / unit;
    out[at + 3 + 2 * pair] = (kept[from + 1]! * x - kept[from]! * y) / unit;
  }
  out[at + 8] = kept[k + 7]! / CROWD;
}

/** Reynolds' rule from an observation: directions are all it needs, so the scales above do not matter. */
export function ruleOfLearners(c: FlockSettings): ScriptedPolicy {
  const seen = new Float64Array(KEPT);
  const force = new Float64Array(2);
  const reach = (c.separationWeight + c.alignmentWeight + c.cohesionWeight) * c.maxForce;
  return {
    act({ meta, batch }, { obs }, out) {
      if (meta.actionSize === 0 || reach === 0) return;
      for (let i = 0; i < batch * meta.agentCount; i++) {
        const at = i * meta.obsSize;
        seen[0] = obs[at + 1]!;
        for (let d = 1; d < 7; d++) seen[d] = obs[at + 1 + d]!;
        seen[7] = obs[at + 8]!;
        ruleForce(c, seen, 0, obs[at]! * c.maxSpeed, 0, force);
        out[2 * i] = Math.min(1, Math.max(-1, force[0]! / reach));
        out[2 * i + 1] = Math.min(1, Math.max(-1, force[1]! / reach));
      }
    },
  };
}
