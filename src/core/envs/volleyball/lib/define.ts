/** Makes an environment of a hall and a game: spaces, state, layout. */
import type { z } from 'zod';
import type { HumanAxis, Preset, ReferenceReturn, Source } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { defineEnv } from '../../api/define.ts';
import { offerOf } from '../../api/offer.ts';
import type { EnvDef, EnvEntry, EnvMeta, Offer, Score, ScriptedPolicy, Skills } from '../../api/types.ts';
import type { HallConfig } from './config.ts';
import { hallLayout } from './frame.ts';
import type { Game } from './game.ts';
import { createHall } from './hall.ts';
import { hallState } from './state.ts';

export const VOLLEYBOTS: Source = {
  title: 'VolleyBots: a testbed for multi-drone volleyball game combining motion control and strategic play',
  authors: 'Xu et al.',
  year: 2025,
  url: 'https://arxiv.org/abs/2502.01932',
};

export interface HallDef<C extends HallConfig> extends Offer {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly config: z.ZodType<C>;
  readonly presets: readonly Preset[];
  game(c: C): Game;
  maxSteps(c: C): number;
  score(c: C): Score;
  references(c: C): readonly ReferenceReturn[];
  readonly policies?: { readonly [name: string]: (config: C) => ScriptedPolicy };
  /** What drones can do for some time, and the names of that. */
  readonly skills?: { readonly names: (config: C) => readonly string[]; readonly perform: (config: C) => Skills };
  readonly checks?: EnvDef<C>['checks'];
  readonly goldenConfig?: (config: JsonObject) => JsonObject;
}

const LABELS = {
  ctbr: ['roll rate', 'pitch rate', 'yaw rate', 'thrust'],
  prt: ['rotor 1', 'rotor 2', 'rotor 3', 'rotor 4'],
  velocity: ['velocity x', 'velocity y', 'velocity z'],
};
const WIDE = 1e4;

/** Velocities can be flown by hand: away from oneself is to the net (smaller x), right is +y. */
function axesOf(c: HallConfig): readonly HumanAxis[] {
  if (c.actionType !== 'velocity') return [];
  const axis = (name: string, component: number, less: string, more: string, sign: 1 | -1, stick: HumanAxis['stick']): HumanAxis => ({
    name,
    component,
    less: [less],
    more: [more],
    low: -sign,
    high: sign,
    rest: 0,
    ...(stick && { stick }),
  });
  return [
    axis('back and to the net', 0, 'ArrowDown', 'ArrowUp', -1, 'rightY'),
    axis('left and right', 1, 'ArrowLeft', 'ArrowRight', 1, 'rightX'),
    axis('down and up', 2, 's', 'w', 1, 'leftY'),
  ];
}

export function defineHall<C extends HallConfig>(def: HallDef<C>): EnvEntry {
  const meta = (c: C): EnvMeta => {
    const game = def.game(c);
    const labels = LABELS[c.actionType];
    const size = labels.length;
    return {
      id: def.id,
      version: 1,
      agents: [
        {
          count: game.drones,
          names: game.names,
          obs: { kind: 'box', shape: [game.labels.length], low: -WIDE, high: WIDE, labels: game.labels },
          action: { kind: 'box', size, low: new Array<number>(size).fill(-1), high: new Array<number>(size).fill(1), labels },
        },
      ],
      agentCount: game.drones,
      obsSize: game.labels.length,
      actionSize: size,
      actionCount: 0,
      rewards: ['reward'],
      costs: [],
      globalSize: game.drones > 1 ? game.drones * game.labels.length : 0,
      masked: false,
      score: def.score(c),
      gamma: 0.99,
      maxSteps: def.maxSteps(c),
      evalMaxSteps: def.maxSteps(c),
      state: hallState(game),
      frame: hallLayout(c, game),
      references: def.references(c),
      keys: [],
      axes: axesOf(c),
      idleAction: null,
      ...(def.skills && { skills: def.skills.names(c) }),
      fps: Math.round(1 / c.dt),
    };
  };
  return defineEnv<C>({
    spec: {
      id: def.id,
      version: 1,
      title: def.title,
      summary: def.summary,
      source: VOLLEYBOTS,
      config: def.config,
      presets: def.presets,
      ...offerOf(def),
      meta,
    },
    create: (c, batch, options) => createHall(c, meta(c), def.game(c), batch, options),
    ...(def.checks && { checks: def.checks }),
    ...(def.policies && { policies: def.policies }),
    ...(def.skills && { skills: def.skills.perform }),
    ...(def.goldenConfig && { golden: { config: def.goldenConfig } }),
  });
}
