/**
 * `claims IDS|SUITE|all`: runs papers and claims over seeds that were never tuned on, judges them, writes public/results/papers/<id>.json.
 * Finished runs are kept under node_modules/.cache, named by what they run, and running ones save checkpoints, so that a
 * killed command goes on where it was. `--quick` is for CI: the quick form of each, which says only whether the direction shows.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { aliases } from '#claims/aliases.ts';
import { isListed } from '#claims/define.ts';
import { comparisons, listed, paperOf } from '#claims/index.ts';
import { directionShows } from '#claims/judge.ts';
import { longerId } from '#claims/longer.ts';
import { ownPaper } from '#claims/own.ts';
import { judgedPapers } from '#claims/papers/index.ts';
import { cardOfJson, decodeCard } from '#contract/link/card.ts';
import { labelsInWords, labelsOf, pastInWords } from '#contract/papers/labels.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import type { PaperResult } from '#contract/papers/results.ts';
import { judgedAgain } from '../claims/again.ts';
import { measureBounds } from '../claims/bounds.ts';
import { confirmPaper } from '../claims/confirm.ts';
import { withLog, withPast } from '../claims/log.ts';
import { endPilot, piloted, runPilot } from '../claims/pilot.ts';
import { pilotTable } from '../claims/pilot-table.ts';
import { type Kept, writePolicies } from '../claims/policies.ts';
import { goesOn, paperResult } from '../claims/result.ts';
import { keptRuns, type RunOptions, runPapers, runsOf } from '../claims/run.ts';
import type { Command, Context } from '../kit/context.ts';
import { pathFrom } from '../kit/context.ts';
import { loadExtern } from '../kit/extern.ts';
import { CommandFailure, UsageError } from '../kit/failure.ts';
import { readJsonFile } from '../kit/json-file.ts';
import { commit, machine } from '../kit/machine.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';
import { createOutput, number, type Output, table } from '../kit/output.ts';
import { writeWhole } from '../kit/seed-folder.ts';
import { outdatedIn, readPaperResults } from '../pages/results.ts';
import { claimCards, claimsOf, suiteNames, suiteOf } from '../pages/suites.ts';

const OPTIONS = {
  quick: { kind: 'flag', help: 'the quick form of each, which says only whether the direction shows; writes no results' },
  full: {
    kind: 'flag',
    help: 'beyond the budget of the suite: ten seeds of each that stops after five without it, and the longer form of each that has one, whose result stands beside the other',
  },
  pilot: {
    kind: 'flag',
    help: 'on tuning seeds, in at most 10 core-minutes: headroom, spread, seeds needed and cost of each form; no full run starts without it',
  },
  seeds: {
    kind: 'count',
    value: 'N',
    min: 1,
    help: 'with --pilot: at most N of its five tuning seeds; no humps are seen in fewer than five',
  },
  jobs: { kind: 'count', value: 'N', min: 1, help: 'runs at the same time; default: as many as there are cores' },
  policies: {
    kind: 'flag',
    help: 'only keep the policies of runs that are finished and published, for the page: runs nothing, judges nothing',
  },
  again: {
    kind: 'flag',
    help: 'only judge anew what is published, from the scores of its seeds: runs nothing but random play, where its score is not known',
  },
  confirm: {
    kind: 'flag',
    help: 'a second block of seeds, from 7001, of each that is published: stored beside the first; where they disagree the outcome is open',
  },
  fresh: { kind: 'flag', help: 'forget what earlier commands have finished' },
  card: {
    kind: 'list',
    value: 'FILE|LINK',
    help: 'a card of your own, as the page writes it: run on its own seeds and judged by the same rule; its result is written beside the file, as NAME.result.json',
  },
  report: { kind: 'text', value: 'FILE', help: 'also write the verdicts there as JSON' },
  json: { kind: 'flag', help: 'JSON lines: one result per paper' },
} as const;

const all = (quick = false): readonly JudgedCard[] => [...judgedPapers, ...comparisons, ...claimsOf(claimCards, quick)];

/** What --full runs of a paper: itself, where its second look waits for that, and its longer form. */
const fullForms = (paper: JudgedCard): readonly JudgedCard[] => [
  ...(paper.secondLook === 'full' ? [paper] : []),
  ...[paperOf(longerId(paper.id))].filter((form) => form !== undefined),
];

function named(word: string, quick: boolean): readonly JudgedCard[] {
  if (word === 'all') return all(quick);
  const paper = paperOf(aliases[word]?.paper ?? word);
  if (paper) return [paper];
  const suite = suiteOf(word, quick);
  if (suite.length > 0) return suite;
  const claim = claimCards.filter((card) => card.id === word);
  if (claim.length > 0) return claimsOf(claim, quick);
  if (listed.some(({ id }) => id === word.toUpperCase())) throw new UsageError(`${word.toUpperCase()} is planned and cannot be run yet.`);
  const ids = [...judgedPapers, ...comparisons].map(({ id }) => id).join(', ');
  throw new UsageError(
    `There is no paper, claim or suite "${word}". Use all, one of the suites ${suiteNames().join(', ')}, or papers: ${ids}.`,
  );
}

/** An own card; `beside`: where its result goes, null for one that came as a link. */
interface OwnFile {
  readonly paper: JudgedCard;
  readonly beside: string | null;
}

/** Bytes of a card's file at most. */
const LARGEST_CARD = 100_000;

/** Throws UsageError, LabError('file-invalid', 'link-damaged', 'config-invalid'). */
function readCard(word: string, context: Omit<Context, 'output'>): OwnFile {
  const packed = /^(?:[^#]*#\/papers\/card\?c=)?(\d{1,4}\.[\w-]+\.[\w-]{6})$/.exec(word)?.[1];
  if (packed !== undefined) return { paper: ownPaper(decodeCard(packed)), beside: null };
  const path = pathFrom(context, word);
  const json = readJsonFile(path, word, {
    bytes: LARGEST_CARD,
    smaller: `A card has at most ${LARGEST_CARD}.`,
    mend: 'Write the card anew on the page.',
  });
  return { paper: ownPaper(cardOfJson(json)), beside: `${path.replace(/(\.card)?\.json$/, '')}.result.json` };
}

function row(result: PaperResult): string[] {
  const { id, findings, because, decidedOn, wanted, coreMinutes } = result;
  const main = findings[0];
  const interval = main ? `${number(main.estimate)} (${number(main.low)} to ${number(main.high)})` : '-';
  const why = [because, ...(wanted === null ? [] : [`${wanted} seeds could decide`])].filter(Boolean).join(' ');
  return [id, labelsInWords(labelsOf(result)), main?.id ?? '', interval, String(decidedOn), number(coreMinutes), why];
}

/** The policies of papers whose result is published, from the runs that the cache still has. */
function keepPolicies(list: readonly JudgedCard[], project: string, cache: string): readonly Kept[] {
  const results = readPaperResults(project);
  return list.flatMap((paper) => {
    const result = results.find(({ id, quick }) => id === paper.id && !quick);
    if (result === undefined || !isListed(paper.id)) return [];
    return writePolicies(project, { paper, arms: runsOf(paper, cache), seeds: result.seeds }, result);
  });
}

/**
 * Judges what is published anew, and writes it. Nothing is run but random play, in worlds whose environment does not state its score. Throws
 * Interrupted.
 */
async function judgeAgain(list: readonly JudgedCard[], project: string, output: Output, options: RunOptions): Promise<void> {
  const results = readPaperResults(project);
  const published = list.flatMap((paper) => {
    const stored = results.find(({ id }) => id === paper.id);
    return stored === undefined ? [] : [{ paper, stored, outdated: outdatedIn(stored) }];
  });
  // what holds in an environment today is no bound of what ran in an older version; what was measured with the runs stays
  const today = published.flatMap(({ paper, stored, outdated }) =>
    outdated.length === 0 && stored.arms.some(({ random }) => random === undefined) ? [paper] : [],
  );
  const bounds = await measureBounds(today, keptRuns(options), options);
  const again = published.map(({ paper, stored, outdated }) => ({
    stored,
    result: judgedAgain(paper, stored, outdated, bounds.get(paper.id)),
  }));
  for (const { result } of again) {
    writeWhole(join(project, 'public/results/papers', `${result.id}.json`), `${JSON.stringify(result)}\n`);
    output.record({ type: 'result', ...result });
  }
  output.text(
    table(
      ['paper', 'before', 'now', 'seeds', 'why'],
      again.map(({ stored, result }) => [
        result.id,
        pastInWords(withPast(stored).at(-1) ?? { judge: stored.judge }),
        labelsInWords(labelsOf(result)),
        String(result.decidedOn),
        result.because,
      ]),
    ),
  );
}

/** Runs the second block of each paper and writes its result anew, one paper after another. Throws UsageError, Interrupted. */
async function confirmAll(
  list: readonly JudgedCard[],
  project: string,
  output: Output,
  options: RunOptions,
  about: Parameters<typeof confirmPaper>[3],
): Promise<void> {
  const stored = readPaperResults(project);
  const rows: string[][] = [];
  for (const paper of list) {
    const before = stored.find(({ id }) => id === paper.id);
    const result = await confirmPaper(paper, before, options, about);
    writeWhole(join(project, 'public/results/papers', `${result.id}.json`), `${JSON.stringify(result)}\n`);
    output.record({ type: 'result', ...result });
    rows.push([
      result.id,
      result.first,
      result.confirm?.outcome ?? '',
      labelsInWords(labelsOf(result)),
      number(result.confirm?.coreMinutes ?? 0),
    ]);
  }
  output.text(table(['paper', 'first block', 'second block', 'tested: came out', 'core-min'], rows));
}

export const claims: Command = {
  usage: 'claims IDS|SUITE|all [--quick|--full]      also: npm run claims -- P033',
  summary: 'Runs papers and claims over fresh seeds and says which of them hold.',
  help: describeOptions(OPTIONS),
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    const { quick, full, pilot } = options;
    if (options.seeds !== undefined && !pilot) throw new UsageError('Use --seeds with --pilot: a verdict has the seeds of its looks.');
    if (pilot && quick) throw new UsageError('Use --pilot or --quick, not both.');
    if (options.confirm && (pilot || quick || full || options.again))
      throw new UsageError('Use --confirm by itself: it runs the form that is published.');
    if (quick && full) throw new UsageError('Use --quick or --full, not both.');
    const cards = options.card.map((word) => readCard(word, context));
    if (cards.length > 0 && (pilot || quick || full || options.again || options.confirm || options.policies))
      throw new UsageError('A card of your own has only the form that judges it: use --card by itself.');
    if (rest.length === 0 && cards.length === 0)
      throw new UsageError(`Which? Use ids of papers or claims, one of the suites ${suiteNames().join(', ')}, or all.`);
    const output = createOutput(options.json);
    const data = loadExtern();
    const chosen = [
      ...new Map(
        [...rest.flatMap((word) => named(word, quick)), ...cards.map(({ paper }) => paper)].map((paper) => [paper.id, paper]),
      ).values(),
    ];
    const forms = full ? chosen.flatMap(fullForms) : chosen;
    if (forms.length === 0)
      throw new UsageError(
        `None of these has a longer form. What --full can run: ${all()
          .flatMap(fullForms)
          .map(({ id }) => id)
          .join(', ')}.`,
      );
    const cache = join(context.project, 'node_modules/.cache/rl-workbench/claims');
    const threads = options.jobs ?? machine().cores;
    if (options.fresh) rmSync(cache, { recursive: true, force: true });
    let failed = 0;
    const now = { commit: commit(context.project), machine: machine(), date: new Date() };
    const running: RunOptions = {
      cache,
      commit: now.commit,
      threads,
      quick,
      progress: output.progress,
      warn: (text) => {
        failed++;
        process.stderr.write(`${text}\n`);
      },
    };
    if (options.again) {
      await judgeAgain(forms, context.project, output, running);
      if (failed > 0) throw new CommandFailure(`${failed} measurements of random play failed.`);
      return;
    }
    const list = forms.filter((paper) => {
      const missing = paper.arms.flatMap((arm) => arm.data ?? []).find((name) => data.every((file) => file.name !== name));
      if (missing !== undefined) output.text(`${paper.id} is left out: it needs ${missing} in the folder RL_DATA.`);
      if (quick && paper.quick === null)
        output.text(`${paper.id} is left out: it has no quick form${paper.noQuick === '' ? '' : `, because ${paper.noQuick}`}.`);
      return missing === undefined && !(quick && paper.quick === null);
    });
    if (list.length === 0) return;

    if (options.policies) {
      const kept = keepPolicies(list, context.project, cache);
      for (const one of kept) output.record({ type: 'policy', ...one });
      output.text(
        table(
          ['paper', 'arm', 'policy', 'bytes'],
          kept.map(({ paper, arm, state, bytes }) => [paper, arm, state, bytes === 0 ? '' : String(bytes)]),
        ),
      );
      return;
    }
    if (pilot) {
      for (const paper of list) {
        const found = await runPilot(paper, context.project, { ...running, most: options.seeds }, now);
        output.record({ type: 'pilot', ...found });
        output.text(pilotTable(found, paper.minutes));
      }
      if (failed > 0) throw new CommandFailure(`${failed} runs failed.`);
      return;
    }
    if (options.confirm) {
      await confirmAll(list, context.project, output, running, now);
      if (failed > 0) throw new CommandFailure(`${failed} runs failed.`);
      return;
    }
    const own = (id: string): OwnFile | undefined => cards.find(({ paper }) => paper.id === id);
    const ours = list.filter(({ id }) => own(id) === undefined); // an own card has no pilot here
    const form = quick ? { papers: list, pilots: undefined } : piloted(ours, context.project, readPaperResults(context.project));
    const about = { ...now, data, quick, ...(form.pilots && { pilots: form.pilots }) };
    const papers = [...form.papers, ...list.filter(({ id }) => !quick && own(id) !== undefined)];
    const ran = await runPapers(papers, running, (first) => goesOn(first, paperResult(first, about), full));
    const results = ran.map((paper) => paperResult(paper, about));
    const shows = new Map(ran.map(({ paper }, i) => [paper.id, directionShows(paper, results[i]!.arms)]));
    for (const result of results) output.record({ type: 'result', ...(quick && { shows: shows.get(result.id) }), ...result });
    if (!quick) {
      const folder = join(context.project, 'public/results/papers');
      mkdirSync(folder, { recursive: true });
      results.forEach((result, i) => {
        const card = own(result.id);
        if (card !== undefined) {
          if (card.beside !== null) writeWhole(card.beside, `${JSON.stringify(result)}\n`);
          return;
        }
        const file = join(folder, `${result.id}.json`);
        writeWhole(file, `${JSON.stringify(withLog(file, result))}\n`);
        endPilot(context.project, result.id);
        if (isListed(result.id)) writePolicies(context.project, ran[i]!, result);
      });
    }
    if (quick)
      output.text(
        table(
          ['paper', 'direction'],
          results.map(({ id }) => [id, shows.get(id) ? 'shows' : 'does not show']),
        ),
      );
    else output.text(table(['paper', 'tested: came out', 'main contrast', 'interval', 'seeds', 'core-min', 'why'], results.map(row)));
    if (options.report !== undefined) {
      const file = pathFrom(context, options.report);
      mkdirSync(dirname(file), { recursive: true });
      const lines = results.map(({ id, outcome }) => ({ id, outcome, ...(quick && { shows: shows.get(id) }) }));
      writeWhole(file, `${JSON.stringify({ claims: lines }, null, 2)}\n`);
    }
    if (failed > 0) throw new CommandFailure(`${failed} runs failed.`);
    const hidden = results.filter(({ id }) => quick && !shows.get(id));
    if (hidden.length > 0) throw new CommandFailure(`The direction does not show in ${hidden.map(({ id }) => id).join(', ')}.`);
  },
};
