import { expect, it } from 'vitest';
import type { FieldSchema } from '#contract/catalog.ts';
import { getAlgo } from '../all.ts';
import golden from '../golden/settings.json' with { type: 'json' };

/** How a field is shown: free to change. All else (key, kind, default, range, source) is in links, files and results. */
const WORDS = new Set(['title', 'description', 'unit', 'slider', 'log', 'live', 'depth', 'group', 'empty', 'actsWhere']);

const stored = (field: FieldSchema): object =>
  Object.fromEntries(
    Object.entries(field)
      .filter(([key]) => !WORDS.has(key))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

// Recorded before settings were written once for all methods. A method whose settings change gets a new version and a new record; one that
// is not recorded is new, and its first links hold what it begins with.
const recorded: Readonly<Record<string, object>> = golden;
it.each(Object.entries(recorded))('the settings of %s have the keys, defaults, ranges and sources they had', (id, settings) => {
  const { properties = {} } = getAlgo(id).schema;
  expect(Object.fromEntries(Object.entries(properties).map(([key, field]) => [key, stored(field)]))).toEqual(settings);
});
