/** The scripted team of SMAX: JaxMARL at c793d09, `heuristic_enemy.py`. It knows the living foes within its sight. */
import { ATTACK, distance, type Field, foeOf, foesOf, healthOf, MOVE_X, MOVE_Y, MOVES, type Row, typeOf } from './battle.ts';
import { RANGE, SIGHT } from './units.ts';

export interface Manner {
  readonly shoots: boolean;
  /** Whether it takes the nearest target; else any. */
  readonly closest: boolean;
}

export interface Decision {
  action: number;
  /** Foe it remembers, -1: none. */
  last: number;
}

/** Writes the default point of every unit: its place mirrored through the middle of the map; of dead ones, which see nothing, the far corner. */
export function setHomes(field: Field, row: Row): void {
  const { floats, f } = row;
  for (let i = 0; i < field.units; i++) {
    const alive = healthOf(field, row, i) > 0 ? 1 : 0;
    floats[f + field.home + 2 * i] = field.width - alive * floats[f + field.pos + 2 * i]!;
    floats[f + field.home + 2 * i + 1] = field.height - alive * floats[f + field.pos + 2 * i + 1]!;
  }
}

/**
 * What a living unit does whose last target was foe `last` (-1: none). `pick(n, attack)` is drawn from 0..n-1: of the foes that can be shot
 * at where `attack`, else of those in sight.
 */
export function decide(
  field: Field,
  row: Row,
  i: number,
  last: number,
  manner: Manner,
  pick: (n: number, attack: boolean) => number,
  out: Decision,
): void {
  const { floats, f } = row;
  const type = typeOf(field, row, i);
  let seen = 0;
  let shootable = 0;
  let nearest = -1;
  let least = Number.POSITIVE_INFINITY;
  let kept = -1;
  const n = foesOf(field, i);
  const sees = (k: number, reach: number) => {
    const j = foeOf(field, i, k);
    return healthOf(field, row, j) > 0 && distance(field, row, i, j) < reach;
  };
  const reach = Math.min(SIGHT[type]!, RANGE[type]!);
  for (let k = 0; k < n; k++) {
    const j = foeOf(field, i, k);
    if (healthOf(field, row, j) <= 0) continue;
    const far = distance(field, row, i, j);
    if (far < SIGHT[type]!) seen++;
    if (far >= reach) continue;
    shootable++;
    if (k === last) kept = k;
    if (far < least) {
      least = far;
      nearest = k;
    }
  }
  /** Foe number `nth` of those within `far`. */
  const nthOf = (nth: number, far: number): number => {
    let left = nth;
    for (let k = 0; k < n; k++) if (sees(k, far) && left-- === 0) return k;
    return -1;
  };
  out.last = -1;
  if (shootable > 0) out.last = kept >= 0 ? kept : manner.closest ? nearest : nthOf(pick(shootable, true), reach);
  if (out.last >= 0 && manner.shoots) {
    out.action = ATTACK + out.last;
    return;
  }
  const goal = seen > 0 ? f + field.pos + 2 * foeOf(field, i, nthOf(pick(seen, false), SIGHT[type]!)) : f + field.home + 2 * i;
  const x = floats[goal]! - floats[f + field.pos + 2 * i]!;
  const y = floats[goal + 1]! - floats[f + field.pos + 2 * i + 1]!;
  out.action = 0;
  let most = Number.NEGATIVE_INFINITY;
  for (let a = 0; a < MOVES; a++) {
    const along = x * MOVE_X[a]! + y * MOVE_Y[a]!;
    if (along <= most) continue;
    most = along;
    out.action = a;
  }
}
