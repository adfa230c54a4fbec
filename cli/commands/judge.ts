/** `judge FILE`: scores from anywhere, judged by the rule of the claims (src/math/rule.ts). */
import { type JudgedTable, judgeTables } from '#claims/judge-table.ts';
import type { Json } from '#contract/kit/json.ts';
import { labelsInWords } from '#contract/papers/labels.ts';
import type { Command } from '../kit/context.ts';
import { pathFrom } from '../kit/context.ts';
import { UsageError } from '../kit/failure.ts';
import { readJsonFile } from '../kit/json-file.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';
import { createOutput, number, table } from '../kit/output.ts';

const OPTIONS = { json: { kind: 'flag', help: 'JSON lines: one for each object of the file' } } as const;

/** A file of 100,000 papers of two arms and forty seeds is half as large, and has half as many values. */
const MOST_BYTES = 256 * 1024 * 1024;
const MOST_SCORES = 20_000_000;

const readTables = (path: string, shown: string): Json =>
  readJsonFile(path, shown, {
    bytes: MOST_BYTES,
    smaller: `Split it into files of at most ${MOST_BYTES} bytes.`,
    mend: 'Write one object or a list of them, see docs/cli.md.',
    values: MOST_SCORES,
  });

const rows = ({ contrasts }: JudgedTable): readonly string[][] =>
  contrasts.map(({ id, state, estimate, low, high, failsBelow }) => [
    id,
    failsBelow === undefined ? state : `${state}: fails in less than ${Math.round(100 * failsBelow)} %`,
    number(estimate),
    number(low),
    number(high),
  ]);

export const judgeCommand: Command = {
  usage: 'judge FILE [--json]',
  summary: 'Judges scores from a file by the rule that papers are judged by.',
  help: `FILE is JSON: {"contrasts": [...], "scores": {"ARM": [...]}, "looks": [5, 10, 20, 40], "tested": "our guess"}, or a list of such objects. See docs/cli.md.\n\n${describeOptions(OPTIONS)}`,
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    const [file, more] = rest;
    if (file === undefined || more !== undefined) throw new UsageError('Name one file: judge FILE.');
    const output = createOutput(options.json);
    for (const found of judgeTables(readTables(pathFrom(context, file), file))) {
      output.record(found);
      const wanted = found.wanted === null ? '' : `; ${found.wanted} seeds could change this`;
      const label = found.tested === null ? found.outcome : labelsInWords({ tested: found.tested, outcome: found.outcome });
      output.text(`${label} (${found.seeds} seeds${wanted})`);
      for (const id of found.absent) output.text(`The premise "${id}" is not held: nothing is said of what mends it.`);
      for (const { text } of found.voids) output.text(text);
      if (found.contrasts.length > 0) output.text(table(['contrast', 'state', 'estimate', 'low', 'high'], rows(found)));
      for (const { id, says } of found.contrasts) output.text(`${id}. ${says}`);
    }
  },
};
