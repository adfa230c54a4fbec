/** `list envs|algos|experiments|papers`: what can be run, from the catalogue that the page gets as well; papers with what was tested and what came out. */

import { experiments } from '#claims/experiments/index.ts';
import { listed, paperLines, paperOf } from '#claims/index.ts';
import { whichOf } from '#contract/kit/nearest.ts';
import { quantityTitle } from '#contract/papers/papers.ts';
import type { PaperResult } from '#contract/papers/results.ts';
import { algoFamilies, algos } from '#core/algos/all.ts';
import type { AlgoEntry } from '#core/algos/api/types.ts';
import { algoCards, envCards } from '#core/catalog.ts';
import { envFamilies, loadEnv } from '#core/envs/all.ts';
import type { EnvEntry } from '#core/envs/api/types.ts';
import { fitting } from '#core/fitting.ts';
import { scoresCsv } from '#report/paper-scores.ts';
import { type Command, pathFrom } from '../kit/context.ts';
import { UsageError } from '../kit/failure.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';
import { createOutput, type Output, table } from '../kit/output.ts';
import { writeWhole } from '../kit/seed-folder.ts';
import { readPaperResults } from '../pages/results.ts';

const OPTIONS = {
  env: { kind: 'text', value: 'ID', help: 'with algos: those that fit this environment, best first, and why' },
  csv: { kind: 'text', value: 'FILE', help: 'with papers: the published scores of all, a row for each seed of each arm' },
  json: { kind: 'flag', help: 'one JSON line per entry, with schema, presets and source' },
} as const;
const WHAT = ['envs', 'algos', 'experiments', 'papers'] as const;

/** Methods that can act in an environment, best first, then how many cannot; JSON lines hold these too, with what keeps them from it. */
function listFitting(env: EnvEntry, output: Output): void {
  const { fits, others } = fitting(env, {}, algos);
  fits.forEach(({ algo, why, preset }, i) => {
    output.record({ type: 'fit', env: env.id, algo, place: i + 1, why, ...(preset !== undefined && { preset }) });
  });
  for (const { algo, why } of others) output.record({ type: 'misfit', env: env.id, algo, why });
  output.text(
    table(
      ['place', 'id', 'why'],
      fits.map(({ algo, why }, i) => [String(i + 1), algo, why]),
    ),
  );
  if (others.length > 0) output.text(`${others.length} do not fit ${env.title}; --json says why.`);
}

function rowsOf(families: readonly (readonly (EnvEntry | AlgoEntry)[])[]): readonly (readonly string[])[] {
  return families
    .flat()
    .map(({ id, version, title, presets }) => [id, String(version), title, presets.map((preset) => preset.id).join(' ')]);
}

function quantityIn({ id, quantity }: PaperResult): (arm: string) => string {
  const card = paperOf(id);
  return (arm) => (card === undefined ? quantity : quantityTitle(card, arm));
}

/** Scores of every paper of the list that has a result; an arm that its card has no more keeps the quantity of the result. */
function publishedScores(results: readonly PaperResult[]): string {
  return scoresCsv(
    results.filter(({ id }) => listed.some((paper) => paper.id === id)).map((result) => ({ result, quantityOf: quantityIn(result) })),
  );
}

export const list: Command = {
  usage: 'list envs|algos|experiments|papers [--env ID] [--csv FILE] [--json]',
  summary: 'Lists what can be run.',
  help: describeOptions(OPTIONS),
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    const what = WHAT.find((name) => name === rest[0]);
    if (!what || rest.length !== 1) throw new UsageError(`List what? ${whichOf(rest[0] ?? '', WHAT)}`);
    if (options.env !== undefined && what !== 'algos') throw new UsageError('--env belongs to list algos.');
    if (options.csv !== undefined && what !== 'papers') throw new UsageError('--csv belongs to list papers.');
    const output = createOutput(options.json);
    if (options.env !== undefined) {
      listFitting(await loadEnv(options.env), output);
      return;
    }
    if (what === 'papers') {
      const stored = readPaperResults(context.project);
      if (options.csv !== undefined) writeWhole(pathFrom(context, options.csv), publishedScores(stored));
      const results = new Map(stored.map((result) => [result.id, result]));
      const lines = paperLines((id) => results.get(id));
      for (const line of lines) output.record(line);
      output.text(
        table(
          ['id', 'tier', 'form', 'tested', 'outcome', 'confirmed', 'title'],
          lines.map(({ id, tier, form, tested, outcome, confirmed, title }) => [
            id,
            String(tier),
            form ?? '',
            tested ?? '',
            outcome ?? 'no verdict',
            confirmed === null ? '' : confirmed ? 'yes' : 'blocks disagree',
            title,
          ]),
        ),
      );
      return;
    }
    // Cards of environments take seconds together: their references are worked out. The table needs none of that.
    const cards = { envs: envCards, algos: algoCards, experiments: () => experiments };
    if (options.json) for (const entry of cards[what]()) output.record({ type: what.slice(0, -1), ...entry });
    else if (what === 'experiments')
      output.text(
        table(
          ['id', 'kind', 'title', 'claim'],
          experiments.map(({ id, kind, title, claim }) => [id, kind, title, claim]),
        ),
      );
    else
      output.text(
        table(
          ['id', 'version', 'title', 'presets'],
          what === 'envs' ? rowsOf(envFamilies.map(({ envs }) => envs)) : rowsOf(algoFamilies.map(({ algos }) => algos)),
        ),
      );
  },
};
