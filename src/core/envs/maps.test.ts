import { expect, it } from 'vitest';
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { checkMaps } from '#contract/game/map-check.ts';
import type { Json } from '#contract/kit/json.ts';
import { envs } from '../testing/ready.ts';

const fields = envs.flatMap((entry) =>
  Object.entries(entry.schema.properties ?? {})
    .filter(([, field]) => field.editor === 'grid-map')
    .map(([key, field]) => ({ name: `${entry.id}.${key}`, entry, key, field })),
);

const isRows = (value: Json | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every((row) => typeof row === 'string');

it.each(fields)('$name says what its maps are made of, and its own maps are made of that', ({ entry, key, field }) => {
  const format = (field as FieldSchema).map;
  if (format === undefined) throw new Error('a field with the map editor needs `map`');
  expect(entry.checkNew, 'an environment with maps needs `checkNew: checkMaps`').toBe(checkMaps);
  const codes = format.tiles.flatMap((tile) => (tile.coloured ? (format.colours ?? []).map(({ code }) => tile.code + code) : [tile.code]));
  expect(new Set(codes).size).toBe(codes.length);
  const properties = Object.keys(entry.schema.properties ?? {});
  if (format.start !== undefined) expect(properties).toContain(format.start);
  if (format.begin !== undefined) expect(properties).toContain(format.begin.by);
  if (format.edge !== undefined) expect(codes).toContain(format.edge);
  for (const rule of format.rules) {
    const named =
      rule.rule === 'whole'
        ? []
        : rule.rule === 'reach'
          ? [...rule.from, ...rule.to]
          : rule.rule === 'equal'
            ? [...rule.of, ...rule.as]
            : rule.of;
    for (const code of named) expect(codes, rule.says).toContain(code);
    expect(rule.says).toMatch(/\.$/);
  }
  const own = [entry.parse({})[key], ...entry.presets.map((preset) => entry.parse(preset.config)[key])].filter(isRows);
  for (const rows of [...own, ...Object.values(format.begin?.rows ?? {})])
    for (const row of rows)
      for (const code of format.apart === true ? row.trim().split(/\s+/) : row) {
        // floors, walls and goals of one's own colour are legal where the editor offers one colour only
        const [letter] = code;
        expect(
          codes.some((known) => known === code || (format.apart === true && known[0] === letter)),
          code,
        ).toBe(true);
      }
});

it('every tile of every format is a letter that the config knows', () => {
  for (const { entry, key, field } of fields) {
    const format = (field as FieldSchema).map;
    const start = entry.presets.map((preset) => entry.parse(preset.config)[key]).find(isRows);
    const rows = start ?? Object.values(format?.begin?.rows ?? {})[0];
    for (const tile of format?.tiles ?? []) {
      if (rows === undefined || tile.once === true) continue;
      const code = tile.coloured ? tile.code + (format?.colours?.[0]?.code ?? '') : tile.code;
      const cells = rows.map((row) => (format?.apart ? row.trim().split(/\s+/) : [...row]));
      const at = cells.flatMap((row, y) => row.map((c, x) => [c, x, y] as const)).findLast(([c]) => c === format?.tiles[0]?.code);
      if (at === undefined) continue;
      (cells[at[2]] as string[])[at[1]] = code;
      const map = cells.map((row) => row.join(format?.apart ? ' ' : ''));
      // a map may lack something now (a target for the new box), but the letter is known
      try {
        entry.meta({ [key]: map });
      } catch (error) {
        expect((error as Error).message, `${entry.id}: ${tile.title}`).not.toMatch(/cannot be|is no cell/);
      }
    }
  }
});
