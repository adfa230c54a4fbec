/**
 * A hand above a table goes to a place in the air. Obs [hand x, y, z, m; two fingers, m; their velocities per step; the goal x, y, z, m];
 * action: the aim of the hand against where it is, -1..1 times 0.05 m, and the fingers, which stay shut. dt 10 x 0.004 s, implicitfast.
 * Reward: -1 until the hand is within `threshold` of the goal, then 0; dense: minus the distance. Never ends; truncates at `maxSteps`.
 * Source: Plappert et al. 2018, FetchReach; differs: a hand on a bridge in place of the Fetch arm, and the goal is observed.
 */
import { defineTable } from './lib/table/define.ts';
import { reachExpert } from './lib/table/experts.ts';

export const mujocoTableReach = defineTable({
  id: 'mujoco-table-reach',
  title: 'Reach (MuJoCo)',
  summary: 'Bring a hand above a table to a place in the air.',
  cube: false,
  fingers: false,
  height: 0.25,
  goal: 'around',
  expert: reachExpert,
  offer: { algo: 'sac', preset: 'hindsight', steps: 10_000 },
  references: [
    { name: 'random', value: -49.2, source: 'uniform actions, 100 episodes' },
    { name: 'expert', value: -1.3, source: 'own script, 100 episodes' },
  ],
});
