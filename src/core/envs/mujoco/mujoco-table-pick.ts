/**
 * A hand with two fingers picks a cube up and holds it at a goal, which is in the air in half of the episodes. Obs as in mujoco-table-push;
 * action: the aim of the hand against where it is, -1..1 times 0.05 m, and the fingers, 1 open to -1 shut. dt 10 x 0.004 s, implicitfast.
 * Reward: -1 until the cube is within `threshold` of the goal, then 0; dense: minus the distance. Never ends; truncates at `maxSteps`.
 * Source: Plappert et al. 2018, FetchPickAndPlace; differs: a hand on a bridge in place of the Fetch arm, and the goal is observed.
 */
import { CLONED, defineTable } from './lib/table/define.ts';
import { pickExpert } from './lib/table/experts.ts';

export const mujocoTablePick = defineTable({
  id: 'mujoco-table-pick',
  title: 'Pick and place (MuJoCo)',
  summary: 'Pick a cube up from a table and hold it at a goal.',
  cube: true,
  fingers: true,
  height: 0.25,
  goal: 'air',
  expert: pickExpert,
  offer: CLONED,
  references: [
    { name: 'random', value: -47.5, source: 'uniform actions, 100 episodes' },
    { name: 'expert', value: -21.2, source: 'own script, 100 episodes' },
  ],
});
