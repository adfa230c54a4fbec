/** What a result replaces: published results of the same paper by another rule, or with another verdict, stay in its log. */
import { existsSync, readFileSync } from 'node:fs';
import { parse } from '#contract/files/files.ts';
import { type PaperResult, paperResultSchema } from '#contract/papers/results.ts';

/** The log of a result with its own labels at the end. What an older judge said stands there already: reading its file moved it. */
export function withPast({ rule, tested, outcome, judge, date, log }: PaperResult): PaperResult['log'] {
  const last = log.at(-1);
  // an entry with labels, by the same rule and judge, is of a run with fewer seeds: only an entry with a word was moved
  const moved = last?.verdict !== undefined && last.rule === rule && last.judge === judge;
  return moved ? log : [...log, { tested: tested.label, outcome, judge, rule, date }];
}

/** The result with the log of the one in `file`, and that one itself where its rule or its labels were others. Throws LabError('file-invalid'). */
export function withLog(file: string, result: PaperResult): PaperResult {
  if (!existsSync(file)) return result;
  const before = parse(paperResultSchema, readFileSync(file, 'utf8'), 'the result that is replaced');
  const same = before.rule === result.rule && before.outcome === result.outcome && before.tested.label === result.tested.label;
  return { ...result, log: same ? before.log : withPast(before) };
}
