/**
 * What can be said of a result of a paper or claim without running anything: its settings, seeds and rule against its card, its verdict against
 * its scores. What cannot be made again is named: earlier verdicts are history, and the verdict of another judge or rule is its own.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimPaper } from '#claims/claim.ts';
import { experiments } from '#claims/experiments/index.ts';
import { paperOf } from '#claims/index.ts';
import { withPilot } from '#claims/pilot.ts';
import { decimate, isDrawn, POINTS, placesOf, quantityOf } from '#claims/quantity.ts';
import { parse } from '#contract/files/files.ts';
import { sameJson } from '#contract/kit/canonical.ts';
import { LabError } from '#contract/kit/errors.ts';
import { type JsonObject, objectOf, readJson } from '#contract/kit/json.ts';
import { type Arm, FIRST_CONFIRMING_SEED, type JudgedCard, ruleHash } from '#contract/papers/papers.ts';
import { type ArmResult, type PaperResult, paperResultSchema } from '#contract/papers/results.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { JUDGE_VERSION } from '#math/rule.ts';
import { judgedAgain } from '../claims/again.ts';
import { becomesToday, completeArm, hashIsOfSettings } from '../claims/arm-config.ts';
import { goesOn } from '../claims/result.ts';
import type { RanPaper } from '../claims/run.ts';
import { outdatedIn } from '../pages/results.ts';
import { type Notes, noNotes, unlike } from './notes.ts';
import { type StoredRun, storedRun } from './stored.ts';

/** What the judge says, by its rule and its version, and what else belongs to the rule. */
const JUDGED = [
  'rule', 'judge', 'findings', 'voids', 'verdict', 'parts', 'outcome', 'first', 'because', 'tested', 'decidedOn', 'wanted', 'exempt', 'atMost',
  'tunedOn', 'trials',
]; // biome-ignore format: one list
/** Fields that results of earlier versions lack. */
export const NEWER = ['parts', 'judge', 'log', 'outdated', 'pilot', 'confirm', 'random', 'ceiling', 'trials', 'failsBelow'];

/** What of a result does not depend on the rule that it was judged by. */
export const ruled = (sameRule: boolean): readonly string[] => (sameRule ? [] : JUDGED);

const cardOf = ({ id, quick }: Pick<PaperResult, 'id' | 'quick'>): JudgedCard | undefined => {
  const claim = experiments.find((experiment) => experiment.id === id);
  return paperOf(id) ?? (claim && (claimPaper(claim, quick) ?? undefined));
};

/** Alike for configs that differ in their seeds only. */
const withoutSeeds = (config: RunConfig): string => configHash({ ...config, run: { ...config.run, seeds: 1, seedStart: 1 } });

/** The config of an arm as it is today; null where that stored with its result cannot be brought to it. */
function todays(paper: JudgedCard, own: Arm, arm: ArmResult, quick: boolean): RunConfig | null {
  const today = completeArm(paper, own, quick);
  try {
    return becomesToday(arm, today) ? today : null;
  } catch (error) {
    if (!(error instanceof LabError)) throw error;
    return null;
  }
}

/** The runs of an arm whose settings are those of today, each with its score. */
function runsOfArm(stored: PaperResult, paper: JudgedCard, arm: ArmResult): readonly StoredRun[] {
  const own = paper.arms.find(({ id }) => id === arm.id);
  const config = own && todays(paper, own, arm, stored.quick);
  if (own === undefined || config === undefined || config === null) return [];
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
export function hashesOf({ scores, parameterHashes }: Pick<ArmResult, 'scores' | 'parameterHashes'>): readonly (string | null)[] {
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

/**
 * Arms that the card has and the file has not, and the other way round, and settings that are not those of today; answers whether all are. The
 * settings of an older version are brought to today's before they are compared.
 */
function wrongArms(paper: JudgedCard, stored: PaperResult, where: string, notes: Notes, judged: string[]): boolean {
  let alike = true;
  for (const { id } of paper.arms)
    if (!stored.arms.some((arm) => arm.id === id)) judged.push(`${where}: the arm "${id}" of ${paper.id} is not there.`);
  for (const arm of stored.arms) {
    const own = paper.arms.find(({ id }) => id === arm.id);
    if (own === undefined) {
      judged.push(`${where}: ${paper.id} has no arm "${arm.id}".`);
      continue;
    }
    const today = completeArm(paper, own, stored.quick);
    const known = hashIsOfSettings(arm, today);
    if (!known && arm.algo !== null)
      notes.wrong.push(`${where}: the settings of ${arm.title} are not those of its config hash ${arm.config}.`);
    else if (todays(paper, own, arm, stored.quick) === null) {
      alike = false;
      notes.open.push(
        `${where}: ${arm.title} was recorded with config ${arm.config}, and today its config is ${configHash(today)}: its card or its settings have changed since, so it cannot be run again as it was.`,
      );
    } else if (!known)
      notes.open.push(`${where}: the config hash of ${arm.title} covers a method of another version, which a script has no settings of.`);
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
function wrongVerdict(card: JudgedCard, stored: PaperResult, raw: JsonObject, where: string, notes: Notes): void {
  if (stored.quick) return;
  const wrong = unlike(raw, judgedAgain(card, stored, stored.outdated), 'its scores', { newer: NEWER });
  if (wrong !== '') notes.wrong.push(`${where}: ${wrong}.`);
}

/** Seeds are those of a look, of both blocks, and the looks go on as the card says. */
function wrongLooks(paper: JudgedCard, stored: PaperResult, where: string, notes: Notes, judged: string[]): void {
  const { quick, confirm } = stored;
  const counts = quick ? [paper.quick?.seeds ?? 0] : paper.looks;
  const blocks = [[stored.seeds, paper.firstSeed] as const, ...(confirm === null ? [] : [[confirm.seeds, FIRST_CONFIRMING_SEED] as const])];
  for (const [seeds, first] of blocks)
    if (!counts.includes(seeds.length) || seeds.some((seed, i) => seed !== first + i))
      judged.push(`${where}: its seeds are ${seeds.join(', ')}; ${paper.id} asks for ${counts.join(' or ')} from ${first} on.`);
  const { length } = stored.seeds;
  if (judged.length === 0 && !quick && goesOn({ paper } as RanPaper, stored, false) && counts.some((more) => more > length))
    notes.open.push(`${where}: it is open on ${length} seeds, and ${paper.id} goes on to more: they are not here.`);
}

/** Steps of curves that are not those at which curves of their budget are kept. */
function wrongCurves(paper: JudgedCard, stored: PaperResult, where: string, notes: Notes): void {
  const here = placesOf(stored.seeds.length * paper.arms.filter((arm) => arm.quantity === undefined).length);
  for (const { id, title, curve } of stored.arms) {
    const own = paper.arms.find((arm) => arm.id === id);
    if (own === undefined || curve === null) continue;
    const { steps } = completeArm(paper, own, stored.quick).run;
    if (![here, POINTS].some((places) => sameJson(decimate([], steps, places).steps, curve.steps)))
      notes.wrong.push(`${where}: the curve of ${title} is not at the steps of a curve of ${steps} steps.`);
  }
}

/** What can be said without running anything. `rerun`: its runs are those of today. */
export function lookAt(text: string, name: string, project: string) {
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
  const sameRule = stored.rule === ruleHash(paper) && stored.judge === JUDGE_VERSION;
  if (!sameRule)
    notes.open.push(
      `${name}: its verdict is of judge ${stored.judge} and rule ${stored.rule}; here they are ${JUDGE_VERSION} and ${ruleHash(paper)}.`,
    );
  wrongHistory(text, stored, project, name, notes);
  // By another rule other arms and seeds are no fault.
  const judged = sameRule ? notes.wrong : notes.open;
  const alike = wrongArms(paper, stored, name, notes, judged);
  wrongLooks(paper, stored, name, notes, judged);
  if (alike) wrongCurves(paper, stored, name, notes);
  const outdated = outdatedIn(stored);
  const strange = stored.outdated.filter((one) => !outdated.includes(one));
  if (strange.length > 0) notes.wrong.push(`${name}: outdated: "${strange[0]}" has not changed since.`);
  if (notes.wrong.length === 0 && sameRule) wrongVerdict(card, stored, raw, name, notes);
  if (outdated.length > 0) notes.open.push(`${name}: its runs follow rules that have changed since: ${outdated.join(' ')}`);
  return { notes, stored, raw, card, paper, sameRule, rerun: alike && outdated.length === 0 };
}
