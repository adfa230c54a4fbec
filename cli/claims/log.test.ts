import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type PaperResult, paperResultSchema } from '#contract/results.ts';
import { withLog } from './log.ts';

const published: PaperResult = { ...paperResultSchema.parse(JSON.parse(readFileSync('public/results/papers/P021.json', 'utf8'))), log: [] };

test('a result by another rule stays in the log of the one that replaces it; the same result leaves none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rl-log-'));
  const file = join(folder, 'P021.json');
  const write = (result: PaperResult) => writeFileSync(file, JSON.stringify(result));
  try {
    expect(withLog(file, published).log).toEqual([]);
    write(published);
    expect(withLog(file, published).log).toEqual([]);
    const { date, rule, verdict, parts, judge } = published;
    const first = { verdict, parts, judge, rule, date };
    const second = withLog(file, { ...published, rule: '0'.repeat(12) });
    expect(second.log).toEqual([first]);
    write(second);
    const third = withLog(file, { ...published, rule: '0'.repeat(12), verdict: 'inconclusive' });
    expect(third.log).toEqual([first, { ...first, rule: '0'.repeat(12) }]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
