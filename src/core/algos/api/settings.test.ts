import { expect, it } from 'vitest';
import type { FieldSchema } from '#contract/catalog.ts';
import golden from '../golden/settings.json' with { type: 'json' };
import { algos } from '../index.ts';

/** How a field is shown: free to change. All else (key, kind, default, range, source) is in links, files and results. */
const WORDS = new Set(['title', 'description', 'unit', 'slider', 'log', 'live', 'depth', 'group', 'empty']);

const stored = (field: FieldSchema): object =>
  Object.fromEntries(
    Object.entries(field)
      .filter(([key]) => !WORDS.has(key))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

// Recorded before settings were written once for all methods. A method whose settings change gets a new version and a new record.
it.each(algos.map((algo) => [algo.id, algo] as const))(
  'the settings of %s have the keys, defaults, ranges and sources they had',
  (id, algo) => {
    const settings = Object.fromEntries(Object.entries(algo.schema.properties ?? {}).map(([key, field]) => [key, stored(field)]));
    expect(settings).toEqual((golden as Record<string, object>)[id]);
  },
);
