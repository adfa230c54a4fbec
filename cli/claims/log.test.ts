import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type PaperResult, paperResultSchema } from '#contract/papers/results.ts';
import { withLog, withPast } from './log.ts';

const published: PaperResult = { ...paperResultSchema.parse(JSON.parse(readFileSync('public/results/papers/P021.json', 'utf8'))), log: [] };

test('a result by another rule stays in the log of the one that replaces it; the same result leaves none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rl-log-'));
  const file = join(folder, 'P021.json');
  const write = (result: PaperResult) => writeFileSync(file, JSON.stringify(result));
  try {
    expect(withLog(file, published).log).toEqual([]);
    write(published);
    expect(withLog(file, published).log).toEqual([]);
    const { date, rule, tested, outcome, judge } = published;
    const first = { tested: tested.label, outcome, judge, rule, date };
    // the word of an older judge moves to the log when its file is read, and is not added again
    const { tested: _, outcome: __, first: ___, because: ____, ...older } = published;
    const old = { ...older, judge: 4, verdict: 'partly', parts: ['not all'], atMost: null };
    const read = paperResultSchema.parse(old);
    expect(read).toMatchObject({ outcome: 'open', log: [{ verdict: 'partly', parts: ['not all'], judge: 4, rule, date }] });
    expect(withPast(read)).toEqual(read.log);
    const second = withLog(file, { ...published, rule: '0'.repeat(12) });
    expect(second.log).toEqual([first]);
    write(second);
    const third = withLog(file, { ...published, rule: '0'.repeat(12), outcome: 'open' });
    expect(third.log).toEqual([first, { ...first, rule: '0'.repeat(12) }]);
    // more seeds by the same rule gave another outcome: the next one that replaces it leaves that in the log too
    write(third);
    const fourth = withLog(file, { ...published, rule: '1'.repeat(12) });
    expect(fourth.log).toEqual([...third.log, { ...first, rule: '0'.repeat(12), outcome: 'open' }]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
