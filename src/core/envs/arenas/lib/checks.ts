/** Single rules that golden files test without a battle. */
import { type Json, type JsonObject, objectOf } from '#contract/kit/json.ts';
import { nest } from '#core/envs/api/state.ts';
import type { EnvDef } from '#core/envs/api/types.ts';
import { createScratch, type Field, order, orderContinuous, push, type Row } from './battle.ts';
import { type Config, config, meta, teamsOf } from './config.ts';
import { obsLength, stateLength } from './observe.ts';
import { fieldOf } from './state.ts';

/** Numbers of a list, lists in it one after the other. */
const flat = (value: Json | undefined): number[] => (Array.isArray(value) ? value.flatMap((x: Json) => flat(x)) : [Number(value)]);

/** A row of so many units of each team, all marines at full health. */
function rowOf(allies: number, enemies: number): { readonly field: Field; readonly row: Row } {
  const c = config.parse({ allyTypes: new Array(allies).fill('marine'), enemyTypes: new Array(enemies).fill('marine') });
  const { state } = meta(c);
  const field = fieldOf(c, state);
  return { field, row: { floats: new Float64Array(state.bytes / 8).fill(1), words: new Uint32Array(state.bytes / 4), f: 0, w: 0 } };
}

function movesOf(field: Field, row: Row): JsonObject {
  const move = Array.from(row.floats.subarray(field.move, field.move + 2 * field.units));
  return { move: nest(move, [field.units, 2]), attack: Array.from(row.words.subarray(field.attack, field.attack + field.units)) };
}

export const checks: NonNullable<EnvDef<Config>['checks']> = {
  push(_c, { types, alive, pos }) {
    const kinds = flat(types);
    const { field, row } = rowOf(1, kinds.length - 1);
    row.words.set(kinds, field.types);
    row.floats.set(flat(alive), field.health);
    row.floats.set(flat(pos), field.pos);
    push(field, row, createScratch(field.units));
    return { pos: nest(Array.from(row.floats.subarray(field.pos, field.pos + 2 * field.units)), [field.units, 2]) };
  },
  'action-vector'(_c, { action }) {
    const { field, row } = rowOf(1, 40);
    order(field, row, 0, Number(action));
    return { move: Array.from(row.floats.subarray(field.move, field.move + 2)), attack: row.words[field.attack]! };
  },
  'continuous-actions'(_c, { allies, enemies, pos, prevAttack, actions }) {
    const { field, row } = rowOf(Number(allies), Number(enemies));
    row.floats.set(flat(pos), field.pos);
    row.words.set(flat(prevAttack), field.attack);
    const given = flat(actions);
    for (let i = 0; i < field.units; i++) {
      const [shoot = 0, move = 0, radius = 0, angle = 0] = given.slice(4 * i);
      orderContinuous(field, row, i, move === 1, shoot === 1, radius, angle);
    }
    return movesOf(field, row);
  },
  sizes(_c, { scenario }) {
    const sides = teamsOf(config.parse(objectOf({ scenario: scenario ?? null })));
    const units = sides.allies + sides.enemies;
    return {
      allies: sides.allies,
      enemies: sides.enemies,
      obsSize: obsLength(units, false),
      obsSizeConic: obsLength(units, true),
      stateSize: stateLength(units),
      allyActions: 5 + sides.enemies,
      enemyActions: 5 + sides.allies,
    };
  },
};
