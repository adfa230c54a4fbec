/**
 * A hand with shut fingers pushes a cube over a table to a goal. Obs [hand, cube and cube from hand, m; two fingers; the cube's angles about
 * x, y, z; its velocity against the hand, its angular velocity, the velocities of hand and fingers, all per step; the goal]; action: the aim of
 * the hand against where it is, -1..1 times 0.05 m, and the fingers, which stay shut. dt 10 x 0.004 s, implicitfast.
 * Reward: -1 until the cube is within `threshold` of the goal, then 0; dense: minus the distance. Never ends; truncates at `maxSteps`.
 * Source: Plappert et al. 2018, FetchPush; differs: a hand on a bridge in place of the Fetch arm, and the goal is observed.
 */
import { CLONED, defineTable } from './lib/table/define.ts';
import { pushExpert } from './lib/table/experts.ts';

export const mujocoTablePush = defineTable({
  id: 'mujoco-table-push',
  title: 'Push (MuJoCo)',
  summary: 'Push a cube over a table to a goal.',
  cube: true,
  fingers: false,
  height: 0.05,
  goal: 'table',
  expert: pushExpert,
  offer: CLONED,
  references: [
    { name: 'random', value: -46.4, source: 'uniform actions, 100 episodes' },
    { name: 'expert', value: -14.9, source: 'own script, 100 episodes' },
  ],
});
