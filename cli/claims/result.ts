/** The result file of a paper, from its runs. */
import { configHash } from '#contract/config-hash.ts';
import { type PaperCard, ruleHash } from '#contract/papers.ts';
import type { ArmResult, PaperResult } from '#contract/results.ts';
import { armsOf, contrastInterval, judge, LOOKS, noneOf } from '#math/verdict.ts';
import { type ArmFacts, type Void, voids } from '#math/verdict-checks.ts';
import type { ExternFile } from '../extern.ts';
import type { Machine } from '../machine.ts';
import { decimate, quantityOf, readCurves } from './quantity.ts';
import type { ArmRuns, DoneRun, RanPaper } from './run.ts';

const finite = (value: number | null | undefined): number | null =>
  value !== null && value !== undefined && Number.isFinite(value) ? value : null;

function armResult(paper: PaperCard, { arm, config, folder, rival }: ArmRuns, runs: readonly (DoneRun | null)[], seeds: readonly number[]) {
  const budget = config.run.steps;
  const scripted = arm.script !== undefined;
  const curves = seeds.map((seed) => (scripted ? new Map() : readCurves(folder, seed)));
  const metric = 'metric' in paper.quantity ? paper.quantity.metric : 'episodicReturn';
  const drawn = curves.map((curve) => curve.get(metric));
  const done = runs.flatMap((run) => (run ? [run.outcome] : []));
  const result: ArmResult = {
    id: arm.id,
    title: arm.title,
    config: configHash(config),
    env: config.env,
    algo: scripted ? null : config.algo,
    ...(scripted && { script: arm.script }),
    trials: arm.trials,
    steps: scripted ? null : (done[0]?.steps ?? budget),
    parameters: done[0]?.parameters ?? null,
    scores: runs.map((run, i) => (run ? quantityOf(paper.quantity, paper.scale.better, run.outcome, curves[i]!, budget) : null)),
    parameterHashes: done.map(({ parameterHash }) => parameterHash),
    seconds: done.reduce((sum, { seconds }) => sum + seconds, 0),
    curve: drawn.some((curve) => curve !== undefined) ? { metric, ...decimate(drawn, budget) } : null,
    ...(arm.rival &&
      rival && {
        rival: { ...arm.rival, parameterHash: rival.parameterHash, scores: runs.map((run) => finite(run?.outcome.rivalReturn)) },
      }),
  };
  return result;
}

/** What decides: contrasts with intervals, failed checks, the verdict. */
export function decide(
  paper: PaperCard,
  arms: readonly ArmResult[],
): Pick<PaperResult, 'findings' | 'voids' | 'verdict' | 'decidedOn' | 'wanted'> {
  const used = new Set(paper.contrasts.flatMap(armsOf));
  const missing = arms.filter(({ id, scores }) => used.has(id) && scores.some((score) => score === null));
  if (missing.length > 0) {
    const text = `Not every run gave a number: ${missing.map(({ id }) => id).join(', ')}.`;
    return { findings: [], voids: [{ check: 'seeds', text }], verdict: 'inconclusive', decidedOn: 0, wanted: null };
  }
  const scores = Object.fromEntries(arms.map((arm) => [arm.id, arm.scores.map((score) => score ?? 0)]));
  try {
    const { verdict, seeds, findings, wanted } = judge(paper.contrasts, scores);
    const facts = Object.fromEntries(
      arms.map(({ id, steps, parameters, trials, algo }, k): [string, ArmFacts] => {
        const { random, ceiling } = { ...paper.scale, ...paper.arms[k]!.scale };
        return [id, { steps, parameters, trials: algo === null ? null : trials, random, ceiling }];
      }),
    );
    const decided = Object.fromEntries(Object.entries(scores).map(([id, values]) => [id, values.slice(0, seeds)]));
    const same = arms.filter(
      ({ id, parameterHashes: learned }) => used.has(id) && learned.length > 1 && learned[0] !== '' && new Set(learned).size === 1,
    );
    const copies = same.map(
      ({ id }): Void => ({ check: 'spread', text: `Every seed of ${id} learned the same, bit for bit: one run, not several.` }),
    );
    const checked = voids(paper.contrasts, decided, facts, paper.scale.better, paper.exempt);
    const failed = [...checked, ...copies];
    const most = verdict === 'reproduced' ? (paper.atMost?.verdict ?? verdict) : verdict;
    return { findings: [...findings], voids: failed, verdict: failed.length > 0 ? 'inconclusive' : most, decidedOn: seeds, wanted };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const failed: Void = { check: 'seeds', text: error.message };
    return { findings: [], voids: [failed], verdict: 'inconclusive', decidedOn: 0, wanted: null };
  }
}

/** Whether every contrast of a quick form lies on the claimed side of its null. Nothing is tested: too few seeds. */
export function directionShows(paper: PaperCard, arms: readonly ArmResult[]): boolean {
  const scores = Object.fromEntries(arms.map((arm) => [arm.id, arm.scores.map((score) => score ?? Number.NaN)]));
  return paper.contrasts.every((contrast) => {
    try {
      const { estimate } = contrastInterval(contrast, scores, LOOKS[0].tail);
      const beyond = (estimate - noneOf(contrast)) * (contrast.claim === 'above' ? 1 : -1);
      return contrast.kind === 'level' || contrast.kind === 'every' ? beyond >= 0 : beyond > 0;
    } catch (error) {
      if (error instanceof RangeError) return false; // a run gave no number
      throw error;
    }
  });
}

/** The whole file. `about`: where and when, and the files from outside that are there. */
export function paperResult(
  ran: RanPaper,
  about: {
    readonly commit: string;
    readonly machine: Machine;
    readonly date: Date;
    readonly data: readonly ExternFile[];
    readonly quick: boolean;
  },
): PaperResult {
  const { paper, seeds, runs } = ran;
  const arms = ran.arms.map((arm, k) => armResult(paper, arm, runs[k]!, seeds));
  const commits = new Set(runs.flat().flatMap((run) => (run ? [run.commit] : [])));
  const asked = new Set(paper.arms.flatMap((arm) => arm.data ?? []));
  const decided = about.quick
    ? { findings: [], voids: [], verdict: 'inconclusive' as const, decidedOn: 0, wanted: null }
    : decide(paper, arms);
  return {
    v: 2,
    id: paper.id,
    title: paper.title,
    rule: ruleHash(paper),
    quick: about.quick,
    quantity: paper.quantity.title,
    commit: [...(commits.size === 0 ? [about.commit] : commits)].sort().join(', '),
    date: about.date.toISOString(),
    machine: about.machine,
    tunedOn: paper.tunedOn === null ? null : [paper.tunedOn[0], paper.tunedOn[1]],
    seeds: [...seeds],
    arms,
    ...decided,
    atMost: paper.atMost,
    exempt: paper.exempt.map(({ check, arms: names, why }) => ({ check, arms: [...names], why })),
    coreMinutes: arms.reduce((sum, { seconds }) => sum + seconds, 0) / 60,
    ...(asked.size > 0 && { data: about.data.filter(({ name }) => asked.has(name)) }),
  };
}
