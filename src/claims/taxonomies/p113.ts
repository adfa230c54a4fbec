/** P113: how forgetting is met, and what of biological systems the review looks at. */
import type { Branch } from '#contract/papers/forms.ts';

export const continualReviewBranches: readonly Branch[] = [
  {
    title: 'Against forgetting',
    leaves: [
      {
        title: 'Penalties on weights',
        says: 'Weights that an earlier task needed are held where they are (EWC).',
        opens: { page: 'lessons', id: 'forgets' },
      },
      {
        title: 'Parts together',
        says: 'A penalty, rehearsal and resets in one learner, each on or off.',
        opens: { page: 'papers', id: 'p014' },
      },
      { title: 'Networks that grow', says: 'A new task gets units of its own.', waitsFor: 'networks that grow' },
    ],
  },
  {
    title: 'After biological systems',
    leaves: [
      {
        title: 'Structural plasticity',
        says: 'Units that do nothing are started anew: resets, under “against forgetting” of DQN.',
        opens: { page: 'methods', id: 'dqn' },
      },
      {
        title: 'Memory replay',
        says: 'Steps of earlier tasks are learned again beside new ones: the question above.',
        opens: { page: 'papers', id: 'p113' },
      },
      {
        title: 'Curriculum and transfer',
        says: 'What is trained in one setting is tested in all others.',
        opens: { page: 'transfer' },
      },
      { title: 'Intrinsic motivation', says: 'What is new is paid for.', opens: { page: 'papers', id: 'p063' } },
      { title: 'Several senses', says: 'The same state is observed by sight and by sound.', waitsFor: 'a world with two senses' },
    ],
  },
];
