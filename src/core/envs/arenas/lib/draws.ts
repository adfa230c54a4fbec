/** Draws that a golden file lists: one number for each unit in rows that come again (golden/README-environments, smax). */
import { fail } from '#contract/kit/errors.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import type { DrawSource } from '../../api/types.ts';

const FIELDS = { cooldown: 'cooldown', target: 'enemyTarget', attack: 'enemyAttack' } as const;

/** Names are `kind time unit`. Throws LabError('file-invalid') for a draw that is not listed. */
export function battleDraws(draws: JsonObject): DrawSource {
  const numberAt = (list: Json | undefined, at: number): Json | undefined =>
    Array.isArray(list) ? list.map((x): Json => x)[at % list.length] : undefined;
  return {
    uniform(_row, name) {
      const [kind = '', time = '', unit = ''] = name.split(' ');
      const field = Object.entries(FIELDS).find(([known]) => known === kind)?.[1];
      const value = field === undefined ? undefined : numberAt(numberAt(draws[field], Number(time)), Number(unit));
      if (typeof value !== 'number') throw fail('file-invalid', `The draw "${name}" is not listed.`, 'List it in draws.');
      return value;
    },
    int: () => undefined,
  };
}
