/**
 * Results of papers and claims: every run is done again as `claims` does it, of both blocks of seeds, the pilot and the bounds too, and the whole
 * file is made again from what they give.
 */
import { earlierFormHashes, formHash, type PilotRuns, pilotOf } from '#claims/pilot.ts';
import { POINTS } from '#claims/quantity.ts';
import { canonicalJson } from '#contract/kit/canonical.ts';
import { FIRST_CONFIRMING_SEED, type JudgedCard } from '#contract/papers/papers.ts';
import type { ArmResult, PaperResult } from '#contract/papers/results.ts';
import { type Checked, checked, unverified } from '#contract/run/verify.ts';
import { DEFAULT_LOOKS } from '#math/looks.ts';
import { withConfirmation } from '../claims/confirm.ts';
import { pilotRuns } from '../claims/pilot.ts';
import { paperResult } from '../claims/result.ts';
import { type RanPaper, type RunOptions, runPapers } from '../claims/run.ts';
import { loadExtern } from '../kit/extern.ts';
import { type Notes, unlike } from './notes.ts';
import { hashesOf, lookAt, NEWER, ruled } from './paper-look.ts';

/** One run of an arm. */
export interface ArmChecked {
  readonly of: string;
  readonly seed: number;
  readonly parameterHash: string;
  readonly checked: Checked;
}

/** Of the file what is no number of a run, or history. */
const ASIDE = ['commit', 'date', 'machine', 'seconds', 'coreMinutes', 'minutesPerSeed', 'log', 'outdated', 'pilot'];
/** Words of the card, which may be put otherwise without another rule. */
const WORDS = ['title', 'quantity'];
const wordsOf = ({ title, quantity, arms }: PaperResult) => ({ title, quantity, arms: arms.map((arm) => ({ title: arm.title })) });
export interface PaperRoom {
  /** Folder that keeps runs between the files that are verified at once. */
  readonly cache: string;
  readonly project: string;
  readonly progress: (text: string) => void;
  readonly threads: number;
  /** What was run for the files before, by what was asked for. */
  readonly made: Map<string, unknown>;
}

/** Runs the same only once for all files. */
async function once<T>(made: Map<string, unknown>, what: unknown, run: () => Promise<T>): Promise<T> {
  const key = canonicalJson(what);
  if (!made.has(key)) made.set(key, await run());
  return made.get(key) as T;
}

/** The runs of a block of seeds against those done again. By another rule a run may have another number: what it learned is the same. */
function armsChecked(of: string, stored: Block, made: Block, sameRule: boolean): readonly ArmChecked[] {
  return stored.arms.flatMap((arm) => {
    const again = made.arms.find(({ id }) => id === arm.id);
    const [mine, other] = [hashesOf(arm), again === undefined ? [] : hashesOf(again)];
    return stored.seeds.map((seed, i): ArmChecked => {
      const about = { of: `${of} ${arm.id}`, seed, parameterHash: mine[i] ?? '' };
      if (again === undefined) return { ...about, checked: unverified(`${of} has no such arm`) };
      const side = (hash: string | null | undefined, score: number | null | undefined) => ({
        parameterHash: hash ?? '',
        numbers: { score: score ?? null },
        curves: null,
      });
      const found = checked(side(mine[i], arm.scores[i]), side(other[i], again.scores[i]), null);
      const learnedAlike = found.differences.every(({ kind }) => kind === 'number');
      if (sameRule || found.outcome !== 'differs' || !learnedAlike) return { ...about, checked: found };
      return { ...about, checked: { ...found, outcome: 'unverified', why: 'its number is that of another rule' } };
    });
  });
}

/** Seeds and arms of one block of a result. */
interface Block {
  readonly seeds: readonly number[];
  readonly arms: readonly Pick<ArmResult, 'id' | 'scores' | 'parameterHashes'>[];
}

/** The arms in the order of the stored ones, with their settings as they were stored: they have been compared. */
function asStored(made: PaperResult, stored: PaperResult): PaperResult {
  const place = ({ id }: { readonly id: string }): number => stored.arms.findIndex((arm) => arm.id === id);
  const arms = made.arms
    .filter((arm) => place(arm) >= 0)
    .toSorted((a, b) => place(a) - place(b))
    .map((arm) => {
      const { config, env, algo } = stored.arms[place(arm)] as ArmResult;
      return { ...arm, config, env, algo };
    });
  return { ...made, arms };
}

/** What a pilot concludes from its runs: by an earlier judge, otherwise. */
const CONCLUDED = ['form', 'looks', 'warnings', 'refused', 'contrasts'];

/** The pilot made again from its runs. */
async function wrongPilot(
  card: JudgedCard,
  stored: PaperResult,
  { options, made: known }: { readonly options: RunOptions; readonly made: PaperRoom['made'] },
  where: string,
  notes: Notes,
): Promise<void> {
  const { pilot } = stored;
  if (pilot === null) return;
  const today = pilot.form === formHash(card);
  const strange = pilot.arms.find((arm) => stored.arms.find(({ id }) => id === arm.id)?.config !== arm.config);
  if ((!today && !earlierFormHashes(card).includes(pilot.form)) || strange !== undefined) {
    notes.open.push(`${where}: its pilot is of another form of ${card.id} than today's, so it is not run again.`);
    return;
  }
  const silent = pilot.arms.filter(({ scores }) => scores.length === 0).map(({ id }) => id);
  const runs: readonly PilotRuns[] = await once(known, ['pilot', card.id, pilot.seeds, silent], () =>
    pilotRuns(card, pilot.seeds, options, silent),
  );
  const { commit, machine, date, seeds, coreMinutes } = pilot;
  const made = pilotOf(card, runs, { commit, machine, date, seeds, coreMinutes });
  const arms = made.arms.map((arm, k) => ({
    ...arm,
    coreMinutes: pilot.arms[k]?.coreMinutes ?? 0,
    config: pilot.arms[k]?.config ?? arm.config,
  }));
  // Earlier judges knew the first four looks alone.
  const looks = today ? made.looks : made.looks.filter((seeds) => DEFAULT_LOOKS.includes(seeds));
  const again = { ...made, arms, looks };
  const wrong = unlike(pilot, again, 'its runs', { without: today ? [] : CONCLUDED });
  if (wrong !== '') notes.wrong.push(`${where}: pilot: ${wrong}.`);
  if (today) return;
  const concluded = unlike({ ...pilot, form: null }, { ...again, form: null }, 'its runs and the judge of today');
  if (concluded !== '' && wrong === '') notes.open.push(`${where}: pilot: ${concluded}.`);
}

/** Core minutes of a block are the seconds of its runs; those that arms share count once. */
function wrongMinutes(
  ran: RanPaper,
  { arms, coreMinutes }: { readonly arms: readonly { readonly id: string; readonly seconds: number }[]; readonly coreMinutes: number },
  where: string,
  notes: Notes,
): void {
  const folders = new Map(ran.arms.map(({ arm, folder }) => [arm.id, folder]));
  const spent = [...new Map(arms.map(({ id, seconds }) => [folders.get(id) ?? id, seconds])).values()];
  const sum = spent.reduce((all, seconds) => all + seconds, 0) / 60;
  if (Math.abs(sum - coreMinutes) > 1e-9 * Math.max(1, sum))
    notes.wrong.push(`${where}: coreMinutes is ${coreMinutes}, and ${sum} by the seconds of its arms.`);
}

/** The file of a result against its runs done again. Throws LabError('file-invalid'), Interrupted. */
export async function verifyPaper(
  text: string,
  name: string,
  { cache, project, progress, threads, made: known }: PaperRoom,
): Promise<{ readonly runs: readonly ArmChecked[]; readonly notes: Notes }> {
  const { notes, stored, raw, card, paper, sameRule, rerun } = lookAt(text, name, project);
  if (card === undefined || !rerun) return { runs: [], notes };
  const options: RunOptions = { cache, commit: '', threads, quick: stored.quick, progress, warn: () => undefined };
  const { id, quick, confirm } = stored;
  const data = loadExtern();
  const places = (arm: string): number | undefined =>
    stored.arms.find((one) => one.id === arm)?.curve?.steps.length === POINTS ? POINTS : undefined;
  const block = async (of: JudgedCard, count: number): Promise<RanPaper> =>
    once(known, [id, quick, count, of.looks, of.firstSeed], async () => {
      const [ran] = await runPapers([of], options, (first) => first.seeds.length < count);
      return ran as RanPaper;
    });
  const resultOf = (ran: RanPaper, { commit, machine, date }: Pick<PaperResult, 'commit' | 'machine' | 'date'>): PaperResult =>
    asStored(paperResult(ran, { commit, machine, date: new Date(date), data, quick, places }), stored);
  const first = await block(paper, stored.seeds.length);
  wrongMinutes(first, stored, name, notes);
  let made = resultOf(first, stored);
  if (confirm !== null) {
    const second = await block({ ...paper, firstSeed: FIRST_CONFIRMING_SEED }, confirm.seeds.length);
    wrongMinutes(second, confirm, `${name}: second block`, notes);
    made = withConfirmation(made, resultOf(second, confirm));
  }
  const without = [...ASIDE, ...WORDS, ...ruled(sameRule)];
  const wrong = unlike(raw, made, 'its runs', { without, newer: NEWER });
  if (wrong !== '') (sameRule ? notes.wrong : notes.open).push(`${name}: ${wrong}.`);
  const words = unlike(wordsOf(raw as unknown as PaperResult), wordsOf(made), `the card of ${id} as it is today`);
  if (words !== '') notes.open.push(`${name}: ${words}.`);
  await wrongPilot(card, stored, { options, made: known }, name, notes);
  const runs = [
    ...armsChecked(id, stored, made, sameRule),
    ...(confirm === null || made.confirm === null ? [] : armsChecked(`${id}, second block`, confirm, made.confirm, sameRule)),
  ];
  return { runs, notes };
}
