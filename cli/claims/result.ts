/** The result file of a paper, from its runs. */

import { decide } from '#claims/judge.ts';
import { curveOf, decimate, placesOf, quantityOf } from '#claims/quantity.ts';
import { type JudgedCard, ruleHash } from '#contract/papers/papers.ts';
import type { Pilot } from '#contract/papers/pilots.ts';
import type { ArmResult, PaperResult } from '#contract/papers/results.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { finiteOrNull } from '#math/finite.ts';
import { JUDGE_VERSION } from '#math/rule.ts';
import { readCurves } from '../kit/curves.ts';
import type { ExternFile } from '../kit/extern.ts';
import type { Machine } from '../kit/machine.ts';
import type { ArmRuns, DoneRun, RanPaper } from './run.ts';

/** An arm of a result, from its runs by seed. `places`: of its curve. */
export function armResult(
  paper: JudgedCard,
  { arm, config, folder, rival, bounds }: ArmRuns,
  runs: readonly (DoneRun | null)[],
  seeds: readonly number[],
  // runs of another arm have their curve there
  places = placesOf(seeds.length * paper.arms.filter((one) => one.quantity === undefined).length),
) {
  const budget = config.run.steps;
  const scripted = arm.script !== undefined;
  const curves = seeds.map((seed) => (scripted ? new Map() : readCurves(folder, seed)));
  const quantity = arm.quantity ?? paper.quantity;
  const metric = curveOf(quantity);
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
    ...bounds,
    scores: runs.map((run, i) => (run ? quantityOf(quantity, paper.scale.better, run.outcome, curves[i]!, budget) : null)),
    parameterHashes: done.map(({ parameterHash }) => parameterHash),
    seconds: done.reduce((sum, { coreSeconds, seconds }) => sum + (coreSeconds ?? seconds), 0),
    curve: arm.quantity === undefined && drawn.some((curve) => curve !== undefined) ? { metric, ...decimate(drawn, budget, places) } : null,
    ...(arm.rival &&
      rival && {
        rival: { ...arm.rival, parameterHash: rival.parameterHash, scores: runs.map((run) => finiteOrNull(run?.outcome.rivalReturn)) },
      }),
  };
  return result;
}

/** Of all runs; arms that share them count once. */
function secondsOf(ran: RanPaper['arms'], arms: readonly ArmResult[]): number {
  const byFolder = new Map(ran.map(({ folder }, k) => [folder, arms[k]!.seconds]));
  return [...byFolder.values()].reduce((sum, seconds) => sum + seconds, 0);
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
    /** By paper; without one the result says that there was none. */
    readonly pilots?: ReadonlyMap<string, Pilot | null>;
    /** Of the curve of an arm, by its id; without it, as many as there is room for. */
    readonly places?: (arm: string) => number | undefined;
  },
): PaperResult {
  const { paper, seeds, runs } = ran;
  const arms = ran.arms.map((arm, k) => armResult(paper, arm, runs[k]!, seeds, about.places?.(arm.arm.id)));
  const commits = new Set(runs.flat().flatMap((run) => (run ? [run.commit] : [])));
  const asked = new Set(paper.arms.flatMap((arm) => arm.data ?? []));
  const decided = about.quick
    ? { findings: [], voids: [], outcome: 'open' as const, because: '', judge: JUDGE_VERSION, decidedOn: 0, wanted: null }
    : decide(paper, arms);
  return {
    v: 2,
    id: paper.id,
    title: paper.title,
    rule: ruleHash(paper),
    quick: about.quick,
    outdated: [],
    quantity: paper.quantity.title,
    commit: [...(commits.size === 0 ? [about.commit] : commits)].sort().join(', '),
    date: about.date.toISOString(),
    machine: about.machine,
    tunedOn: paper.tunedOn === null ? null : [paper.tunedOn[0], paper.tunedOn[1]],
    seeds: [...seeds],
    arms,
    ...decided,
    log: [],
    tested: paper.tested,
    first: decided.outcome,
    confirm: null,
    exempt: paper.exempt.map(({ check, arms: names, why }) => ({ check, arms: [...names], why })),
    coreMinutes: secondsOf(ran.arms, arms) / 60,
    pilot: about.pilots?.get(paper.id) ?? null,
    ...(asked.size > 0 && { data: about.data.filter(({ name }) => asked.has(name)) }),
  };
}

/** Whether a paper goes on to the seeds of the second look: the first left it open, and its suite can afford them or `full` was asked for. */
export const goesOn = ({ paper }: RanPaper, { wanted }: PaperResult, full: boolean): boolean =>
  wanted !== null && (full || paper.secondLook === 'always');
