/** `compare DIR...`: a table of final scores by method and environment, and one sentence about them. */
import { existsSync } from 'node:fs';
import { comparedSvg, drawnCurve } from '../compare/figure.ts';
import { type Found, gather, type Named, nameGroups } from '../compare/gather.ts';
import { type Compared, type Counted, comparedCsv, comparedRecords, comparedText, compareRuns } from '../compare/report.ts';
import { type Command, pathFrom } from '../kit/context.ts';
import { UsageError } from '../kit/failure.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';
import { createOutput } from '../kit/output.ts';
import { writeWhole } from '../kit/seed-folder.ts';

const SCORES = { evalReturn: 'greedy test return', finalReturn: 'return while exploring' } as const;

const OPTIONS = {
  score: {
    kind: 'text',
    value: 'NAME',
    choices: Object.keys(SCORES),
    help: 'evalReturn (greedy test return) or finalReturn (return while exploring); default: what all given sweeps count, else evalReturn',
  },
  curve: {
    kind: 'text',
    value: 'METRIC',
    help: 'metric that the figure draws; default: that of the score where every run has its curve, else the return while exploring',
  },
  svg: {
    kind: 'text',
    value: 'FILE',
    help: 'learning curves with the sentence, a panel for each environment, and a performance profile over several',
  },
  csv: { kind: 'text', value: 'FILE', help: 'a row for every run' },
  json: { kind: 'flag', help: 'JSON lines: a line for every group and environment, then the comparison' },
} as const;

/** What counts: what was chosen, or what all of the sweeps count, else the greedy test return. */
function countedOf(score: string | undefined, counted: Found['counted']): Counted {
  const [first] = counted;
  const alike = first != null && counted.every((one) => one !== null && JSON.stringify(one) === JSON.stringify(first));
  if (score === undefined && alike) return first;
  const of = score === 'finalReturn' ? 'finalReturn' : 'evalReturn';
  return { quantity: { title: SCORES[of], of }, better: 'more' };
}

/** `NAME=DIR`, or a folder alone; a folder that has this name counts as it is. */
function namedFolder(given: string, whole: (path: string) => string): Named {
  const at = given.indexOf('=');
  if (at <= 0 || existsSync(whole(given))) return { folder: whole(given), name: null };
  return { folder: whole(given.slice(at + 1)), name: given.slice(0, at) };
}

export const compare: Command = {
  usage: 'compare [NAME=]DIR... [--score NAME] [--svg FILE] [--csv FILE]',
  summary: 'Compares methods or settings over the runs in folders of train and sweep: a table, and the conclusions.',
  help: describeOptions(OPTIONS),
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    if (rest.length === 0) throw new UsageError('Compare what? compare DIR..., folders of train --out or sweep --out.');
    const output = createOutput(options.json);
    const { runs, counted } = await gather(rest.map((given) => namedFolder(given, (path) => pathFrom(context, path))));
    const compared: Compared = compareRuns(nameGroups(runs), countedOf(options.score, counted));
    output.text(comparedText(compared));
    for (const record of comparedRecords(compared)) output.record(record);
    if (options.csv !== undefined) writeWhole(pathFrom(context, options.csv), comparedCsv(compared));
    if (options.svg !== undefined) writeWhole(pathFrom(context, options.svg), comparedSvg(compared, options.curve ?? drawnCurve(compared)));
    if (new Set(compared.scored.map(({ run }) => run.group)).size < 2)
      throw new UsageError('These are runs of one group: name another folder to compare with.');
  },
};
