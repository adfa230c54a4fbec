/** P051: three ways in which a team's learning must bear change. */
import type { Branch } from '#contract/papers/forms.ts';

export const adaptabilityBranches: readonly Branch[] = [
  {
    title: 'Learning adaptability',
    leaves: [
      {
        title: 'Each for itself',
        says: 'Every agent learns as if the others were part of the world.',
        opens: { page: 'methods', id: 'ippo' },
      },
      {
        title: 'A critic that sees all',
        says: 'In training the critics see the observations of all agents.',
        opens: { page: 'methods', id: 'mappo' },
      },
      {
        title: 'A value of the team',
        says: 'The values of the agents add up to one that is learned.',
        opens: { page: 'methods', id: 'pqn-vdn' },
      },
    ],
  },
  {
    title: 'Policy adaptability',
    leaves: [
      {
        title: 'Partners who turn',
        says: 'One of the team is bought by an attacker.',
        opens: { page: 'papers', id: 'p005' },
      },
      {
        title: 'Opponents who change',
        says: 'A population of opponents is built while it is beaten.',
        opens: { page: 'papers', id: 'p064' },
      },
      {
        title: 'Partners never met',
        says: 'A team is joined without a word before.',
        waitsFor: 'partners drawn from a pool that was not trained with',
      },
    ],
  },
  {
    title: 'Scenario-driven adaptability',
    leaves: [
      {
        title: 'Other dynamics',
        says: 'Mass, force and damping shift after training: the question above.',
        opens: { page: 'papers', id: 'p051' },
      },
      {
        title: 'A range in training',
        says: 'Settings are drawn for each episode, then swept until the policy breaks.',
        opens: { page: 'lessons', id: 'unseen' },
      },
      { title: 'Each setting against each', says: 'A grid of trained here, tested there.', opens: { page: 'transfer' } },
    ],
  },
];
