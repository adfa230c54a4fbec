/** Where the fields of the state stand within a row. */

import { fieldLength } from '#core/envs/api/state.ts';
import type { StateSpec } from '#core/envs/api/types.ts';
import type { Field } from './battle.ts';
import { type Config, teamsOf } from './config.ts';

/** Where a field of config.ts begins among the floats or the words of a row. */
export function placeOf(state: StateSpec, name: string): number {
  let at = 0;
  const own = state.fields.find((field) => field.name === name);
  for (const field of state.fields) {
    if (field === own) break;
    if ((field.type === 'f64') === (own?.type === 'f64')) at += fieldLength(field);
  }
  return at;
}

/** `state`: the fields of config.ts. */
export function fieldOf(c: Config, state: StateSpec): Field {
  const { allies, enemies } = teamsOf(c);
  const place = (name: string): number => placeOf(state, name);
  return {
    allies,
    enemies,
    units: allies + enemies,
    width: c.mapWidth,
    height: c.mapHeight,
    dt: c.timePerStep,
    worldSteps: c.worldSteps,
    wallsKill: c.wallsCauseDeath,
    seeActions: c.seeEnemyActions,
    conic: c.observationType === 'conic',
    pos: place('pos'),
    health: place('health'),
    cooldown: place('cooldown'),
    move: place('prevMove'),
    home: place('home'),
    types: place('types'),
    attack: place('prevAttack'),
  };
}
