/** Every registered method, as its file declares it: card, presets, probes, a trial that is interrupted and resumed. */
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { algoSuite } from '../testing/algo-suite.ts';
import { algos } from './all.ts';

it('every file on top of a family is a registered method of that name', () => {
  const files = readdirSync('src/core/algos', { recursive: true, encoding: 'utf8' }).flatMap(
    (file) => /^(?!api|lib|extensions)[\w-]+[\\/]([\w-]+)\.ts$/.exec(file)?.[1] ?? [],
  );
  expect(files.sort()).toEqual(algos.map(({ id }) => id).sort());
});

for (const algo of algos) algoSuite(algo);
