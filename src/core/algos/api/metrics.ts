/** Metrics that every learner reports, and the columns the session adds to them. */
import type { MetricCard } from '#contract/catalog.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import type { VectorEnv } from '../../envs/api/vector-env.ts';

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

const skillColumn = (name: string): string => `skill.${name}`;

/** Columns of whoever chooses among the skills of this environment: what share of the steps each of them is performed. */
export function skillMetrics(meta: EnvMeta): readonly MetricCard[] {
  return (meta.skills ?? []).map((name) => ({
    id: skillColumn(name),
    title: `share of "${name}"`,
    description: `Share of the steps since the last update in which "${name}" was performed.`,
  }));
}

/** `used`: how often each skill was performed. */
export function skillShares({ skills = [] }: EnvMeta, used: Float64Array): Readonly<Record<string, number>> {
  const total = used.reduce((a, b) => a + b, 0);
  return Object.fromEntries(skills.map((name, i) => [skillColumn(name), used[i]! / total]));
}
