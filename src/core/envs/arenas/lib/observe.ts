/**
 * What units of SMAX see: a list of the others, or 64 places in 32 directions, and the state of the whole battle.
 * Source: JaxMARL at c793d09, `smax_env.py`.
 */
import { atan2 } from '#math/functions.ts';
import { distance, type Field, foesOf, healthOf, type Row, typeOf } from './battle.ts';
import { COOLDOWN, HEALTH, SIGHT } from './units.ts';

export const BLOCK = 13;
export const OWN = 10;
const SECTORS = 32;
const SLOTS = 2;

export const obsLength = (units: number, conic: boolean): number => BLOCK * (conic ? SECTORS * SLOTS : units - 1) + OWN;
export const stateLength = (units: number): number => 12 * units;

/** Share of the cooldown that is left, in [0, 1]. */
function waiting(field: Field, { floats, f }: Row, i: number, type: number): number {
  const share = floats[f + field.cooldown + i]! / COOLDOWN[type]!;
  return share < 0 ? 0 : share > 1 ? 1 : share;
}

/** Unit j as unit i sees it, from out[at] on. */
function writeBlock(field: Field, row: Row, i: number, j: number, out: Float32Array, at: number): void {
  const { floats, words, f, w } = row;
  const type = typeOf(field, row, j);
  const sight = SIGHT[typeOf(field, row, i)]!;
  const [a, b] = [f + field.pos + 2 * i, f + field.pos + 2 * j];
  out[at] = healthOf(field, row, j) / HEALTH[type]!;
  out[at + 1] = (floats[b]! - floats[a]!) / sight;
  out[at + 2] = (floats[b + 1]! - floats[a + 1]!) / sight;
  if (field.seeActions || i < field.allies === j < field.allies) {
    out[at + 3] = floats[f + field.move + 2 * j]!;
    out[at + 4] = floats[f + field.move + 2 * j + 1]!;
    out[at + 5] = words[w + field.attack + j]! / (foesOf(field, j) + 4);
  }
  out[at + 6] = waiting(field, row, j, type);
  out[at + 7 + type] = 1;
}

/** All that unit i sees, from out[at] on; a dead one sees zeros. */
export function writeObs(field: Field, row: Row, i: number, out: Float32Array, at: number): void {
  const { floats, f } = row;
  const { units, allies } = field;
  const length = obsLength(units, field.conic);
  out.fill(0, at, at + length);
  if (healthOf(field, row, i) <= 0) return;
  const type = typeOf(field, row, i);
  const sight = SIGHT[type]!;
  if (field.conic) writeSectors(field, row, i, out, at);
  else {
    let block = at;
    for (let k = 0; k < units; k++) {
      const j = i < allies ? k : units - 1 - k;
      if (j === i) continue;
      if (healthOf(field, row, j) > 0 && distance(field, row, i, j) < sight) writeBlock(field, row, i, j, out, block);
      block += BLOCK;
    }
  }
  const own = at + length - OWN;
  out[own] = healthOf(field, row, i) / HEALTH[type]!;
  out[own + 1] = floats[f + field.pos + 2 * i]! / field.width;
  out[own + 2] = floats[f + field.pos + 2 * i + 1]! / field.height;
  out[own + 3] = waiting(field, row, i, type);
  out[own + 4 + type] = 1;
}

/** The first two others of each direction, by number. As in the reference, unit 0 is never among them and dead units are. */
function writeSectors(field: Field, row: Row, i: number, out: Float32Array, at: number): void {
  const { floats, f } = row;
  const taken = new Uint8Array(SECTORS);
  const a = f + field.pos + 2 * i;
  const sight = SIGHT[typeOf(field, row, i)]!;
  for (let j = 1; j < field.units; j++) {
    if (j === i || distance(field, row, i, j) >= sight) continue;
    const b = f + field.pos + 2 * j;
    const sector = (atan2(floats[b + 1]! - floats[a + 1]!, floats[b]! - floats[a]!) / Math.PI + 1) * (SECTORS / 2);
    const k = Math.floor(sector);
    if (k === sector || k >= SECTORS || taken[k]! >= SLOTS) continue; // exact borders belong to no direction
    writeBlock(field, row, i, j, out, at + BLOCK * (SLOTS * k + taken[k]!));
    taken[k] = taken[k]! + 1;
  }
}

/** The whole battle: ten numbers of each unit, teams, kinds; 12 numbers for each unit, from out[at] on. */
export function writeState(field: Field, row: Row, out: Float32Array, at: number): void {
  const { floats, f } = row;
  const { units } = field;
  out.fill(0, at, at + stateLength(units));
  for (let i = 0; i < units; i++) {
    const type = typeOf(field, row, i);
    out[at + 10 * units + i] = i < field.allies ? 0 : 1;
    out[at + 11 * units + i] = type;
    if (healthOf(field, row, i) <= 0) continue;
    const to = at + 10 * i;
    out[to] = healthOf(field, row, i) / HEALTH[type]!;
    out[to + 1] = floats[f + field.pos + 2 * i]!;
    out[to + 2] = floats[f + field.pos + 2 * i + 1]!;
    out[to + 3] = floats[f + field.cooldown + i]!;
    out[to + 4 + type] = 1;
  }
}
