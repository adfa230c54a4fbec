/**
 * `learn ENV ...|all`: trains what the workbench offers first for these environments and writes what it reached into
 * bench/results/learn.json, after each environment, for the list of environments and the page. One environment after the other in one thread.
 */
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { learnsWell } from '#contract/catalog/learnable.ts';
import { buildCatalog } from '#core/catalog.ts';
import { loadEnv } from '#core/envs/all.ts';
import { iqm } from '#math/stats.ts';
import { bandOf, canBeLearned, type Learned, learnFile, readLearned, sharesOf } from '../../tools/facts/learned.ts';
import { promisesFile, readPromises } from '../../tools/facts/promises.ts';
import { eachOf, refuseFailed, untilStopped, writeByEnvironment } from '../kit/by-environment.ts';
import type { Command } from '../kit/context.ts';
import { CommandFailure, Interrupted, UsageError } from '../kit/failure.ts';
import { commit } from '../kit/machine.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';
import { createOutput, number, table } from '../kit/output.ts';
import { learnFresh } from '../train/fresh.ts';
import { isOf, learn as learnOne, offerHash } from '../train/learn.ts';
import { keeps } from '../train/promises.ts';

const OPTIONS = {
  seeds: { kind: 'count', value: 'N', min: 1, help: 'seeds of each environment; 3 without it' },
  'first-seed': {
    kind: 'count',
    value: 'N',
    min: 1,
    help: 'number of the first seed: a trial on fresh seeds, shown and not recorded. Without it the seeds of the offered run',
  },
  record: { kind: 'flag', help: 'with --first-seed: record what the fresh seeds reach in place of what the offer was chosen by' },
  minutes: {
    kind: 'count',
    value: 'M',
    min: 1,
    help: 'core-minutes for all seeds of an environment; 3 without it. Where they end first, fewer steps are run',
  },
  fresh: {
    kind: 'count',
    value: 'N',
    min: 5,
    help: 'train N fresh seeds, record what they reach in bench/results/fresh.json, and keep the policy of the typical one beside the page',
  },
  check: {
    kind: 'flag',
    help: 'train again what took at most 20 core-seconds, over five seeds, and fail where their interquartile mean leaves its recorded band',
  },
  promises: {
    kind: 'flag',
    help: 'train one seed of each offer over all of its steps, record what the page says of it, and fail where that is not better than at the start',
  },
  resume: { kind: 'flag', help: 'leave out environments whose recommendation has been measured already' },
  json: { kind: 'flag', help: 'JSON lines: one result per environment' },
} as const;

function row(id: string, found: Learned): string[] {
  const { algo, steps, cpuSeconds, reached, random, best, fraction } = found;
  const share = fraction === null ? '-' : `${Math.round(100 * fraction)} %`;
  return [id, algo, number(steps), number(Math.round(cpuSeconds)), number(reached), number(random), number(best), share];
}

/** Of all seeds together, as recorded. */
const CHECKED_SECONDS = 20;
const CHECKED_SEEDS = 5;

/** Throws CommandFailure where a recommendation no longer reaches what was recorded of it. */
async function checkBands(names: readonly string[], project: string, output: ReturnType<typeof createOutput>): Promise<void> {
  const { envs } = buildCatalog();
  const recorded = readLearned(project);
  const outside: string[] = [];
  let inside = 0;
  for (const card of envs) {
    const found = recorded[card.id];
    if (found === undefined || !(names.includes('all') || names.includes(card.id))) continue;
    const band = bandOf(found);
    if (band === null || found.cpuSeconds > CHECKED_SECONDS) continue;
    const recommended = { ...card.recommended, steps: found.steps };
    const say = (text: string): void => output.progress(text);
    const options = { seeds: CHECKED_SEEDS, budget: Number.POSITIVE_INFINITY, stopped: () => false, say };
    const again = await learnOne(await loadEnv(card.id), { ...card, recommended }, commit(project), options);
    output.progress('');
    const value = iqm((again?.seeds ?? []).map(({ reached }) => reached ?? Number.NaN));
    const within = value >= band[0] && value <= band[1];
    output.record({ type: 'band', env: card.id, value, low: band[0], high: band[1], within });
    output.text(`${within ? 'ok    ' : 'FAILED'} ${card.id}: ${number(value)}, band ${number(band[0])} to ${number(band[1])}`);
    if (within) inside++;
    else outside.push(card.id);
  }
  output.text(`${inside} within their bands, ${outside.length} outside.`);
  if (outside.length > 0) throw new CommandFailure(`Outside their bands: ${outside.join(', ')}.`);
}

/** Its tile says beforehand that it learns: by what was measured of the offer, unless it was tried and its line did not rise. */
function promised(project: string, card: EnvCard): boolean {
  const found = readLearned(project)[card.id];
  const kept = readPromises(project)[card.id];
  const refuted = kept !== undefined && kept.offer === offerHash(card, 1) && kept.course !== 'up';
  return found !== undefined && learnsWell(found) && !refuted;
}

interface PromiseOptions {
  readonly project: string;
  readonly stopped: () => boolean;
  readonly resume: boolean;
}

/** Throws CommandFailure where the first offer of a world does not end better than it began although it promises to. */
async function checkPromises(cards: readonly EnvCard[], options: PromiseOptions, output: ReturnType<typeof createOutput>): Promise<void> {
  const { project, stopped, resume } = options;
  const rows: string[][] = [];
  const broken: string[] = [];
  for (const card of cards) {
    const before = readPromises(project)[card.id];
    const known = resume && before?.offer === offerHash(card, 1) ? before : undefined;
    output.progress(known === undefined ? `${card.id}: ${number(card.recommended.steps)} steps` : '');
    const kept = known ?? (await keeps(await loadEnv(card.id), card, stopped));
    output.progress('');
    if (kept === null) throw new Interrupted(`Interrupted in ${card.id}. Go on with --resume.`);
    const all = { ...readPromises(project), [card.id]: kept }; // read again: another process may have tried other environments meanwhile
    if (known === undefined) writeByEnvironment(promisesFile(project), all);
    const { algo, steps, cpuSeconds, shows, start, end, course } = kept;
    output.record({ type: 'promise', env: card.id, ...kept });
    const line = [card.id, algo, number(steps), number(Math.round(cpuSeconds)), shows, number(start), number(end), course];
    output.text(line.join('  '));
    rows.push(line);
    if (course !== 'up') broken.push(card.id);
  }
  output.text(table(['environment', 'method', 'steps', 'CPU seconds', 'its line', 'at the start', 'at the end', 'course'], rows));
  if (broken.length > 0)
    throw new CommandFailure(`Not better than at the start: ${broken.join(', ')}. From the next build on their tiles promise nothing.`);
}

export const learn: Command = {
  usage: 'learn ENV ...|all [--seeds 3] [--first-seed N [--record]] [--resume] [--check | --promises | --fresh 5]',
  summary: 'Trains what is offered first for environments and writes what it reaches.',
  help: describeOptions(OPTIONS),
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    const { envs } = buildCatalog();
    if (rest.length === 0) throw new UsageError('Which environments? learn ENV ..., or learn all.');
    const unknown = rest.find((id) => id !== 'all' && envs.every((env) => env.id !== id));
    if (unknown !== undefined) throw new UsageError(`There is no environment "${unknown}" (see "list envs").`);
    const output = createOutput(options.json);
    if (options.check) return checkBands(rest, context.project, output);
    if (options.fresh !== undefined) {
      const { resume, minutes = 3 } = options;
      const named = envs.filter((card) => canBeLearned(card) && (rest.includes('all') || rest.includes(card.id)));
      return learnFresh(named, { project: context.project, seeds: options.fresh, budget: 60 * minutes, resume }, output);
    }
    const seeds = options.seeds ?? 3;
    const firstSeed = options['first-seed'];
    if (options.record && firstSeed === undefined)
      throw new UsageError('--record needs --first-seed: without it every result is recorded.');
    const recording = firstSeed === undefined || options.record;
    if (!recording && options.resume)
      throw new UsageError(
        '--resume leaves out what is recorded, and --first-seed records nothing: leave one of them out, or add --record.',
      );
    const budget = 60 * (options.minutes ?? 3);
    const before = readLearned(context.project);
    const named = rest.includes('all') ? envs : rest.flatMap((id) => envs.filter((env) => env.id === id));
    const measuredBefore = (card: EnvCard): boolean => isOf(before[card.id], offerHash(card, seeds), firstSeed);
    const chosen = named.filter((card) => canBeLearned(card) && !(options.resume && measuredBefore(card)));
    if (options.promises) {
      const asked = rest.includes('all') ? named.filter((card) => promised(context.project, card)) : named;
      const { resume } = options;
      return untilStopped((stopped) => checkPromises(asked, { project: context.project, stopped, resume }, output));
    }
    const rows: string[][] = [];
    const measured: { [id: string]: Learned } = {};
    const failed = await untilStopped((stopped) =>
      eachOf(chosen, async (card) => {
        const say = (text: string): void => output.progress(text);
        const found = await learnOne(await loadEnv(card.id), card, commit(context.project), { seeds, firstSeed, budget, stopped, say });
        if (found === null) throw new Interrupted(`Interrupted in ${card.id}. Go on with: learn ${rest.join(' ')} --resume`);
        // read again: another process may have measured other environments meanwhile
        if (recording) writeByEnvironment(learnFile(context.project), { ...readLearned(context.project), [card.id]: found });
        measured[card.id] = found;
        output.record({ type: 'learned', env: card.id, ...found });
        output.progress('');
        const line = row(card.id, found);
        rows.push(line);
        output.text(line.join('  '));
      }),
    );
    output.text(table(['environment', 'method', 'steps', 'CPU seconds', 'reached', 'random', 'best known', 'of the way'], rows));
    const { known, quarter, threeQuarters, below } = sharesOf(measured);
    output.record({ type: 'shares', known, quarter, threeQuarters, below });
    output.text(
      `Of ${known} with a best known that differs from random play, ${quarter} reach a quarter of the way and ${threeQuarters} three quarters.`,
    );
    if (below.length > 0) output.text(`Below a quarter: ${below.join(', ')}.`);
    refuseFailed(failed, chosen.length);
  },
};
