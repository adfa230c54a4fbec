/** What the bsuite tasks have in common. */
import type { Source } from '#contract/catalog/catalog.ts';

export const BSUITE: Source = {
  title: 'Behaviour Suite for Reinforcement Learning',
  authors: 'Osband et al.',
  year: 2020,
  url: 'https://arxiv.org/abs/1908.03568',
};
