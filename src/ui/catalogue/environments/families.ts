/** The families of environments, each with a sign, and the worlds that stand first. Apart from finding: the front page shows families and searches nothing. */
import type { EnvCard } from '#contract/catalog.ts';

/** The shop window: worlds that show at a glance what this workbench is, one or two of each kind. */
export const FINEST: readonly string[] = [
  'drone-volleyball',
  'boids',
  'overcooked',
  'drone-formation',
  'frozen-lake',
  'minigrid-doorkey',
  'mpe-simple-tag',
  'connect-four',
  'minatar-breakout',
  'mountain-car',
  'drone-gates',
  'deep-sea-treasure',
  'gridworld-memory',
];

export interface Family {
  readonly title: string;
  readonly count: number;
  /** Whose picture stands for it. */
  readonly sign: EnvCard;
}

/** By size of appeal: those with one of the finest first, then as they come. */
export function familiesOf(envs: readonly EnvCard[]): readonly Family[] {
  const members = new Map<string, EnvCard[]>();
  for (const env of envs) members.set(env.family, [...(members.get(env.family) ?? []), env]);
  const place = (all: readonly EnvCard[]): number => {
    const places = all.map(({ id }) => FINEST.indexOf(id)).filter((at) => at >= 0);
    return places.length === 0 ? FINEST.length : Math.min(...places);
  };
  return [...members]
    .map(([title, all]) => ({ title, count: all.length, at: place(all), sign: all.find(({ id }) => id === FINEST[place(all)]) ?? all[0]! }))
    .sort((a, b) => a.at - b.at)
    .map(({ title, count, sign }) => ({ title, count, sign }));
}
