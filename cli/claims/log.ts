/** What a result replaces: published results of the same paper by another rule, or with another verdict, stay in its log. */
import { existsSync, readFileSync } from 'node:fs';
import { parse } from '#contract/files.ts';
import { type PaperResult, paperResultSchema } from '#contract/results.ts';

/** The result with the log of the one in `file`, and that one itself where its rule or its verdict was another. Throws LabError('file-invalid'). */
export function withLog(file: string, result: PaperResult): PaperResult {
  if (!existsSync(file)) return result;
  const { rule, verdict, parts, judge, date, log } = parse(paperResultSchema, readFileSync(file, 'utf8'), 'the result that is replaced');
  const same = rule === result.rule && verdict === result.verdict;
  return { ...result, log: same ? log : [...log, { verdict, parts, judge, rule, date }] };
}
