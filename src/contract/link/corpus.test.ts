import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { canonicalJson, utf8 } from '../kit/canonical.ts';
import { sha256 } from '../run/config-hash.ts';
import { decodeLink } from './link.ts';

interface Row {
  readonly link: string;
  readonly hash: string;
  readonly config: unknown;
  readonly view: unknown;
}

const { schemas } = JSON.parse(readFileSync(new URL('./golden/links.json', import.meta.url), 'utf8')) as {
  schemas: Record<string, readonly Row[]>;
};

test.each(Object.entries(schemas))('every link of schema %s that was ever given out means what it meant', (_version, rows) => {
  expect(rows.length).toBeGreaterThan(10);
  for (const { link, hash, config, view } of rows) {
    const opened = decodeLink(link);
    expect(opened).toMatchObject({ config, view, experiment: null });
    expect(sha256(utf8(canonicalJson({ config: opened?.config, view: opened?.view }))).slice(0, 12)).toBe(hash);
  }
});
