/** The families of environments, each with a sign, and the worlds that stand first; what a tile of the front page needs of a sign. */

import type { JsonObject } from '../kit/json.ts';
import type { EnvCard } from './catalog.ts';
import { canLearn, decides } from './learnable.ts';

/** The shop window: worlds that show at a glance what this workbench is, one or two of each kind. */
export const FINEST: readonly string[] = [
  'volley-hit-the-ball',
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
  'mujoco-walker2d',
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

/** A tile of the front page. The build writes those of its own worlds beside the page, so that the wall waits for no catalogue (tools/facts/front.ts). */
export interface Tile {
  readonly family: string;
  /** Worlds of the family. */
  readonly count: number;
  readonly id: string;
  readonly title: string;
  /** Whose picture stands until its scene moves. */
  readonly preset: string;
  readonly decides: boolean;
  readonly learnable: boolean;
  /** The best known scripted policy, and the settings in which it is shown. */
  readonly script: { readonly name: string; readonly config: JsonObject } | null;
}

/** A tile a family. */
export const tilesOf = (envs: readonly EnvCard[]): readonly Tile[] =>
  familiesOf(envs).map(({ title, count, sign }) => {
    const [first] = sign.presets;
    const [script] = sign.policies;
    return {
      family: title,
      count,
      id: sign.id,
      title: sign.title,
      preset: first?.id ?? '',
      decides: decides(sign),
      learnable: canLearn(sign),
      script: script === undefined ? null : { name: script, config: { ...sign.defaults, ...first?.config } },
    };
  });
