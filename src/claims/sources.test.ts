/** What a card says of its source is there: files, names in them, settings of its arms; a guess names searches. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Json, objectOf } from '#contract/kit/json.ts';
import { armConfig, type JudgedCard } from '#contract/papers/papers.ts';
import { isGuess, ourLine, type ReadSource } from '#contract/papers/source.ts';
import { completeRun } from '#core/run/loaded.ts';
import { definePaper } from './define.ts';
import { comparisons, paperOf } from './index.ts';
import { judgedPapers as papers } from './papers/index.ts';

/** Whether one arm at least has the setting. */
function isSet({ arms, ...paper }: JudgedCard, path: readonly string[]): boolean {
  return arms.some((arm) => {
    const { env, algo, run } = completeRun(armConfig({ ...paper }, arm));
    const found = path.reduce<unknown>((at, key) => (at === null || at === undefined ? undefined : objectOf(at as Json)[key]), {
      env,
      algo,
      run,
    });
    return found !== undefined;
  });
}

/** What of our lines is not there. */
function missing(paper: JudgedCard, { table }: ReadSource): readonly string[] {
  return table.flatMap(({ ours, state }) => {
    const line = state === 'left out' ? null : ourLine(ours);
    if (line === null) return [];
    if ('setting' in line) return isSet(paper, line.setting) ? [] : [ours];
    if (!existsSync(line.file)) return [line.file];
    const text = readFileSync(line.file, 'utf8');
    return line.names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text)).map((name) => `${line.file} (${name})`);
  });
}

const sourced = papers.flatMap((paper) => (paper.source === null ? [] : [[paper.id, paper, paper.source] as const]));

test('every paper has a source, and a comparison of our own none', () => {
  expect(sourced.map(([id]) => id)).toEqual(papers.map(({ id }) => id));
  for (const { id, source } of comparisons) expect(source, id).toBeNull();
});

describe.each(sourced)('%s', (_, paper, source) => {
  test('has a table whose lines of ours are there, or the searches of a guess', () => {
    if (isGuess(source)) {
      for (const search of source.guess.searches) expect(search).toMatch(/^[A-Z“].{15,}\.$/);
      return;
    }
    expect(source.read).toMatch(/\w{3}.*\.$/);
    expect(missing(paper, source)).toEqual([]);
  });
});

describe('definePaper refuses a source that says nothing', () => {
  const { exempt: _, ...told } = paperOf('P021')!;
  const row = { of: 'eq. 1', ours: 'src/core/algos/value/mansa.ts (train)', state: 'kept' } as const;
  test.each([
    [{ guess: { searches: [] } }, 'names the searches'],
    [{ read: '', table: [row] }, 'what was read'],
    [{ read: 'Code.', table: [] }, 'nothing kept'],
    [{ read: 'Code.', table: [{ ...row, state: 'changed', note: 'Other.' }] }, 'nothing kept'],
    [{ read: 'Code.', table: [row, { ...row, ours: 'mansa' }] }, 'a file or a setting'],
    [{ read: 'Code.', table: [row, { ...row, state: 'changed' }] }, 'its note says how'],
    [{ read: 'Code.', table: [row, { of: 'eq. 2', ours: 'src/a.ts', state: 'left out', note: 'None.' }] }, 'unless it is left out'],
    [{ read: 'Code.', table: [row, { of: 'eq. 2', ours: '', state: 'left out', note: 'None.' }] }, 'leftOut must say'],
  ] as const)('%j', (source, why) => {
    expect(() => definePaper({ ...told, leftOut: undefined as never, source })).toThrow(why);
  });
  test('a line of ours is a file with names or a setting', () => {
    expect(ourLine('src/core/a.ts (f, g)')).toEqual({ file: 'src/core/a.ts', names: ['f', 'g'] });
    expect(ourLine('src/core/a.ts')).toEqual({ file: 'src/core/a.ts', names: [] });
    expect(ourLine('algo.config.clipHigh')).toEqual({ setting: ['algo', 'config', 'clipHigh'] });
    expect(ourLine('somewhere')).toBeNull();
  });
});
