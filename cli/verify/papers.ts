/**
 * Results of papers and claims: every run is done again as `claims` does it, the pilot and the bounds too, and the whole file is made again from
 * what they give. What cannot be made again is named: earlier verdicts are history, and the verdict of another judge or rule is its own.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimPaper } from '#claims/claim.ts';
import { experiments } from '#claims/experiments/index.ts';
import { paperOf } from '#claims/index.ts';
import { decide } from '#claims/judge.ts';
import { formHash, type PilotRuns, pilotOf, withPilot } from '#claims/pilot.ts';
import { isDrawn, quantityOf } from '#claims/quantity.ts';
import { parse } from '#contract/files/files.ts';
import { canonicalJson } from '#contract/kit/canonical.ts';
import { objectOf, readJson } from '#contract/kit/json.ts';
import { type JudgedCard, ruleHash } from '#contract/papers/papers.ts';
import { type ArmResult, type PaperResult, paperResultSchema } from '#contract/papers/results.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { type Checked, checked, unverified } from '#contract/run/verify.ts';
import { JUDGE_VERSION } from '#math/rule.ts';
import { completeArm } from '../claims/arm-config.ts';
import { pilotRuns } from '../claims/pilot.ts';
import { goesOn, paperResult } from '../claims/result.ts';
import { type RanPaper, type RunOptions, runPapers } from '../claims/run.ts';
import { loadExtern } from '../kit/extern.ts';
import { outdatedIn } from '../pages/results.ts';
import { type Notes, noNotes, unlike } from './notes.ts';
import { type StoredRun, storedRun } from './stored.ts';

/** One run of an arm. */
export interface ArmChecked {
  readonly of: string;
  readonly seed: number;
  readonly parameterHash: string;
  readonly checked: Checked;
}

/** Of the file what is no number of a run, or history. */
const ASIDE = ['commit', 'date', 'machine', 'seconds', 'coreMinutes', 'minutesPerSeed', 'log', 'outdated', 'pilot'];
/** What the judge says, by its rule and its version. */
const JUDGED = ['rule', 'judge', 'findings', 'voids', 'verdict', 'parts', 'decidedOn', 'wanted', 'exempt', 'atMost'];
/** Words of the card, which may be put otherwise without another rule. */
const WORDS = ['title', 'quantity'];
const wordsOf = ({ title, quantity, arms }: PaperResult) => ({ title, quantity, arms: arms.map((arm) => ({ title: arm.title })) });
/** Fields that results of earlier versions lack. */
const NEWER = ['parts', 'judge', 'log', 'outdated', 'pilot', 'random', 'ceiling', 'trials', 'failsBelow'];

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

const cardOf = ({ id, quick }: Pick<PaperResult, 'id' | 'quick'>): JudgedCard | undefined => {
  const claim = experiments.find((experiment) => experiment.id === id);
  return paperOf(id) ?? (claim && (claimPaper(claim, quick) ?? undefined));
};

/** Alike for configs that differ in their seeds only. */
const withoutSeeds = (config: RunConfig): string => configHash({ ...config, run: { ...config.run, seeds: 1, seedStart: 1 } });

/** The runs of an arm whose config is that of today, each with its score. */
function runsOfArm(stored: PaperResult, paper: JudgedCard, arm: ArmResult): readonly StoredRun[] {
  const own = paper.arms.find(({ id }) => id === arm.id);
  const config = own && completeArm(paper, own, stored.quick);
  if (own === undefined || config === undefined || configHash(config) !== arm.config) return [];
  const { against, explain, script } = own;
  const sampled = [paper.quantity, ...paper.arms.flatMap((one) => one.quantity ?? [])].some(isDrawn);
  const quantity = own.quantity ?? paper.quantity;
  return hashesOf(arm).flatMap((parameterHash, i): StoredRun[] => {
    const seed = stored.seeds[i];
    if (parameterHash === null || seed === undefined) return [];
    return [
      {
        ...storedRun(`${stored.id} ${arm.id}`, { config, apart: null }, { seed, parameterHash }),
        numbers: { score: arm.scores[i] ?? null },
        job: { ...(against && { against }), ...(explain && { explain }), ...(script !== undefined && { script }), sampled },
        measure: (outcome, curves) => ({ score: quantityOf(quantity, paper.scale.better, outcome, curves, config.run.steps) }),
      },
    ];
  });
}

/** What each seed learned. A run that failed has no hash: the others stand in the order of the seeds. */
function hashesOf({ scores, parameterHashes }: Pick<ArmResult, 'scores' | 'parameterHashes'>): readonly (string | null)[] {
  let place = 0;
  const full = parameterHashes.length === scores.length;
  return scores.map((score) => (full || score !== null ? (parameterHashes[place++] ?? null) : null));
}

/** The runs of a result whose config is this one, but for its seeds. */
export function armsWith(config: RunConfig, text: string): readonly StoredRun[] {
  if (!text.includes(`"${config.env.id}"`)) return [];
  const stored = parse(paperResultSchema, text, 'a result');
  const paper = cardOf(stored);
  if (paper === undefined) return [];
  return stored.arms.flatMap((arm) => runsOfArm(stored, paper, arm)).filter((run) => withoutSeeds(run.config) === withoutSeeds(config));
}

/** Some runs of a result, and what can be said of it without running anything. */
export function somePaperRuns(text: string, name: string, project: string): { readonly runs: readonly StoredRun[]; readonly notes: Notes } {
  const { notes, stored, paper } = lookAt(text, name, project);
  return { runs: paper === undefined ? [] : stored.arms.flatMap((arm) => runsOfArm(stored, paper, arm)), notes };
}

/** Arms that the card has and the file has not, and the other way round; answers whether all configs are those of today. */
function wrongArms(paper: JudgedCard, stored: PaperResult, where: string, notes: Notes): boolean {
  let alike = true;
  for (const { id } of paper.arms)
    if (!stored.arms.some((arm) => arm.id === id)) notes.wrong.push(`${where}: the arm "${id}" of ${paper.id} is not there.`);
  for (const arm of stored.arms) {
    const own = paper.arms.find(({ id }) => id === arm.id);
    if (own === undefined) {
      notes.wrong.push(`${where}: ${paper.id} has no arm "${arm.id}".`);
      continue;
    }
    const today = configHash(completeArm(paper, own, stored.quick));
    if (today === arm.config) continue;
    alike = false;
    notes.open.push(
      `${where}: ${arm.title} was recorded with config ${arm.config}, and today its config is ${today}: versions or settings have changed since, so it cannot be run again as it was.`,
    );
  }
  return alike;
}

/** What the published file of this project says of the same runs otherwise. */
function wrongHistory(text: string, stored: PaperResult, project: string, where: string, notes: Notes): void {
  const file = join(project, 'public/results/papers', `${stored.id}.json`);
  const published = existsSync(file) ? readFileSync(file, 'utf8') : null;
  if (published === text) return;
  const known = published === null ? null : parse(paperResultSchema, published, 'a published result');
  if (known !== null && known.date === stored.date) {
    const wrong = unlike(objectOf(readJson(text)), objectOf(readJson(published as string)), 'the published result of this date');
    if (wrong !== '') notes.wrong.push(`${where}: ${wrong}.`);
  } else if (stored.log.length > 0 || (known?.log.length ?? 0) > 0)
    notes.open.push(
      `${where}: its log of earlier verdicts is history and cannot be computed; the result in public/results is of another date.`,
    );
}

/** Stored verdicts against those that the judge gives of the stored scores: without running anything. */
function wrongVerdict(paper: JudgedCard, stored: PaperResult, raw: object, where: string, notes: Notes): void {
  if (stored.quick) return;
  const decided = decide(paper, stored.arms);
  const kept = Object.fromEntries(Object.keys(decided).map((name) => [name, (raw as { readonly [key: string]: unknown })[name]]));
  const wrong = unlike(kept, decided, 'its scores', { newer: NEWER });
  if (wrong !== '') notes.wrong.push(`${where}: ${wrong}.`);
}

function armsChecked(stored: PaperResult, made: PaperResult): readonly ArmChecked[] {
  return stored.arms.flatMap((arm) => {
    const again = made.arms.find(({ id }) => id === arm.id);
    const of = `${stored.id} ${arm.id}`;
    const [mine, other] = [hashesOf(arm), again === undefined ? [] : hashesOf(again)];
    return stored.seeds.map((seed, i): ArmChecked => {
      const about = { of, seed, parameterHash: mine[i] ?? '' };
      if (again === undefined) return { ...about, checked: unverified(`${stored.id} has no such arm`) };
      const side = (hash: string | null | undefined, score: number | null | undefined) => ({
        parameterHash: hash ?? '',
        numbers: { score: score ?? null },
        curves: null,
      });
      return { ...about, checked: checked(side(mine[i], arm.scores[i]), side(other[i], again.scores[i]), null) };
    });
  });
}

/** Seeds are those of a look, and the looks go on as the card says. */
function wrongLooks(paper: JudgedCard, stored: PaperResult, where: string, notes: Notes): void {
  const { seeds, quick } = stored;
  const count = seeds.length;
  const counts = quick ? [paper.quick?.seeds ?? 0] : paper.looks;
  if (!counts.includes(count) || seeds.some((seed, i) => seed !== paper.firstSeed + i))
    notes.wrong.push(
      `${where}: its seeds are ${seeds.join(', ')}; ${paper.id} asks for ${counts.join(' or ')} from ${paper.firstSeed} on.`,
    );
  else if (!quick && goesOn({ paper } as RanPaper, stored, false) && counts.some((more) => more > count))
    notes.open.push(`${where}: it is open on ${count} seeds, and ${paper.id} goes on to more: they are not here.`);
}

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
  if (pilot.form !== formHash(card)) {
    notes.open.push(`${where}: its pilot is of another form of ${card.id} than today's, so it is not run again.`);
    return;
  }
  const silent = pilot.arms.filter(({ scores }) => scores.length === 0).map(({ id }) => id);
  const runs: readonly PilotRuns[] = await once(known, ['pilot', card.id, pilot.seeds, silent], () =>
    pilotRuns(card, pilot.seeds, options, silent),
  );
  const { commit, machine, date, seeds, coreMinutes } = pilot;
  const made = pilotOf(card, runs, { commit, machine, date, seeds, coreMinutes });
  const armMinutes = { ...made, arms: made.arms.map((arm, k) => ({ ...arm, coreMinutes: pilot.arms[k]?.coreMinutes ?? 0 })) };
  const wrong = unlike(pilot, armMinutes, 'its runs');
  if (wrong !== '') notes.wrong.push(`${where}: pilot: ${wrong}.`);
}

/** What can be said without running anything. `rerun`: its runs are those of today. */
function lookAt(text: string, name: string, project: string) {
  const notes = noNotes();
  notes.aside.push('dates', 'machine', 'commit', 'seconds');
  const stored = parse(paperResultSchema, text, 'a result');
  const raw = objectOf(readJson(text));
  const card = cardOf(stored);
  if (card === undefined) {
    notes.open.push(`${name}: there is no paper or claim "${stored.id}" to run again.`);
    return { notes, stored, raw, sameRule: false, rerun: false };
  }
  const paper = withPilot(card, stored.pilot);
  wrongHistory(text, stored, project, name, notes);
  const alike = wrongArms(paper, stored, name, notes);
  wrongLooks(paper, stored, name, notes);
  const sameRule = stored.rule === ruleHash(paper) && stored.judge === JUDGE_VERSION;
  if (!sameRule)
    notes.open.push(
      `${name}: its verdict is of judge ${stored.judge} and rule ${stored.rule}; here they are ${JUDGE_VERSION} and ${ruleHash(paper)}.`,
    );
  const outdated = outdatedIn(stored);
  const strange = stored.outdated.filter((one) => !outdated.includes(one));
  if (strange.length > 0) notes.wrong.push(`${name}: outdated: "${strange[0]}" has not changed since.`);
  if (notes.wrong.length === 0 && sameRule) wrongVerdict(paper, stored, raw, name, notes);
  if (outdated.length > 0) notes.open.push(`${name}: its runs follow rules that have changed since: ${outdated.join(' ')}`);
  return { notes, stored, raw, card, paper, sameRule, rerun: alike && outdated.length === 0 };
}

/** The file of a result against its runs done again. Throws LabError('file-invalid'), Interrupted. */
export async function verifyPaper(
  text: string,
  name: string,
  { cache, project, progress, threads, made: known }: PaperRoom,
): Promise<{ readonly runs: readonly ArmChecked[]; readonly notes: Notes }> {
  const { notes, stored, raw, card, paper, sameRule, rerun } = lookAt(text, name, project);
  if (card === undefined || !rerun) return { runs: [], notes };
  const failed: string[] = [];
  const options: RunOptions = { cache, commit: '', threads, quick: stored.quick, progress, warn: (line) => void failed.push(line) };
  const count = stored.seeds.length;
  const cut = await once(known, [paper.id, stored.quick, count, paper.looks], async () => {
    const [ran] = await runPapers([paper], options, (first) => first.seeds.length < count);
    return ran as RanPaper;
  });
  const about = {
    commit: stored.commit,
    machine: stored.machine,
    date: new Date(stored.date),
    data: loadExtern(),
    quick: stored.quick,
  };
  const made = paperResult(cut, about);
  const without = [...ASIDE, ...WORDS, ...(sameRule ? [] : JUDGED)];
  const wrong = unlike(raw, made, 'its runs', { without, newer: NEWER });
  if (wrong !== '') notes.wrong.push(`${name}: ${wrong}.`);
  const words = unlike(wordsOf(raw as unknown as PaperResult), wordsOf(made), `the card of ${stored.id} as it is today`);
  if (words !== '') notes.open.push(`${name}: ${words}.`);
  // Runs that arms share count once.
  const spent = [...new Map(stored.arms.map((arm, k) => [cut.arms[k]?.folder ?? String(k), arm.seconds])).values()];
  const sum = spent.reduce((all, seconds) => all + seconds, 0) / 60;
  if (Math.abs(sum - stored.coreMinutes) > 1e-9 * Math.max(1, sum))
    notes.wrong.push(`${name}: coreMinutes is ${stored.coreMinutes}, and ${sum} by the seconds of its arms.`);
  await wrongPilot(card, stored, { options, made: known }, name, notes);
  return { runs: armsChecked(stored, made), notes };
}
