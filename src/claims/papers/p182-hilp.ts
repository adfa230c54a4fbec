/** P182: goals of a maze reached by directions of a learned space, halved on the way, or by values and one policy made for goals. */
import { definePaper } from '../define.ts';

const learned = { recordSteps: 100_000, batchSize: 128, lr: 0.002, tau: 0.02 };

export const hilpPaper = definePaper({
  id: 'P182',
  title: 'Foundation Policies with Hilbert Representations',
  authors: 'Park et al.',
  year: 2024,
  link: 'https://arxiv.org/abs/2402.15567',
  claim:
    'One policy, learned without rewards to move along every direction of a space in which distance is time, equals or exceeds methods made for each setting: rewards that are told afterwards, and goals that are told afterwards.',
  published: null,
  source: {
    read: 'seohongpark/HILP, commit be2431b: hilp_gcrl (src/agents/hilp.py, src/special_networks.py, src/dataset_utils.py, jaxrl_m/evaluation.py) and the directions of hilp_zsrl (url_benchmark/agent/sf.py); the claim as the reading list has it from the abstract. Text and tables of the paper were not read.',
    table: [
      {
        of: 'distance of two networks, learned by an expectile (hilp.py, compute_value_loss; GoalConditionedPhiValue)',
        ours: 'src/core/algos/goals/hilp.ts (embedding, apart)',
        state: 'kept',
      },
      {
        of: 'implicit Q-learning along directions (hilp.py, compute_skill_value_loss, compute_skill_critic_loss, compute_skill_actor_loss)',
        ours: 'src/core/algos/goals/hilp.ts (compileAlong, compileCritics, compileActor)',
        state: 'kept',
      },
      {
        of: 'all directions drawn evenly (hilp.py, loss_fn)',
        ours: 'algo.config.aimed',
        state: 'changed',
        note: 'Half of them point to recorded states, as hilp_zsrl does for rewards: in so few updates 32 numbers leave few even ones near a way.',
      },
      {
        of: 'midpoints: three times the mean of the 50 best of 50,000 recorded states (evaluation.py)',
        ours: 'src/core/algos/goals/hilp.ts (halved)',
        state: 'changed',
        note: 'The best one of 512.',
      },
      {
        of: 'three layers of 512, batches of 1,024, 1,000,000 updates (main.py)',
        ours: 'algo.config.hidden',
        state: 'changed',
        note: 'Two layers of 64, batches of 128, 3,000 updates.',
      },
      {
        of: 'goal-conditioned implicit values with one policy, as the rival made for goals',
        ours: 'src/core/algos/goals/gcivl.ts (gcivl)',
        state: 'changed',
        note: 'OGBench’s form, without action values.',
      },
    ],
  },
  differs: ['a point in a maze in place of ants and robots', '100,000 recorded steps and 3,000 updates', 'two layers of 64 to 79'],
  found: {
    outcome: 'open',
    text: 'HILP with midpoints reached 0.66 of the goals, values and a policy made for goals 0.62 (interquartile means of ten seeds). On the two tuning seeds it was 0.21 more; the ten leave anything from 0.12 less to 0.21 more.',
  },
  question: 'Are more goals of a maze reached by directions of a learned space than by values and a policy made for goals?',
  idea: 'Every place gets a spot in a space in which the straight distance to another is the time it takes: walls push spots apart. A policy learns to move along any direction there; a goal is a direction, and a place half-way makes it a shorter one.',
  equation:
    "V(s, g) = -||phi(s) - phi(g)||,   r_z = (phi(s') - phi(s)) . z,   z = (phi(w) - phi(s)) / ||phi(w) - phi(s)||, w half-way to g",
  touch: null,
  config: {
    v: 1,
    env: { id: 'quick-point-maze', config: { maze: 'medium', maxSteps: 600 } },
    algo: { id: 'hilp', config: { ...learned, hidden: [64, 64], aimed: 0.5, midpoints: 3 } },
    run: { steps: 3000, evalEpisodes: 50 },
  },
  arms: [
    { id: 'directions', title: 'directions of the learned space (HILP)', trials: 3 },
    {
      id: 'goals',
      title: 'values and a policy made for goals',
      trials: 3,
      // wider, so that both policies hold as many parameters
      differs: { algo: { id: 'gcivl', config: { ...learned, hidden: [79, 79], expectile: 0.7 } } },
    },
  ],
  quantity: { title: 'share of goals reached', of: 'evalReturn' },
  contrasts: [
    { id: 'directions reach more goals', kind: 'difference', arm: 'directions', over: 'goals', claim: 'above', size: 0.1, paired: true },
  ],
  // random: uniform actions, 1,000 episodes; 1 is every goal
  scale: { better: 'more', random: 0.024, ceiling: 1 },
  leftOut:
    'Goals alone: rewards told afterwards and images are not asked. The rival goes straight for the goal; what midpoints by its own values would do is not asked.',
  tunedOn: [901, 902],
  looks: [5, 10],
  quick: { run: { steps: 600, evalEpisodes: 10 }, seeds: 2 },
  scaledDown:
    'The medium maze, fifty drawn pairs of start and goal, 600 steps. Both learn from the same kind of recordings, a noisy player that goes from goal to goal, and both policies hold as many parameters; while it learns HILP has a critic and values of directions besides. Tried on seed 901: with 6,000 updates HILP reached 0.46 of the goals, 0.74 with half of the directions aimed at recorded states, 0.90 with midpoints too; the rival 0.70, and HIQL, which is no rival here, 0.90. With 3,000 updates HILP reached 0.76; the rival 0.54, with temperature 3 0.60, with expectile 0.7 0.62, which is taken: 0.55 over seeds 901 and 902.',
  dishonest: 'Goals at the ends of recorded episodes alone; settings chosen on the reported seeds; more updates for one side.',
  next: 'Train it in the laboratory, open “Value map” beside the scene and “The maze as its values lay it out”; press a place, and it goes there. Then the large maze, more updates, and HIQL as the rival.',
});
