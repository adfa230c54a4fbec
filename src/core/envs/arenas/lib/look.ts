/** A battle from above: units as discs with the sign of their kind, health as a bar above each, lines of fire, dead units as faint rings. */
import type { PointGroup, PointsLayout } from '#contract/game/frames.ts';
import { ATTACK, canAttack, type Field, foeOf, healthOf, type Row, typeOf } from './battle.ts';
import { HEALTH, RADIUS, type Sides } from './units.ts';

const ALLY = 0;
const ENEMY = 1;
const COLUMNS = 6;

/** Points: the units alive, then the same units dead; lines: health, its lost part, fire. */
export function layoutOf({ allies, enemies }: Sides, width: number, height: number): PointsLayout {
  const units = allies + enemies;
  const groups: PointGroup[] = [
    { name: 'ally', count: allies, shape: 'disc', numbered: true },
    { name: 'enemy', count: enemies, shape: 'disc', numbered: true },
    { name: 'dead ally', count: allies, shape: 'landmark' },
    { name: 'dead enemy', count: enemies, shape: 'landmark' },
  ];
  const names = (dead: string) => [
    ...Array.from({ length: allies }, (_, i) => `${dead}ally ${i + 1}`),
    ...Array.from({ length: enemies }, (_, i) => `${dead}enemy ${i + 1}`),
  ];
  return {
    kind: 'points',
    count: 2 * units,
    bounds: [0, 0, width, height],
    names: [...names(''), ...names('dead ')],
    groups,
    lines: 2 * units,
  };
}

/** Writes the frame of a row. */
export function writeFrame(field: Field, row: Row, out: Float32Array): void {
  const { floats, words, f, w } = row;
  const { units, allies } = field;
  const lines = COLUMNS * 2 * units;
  for (let i = 0; i < units; i++) {
    const type = typeOf(field, row, i);
    const [x, y] = [floats[f + field.pos + 2 * i]!, floats[f + field.pos + 2 * i + 1]!];
    const alive = healthOf(field, row, i) > 0;
    const colour = i < allies ? ALLY : ENEMY;
    const radius = RADIUS[type]!;
    for (const [k, shown] of [
      [i, alive],
      [units + i, !alive],
    ] as const) {
      const at = COLUMNS * k;
      out[at] = x;
      out[at + 1] = y;
      out[at + 2] = 0;
      out[at + 3] = 0;
      out[at + 4] = shown ? radius : 0;
      out[at + 5] = colour;
    }
    const bar = lines + COLUMNS * i;
    const share = healthOf(field, row, i) / HEALTH[type]!;
    const top = y + radius + 0.35;
    out[bar] = x - radius;
    out[bar + 1] = top;
    out[bar + 2] = x - radius + 2 * radius * share;
    out[bar + 3] = top;
    out[bar + 4] = colour;
    out[bar + 5] = alive ? 1 : 0;
    const fire = lines + COLUMNS * (units + i);
    const action = words[w + field.attack + i]!;
    const shoots = action >= ATTACK && canAttack(field, row, i, action - ATTACK);
    const j = shoots ? foeOf(field, i, action - ATTACK) : i;
    out[fire] = x;
    out[fire + 1] = y;
    out[fire + 2] = floats[f + field.pos + 2 * j]!;
    out[fire + 3] = floats[f + field.pos + 2 * j + 1]!;
    out[fire + 4] = colour;
    out[fire + 5] = shoots ? 0.5 : 0;
  }
}
