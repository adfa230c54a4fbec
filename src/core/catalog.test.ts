import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { algos } from './algos/index.ts';
import { buildCatalog } from './catalog.ts';

it('the catalogue is plain data: it survives a structured clone and JSON', () => {
  const catalog = buildCatalog();
  expect(structuredClone(catalog)).toEqual(catalog);
  expect(JSON.parse(JSON.stringify(catalog))).toEqual(catalog);
  expect(catalog.envs.length).toBeGreaterThan(0);
  // Each stands in one family.
  for (const cards of [catalog.envs, catalog.algos]) expect(new Set(cards.map(({ id }) => id)).size).toBe(cards.length);
});

/** Methods stand on top of their family's folder. */
const methodFiles = readdirSync('src/core/algos', { recursive: true, encoding: 'utf8' }).flatMap(
  (file) => /^(?!api|lib)[\w-]+[\\/]([\w-]+\.ts)$/.exec(file)?.[1] ?? [],
);

describe.each(algos.map((algo) => [algo.id, algo] as const))('%s', (id, algo) => {
  it('has the name of its file, a complete source, and fields that explain themselves', () => {
    expect(methodFiles).toContain(`${id}.ts`);
    expect(algo.source.authors).not.toBe('');
    expect(algo.source.year).toBeGreaterThan(1900);
    for (const [name, field] of Object.entries(algo.schema.properties ?? {})) {
      expect(field.title, `${id}.${name}`).toBeTruthy();
      expect(field.description, `${id}.${name}`).toMatch(/\.$/);
      expect(field.default, `${id}.${name}`).not.toBe(undefined);
    }
  });
  it('has presets that parse and differ from the defaults', () => {
    expect(algo.parse(algo.parse({}))).toEqual(algo.parse({}));
    for (const preset of algo.presets) expect(algo.parse(preset.config)).not.toEqual(algo.parse({}));
  });
  it('describes every metric', () => {
    for (const metric of algo.metrics) expect(metric.description).toMatch(/[.!]$/);
    expect(new Set(algo.metrics.map((m) => m.id)).size).toBe(algo.metrics.length);
  });
});
