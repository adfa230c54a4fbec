/** Where units begin: two groups that face each other, or drawn kinds and places (SMACv2). JaxMARL at c793d09, `distributions.py`. */
import type { Draws } from '#core/envs/api/draws.ts';
import type { Field, Row } from './battle.ts';
import { UNITS } from './units.ts';

const SPREAD = 4;

/** Writes places, and kinds where they are drawn, of the row with this number. */
export function place(field: Field, row: Row, drawn: boolean, draws: Draws, index: number): void {
  const { floats, words, f, w } = row;
  const { allies, units, width, height } = field;
  const u = (name: string) => draws.uniform(index, name);
  const put = (i: number, x: number, y: number) => {
    floats[f + field.pos + 2 * i] = x;
    floats[f + field.pos + 2 * i + 1] = y;
  };
  const near = (i: number, x: number, y: number) => put(i, x + SPREAD * (u('place') - 0.5), y + SPREAD * (u('place') - 0.5));
  if (!drawn) {
    for (let i = 0; i < units; i++) near(i, (i < allies ? 0.25 : 0.75) * width, height / 2);
    return;
  }
  for (let i = 0; i < allies; i++) {
    const type = draws.int(index, UNITS.length, 'kind');
    words[w + field.types + i] = type;
    if (allies + i < units) words[w + field.types + allies + i] = type;
  }
  if (u('reflected') < 0.5) {
    for (let i = 0; i < units; i++) {
      const of = i - allies;
      const at = f + field.pos + 2 * of;
      if (i < allies) put(i, (u('place') * width) / 2, u('place') * height);
      else if (of < allies) put(i, width - floats[at]!, floats[at + 1]!);
      else put(i, (width * (1 + u('place'))) / 2, u('place') * height);
    }
    return;
  }
  const alliesInside = u('inside') < 0.5;
  const groups = [0, 1, 2, 3].map(() => u('group distance'));
  for (let i = 0; i < units; i++) {
    if (i < allies === alliesInside) {
      near(i, width / 2, height / 2);
      continue;
    }
    const g = draws.int(index, groups.length, 'group');
    const t = groups[g]!;
    near(i, (t * width) / 2 + (1 - t) * (g >= 2 ? width : 0), (t * height) / 2 + (1 - t) * (g % 2 === 1 ? height : 0));
  }
}
