/** Metrics that every learner reports, and the columns the session adds to them. */
import type { MetricCard } from '#contract/catalog.ts';
import type { VectorEnv } from '../run/vector-env.ts';

export const episodeMetrics: readonly MetricCard[] = [
  {
    id: 'episodicReturn',
    title: 'return',
    description: 'Mean score of the last 100 training episodes, exploration included.',
  },
  { id: 'episodeLength', title: 'episode length', description: 'Mean length of the last 100 training episodes.', unit: 'steps' },
  { id: 'episodes', title: 'episodes', description: 'Training episodes finished so far.' },
];

export function episodeRow(env: VectorEnv): { episodicReturn: number; episodeLength: number; episodes: number } {
  const { episodes } = env;
  return { episodicReturn: episodes.meanReturn(), episodeLength: episodes.meanLength(), episodes: episodes.finished };
}
