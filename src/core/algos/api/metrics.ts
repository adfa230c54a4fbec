/** Metrics that every learner reports, and the columns the session adds to them. */
import type { MetricCard } from '#contract/catalog/catalog.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import type { VectorEnv } from '../../envs/api/vector-env.ts';
import { checkFinite } from './guards.ts';

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

/** Columns of learners on tokens, whatever their loss. */
export const tokenMetrics = {
  reward: { id: 'reward', title: 'reward', description: 'Mean reward of the completions of the last update.' },
  tokens: {
    id: 'tokens',
    title: 'completion length',
    description: 'Mean tokens written per completion of the last update.',
    unit: 'tokens',
  },
  entropy: {
    id: 'entropy',
    title: 'entropy',
    description: 'Mean entropy of the next token where the policy wrote, nats.',
    unit: 'nats',
  },
  clipFraction: { id: 'clipFraction', title: 'clip fraction', description: 'Share of tokens whose ratio was limited in the last update.' },
  approxKl: {
    id: 'approxKl',
    title: 'KL before the last step',
    description:
      'From the policy before the last step of an update to the one that sampled, mean k3 per token: 0 where an update is a single step.',
    unit: 'nats',
  },
  updateKl: {
    id: 'updateKl',
    title: 'KL of the update',
    description: 'Between the policies before and after the update, mean k3 per token over some of its lines.',
    unit: 'nats',
  },
  taught: {
    id: 'taught',
    title: 'share that teaches',
    description: 'Share of what the last update learned from whose advantage is not 0. 0: no reward moves the parameters.',
  },
  gradNorm: { id: 'gradNorm', title: 'gradient norm', description: 'Before clipping, in the last update.' },
  cloneLoss: { id: 'cloneLoss', title: 'cloning loss', description: 'Cross-entropy per token of the demonstrations.', unit: 'nats' },
} as const satisfies { readonly [id: string]: MetricCard };

/** Means of what updates reported since the last row. */
export class RowMeans<Name extends string> {
  private readonly names: readonly Name[];
  private readonly sums = new Map<Name, number>();
  private readonly counts = new Map<Name, number>();

  constructor(names: readonly Name[]) {
    this.names = names;
  }

  add(name: Name, value: number): void {
    this.sums.set(name, (this.sums.get(name) ?? 0) + value);
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  /** Of the outputs of a program those with these names. */
  addAll(names: readonly Name[], outputs: { readonly [name: string]: Float32Array | undefined }): void {
    for (const name of names) {
      const found = outputs[name];
      if (found !== undefined) this.add(name, found[0]!);
    }
  }

  /** The means, NaN where nothing was added; starts over. Throws LabError('nan-loss') naming what is not finite. */
  take(step: number): Record<Name, number> {
    checkFinite(step, Object.fromEntries(this.sums));
    const means = this.names.map((name) => [name, (this.sums.get(name) ?? Number.NaN) / (this.counts.get(name) ?? 1)]);
    this.sums.clear();
    this.counts.clear();
    return Object.fromEntries(means) as Record<Name, number>;
  }
}

const skillColumn = (name: string): string => `skill.${name}`;

/** Columns of a policy that chooses among the skills of this environment: what share of the steps each of them is performed. */
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
