/**
 * The papers, for pages that are loaded when they are opened: nothing of this is in the first load. What of a paper was run in this profile
 * is found again by the hashes of its arms' configs, so it is there after a reload.
 */

import { besideVerdict, checksOf } from '#claims/checks.ts';
import { askedScores } from '#claims/define-forms.ts';
import { statedBounds } from '#claims/facts.ts';
import { cardOf, comparisons, listed, paperOf, suites, suiteTitles } from '#claims/index.ts';
import { type Decision, decide, directionShows } from '#claims/judge.ts';
import { longerId } from '#claims/longer.ts';
import { ownPaper } from '#claims/own.ts';
import { pilotInWords, withPilot } from '#claims/pilot.ts';
import { type Curve, curveOf, decimate, isDrawn, type Outcome, quantityOf } from '#claims/quantity.ts';
import { runsHere, shortForm, shortSeconds, whyNotHere } from '#claims/short-form.ts';
import { type TopicGroup, topicMap } from '#claims/topics.ts';
import { curvesOf, isMeasuredHere, scoreOf } from '#client/runs/outcomes.ts';
import { newestPolicy } from '#client/runs/policies.ts';
import { runs } from '#client/runs/service.ts';
import { workers } from '#client/workers/service.ts';
import { objectOf } from '#contract/kit/json.ts';
import { type Arm, armConfig, type JudgedCard } from '#contract/papers/papers.ts';
import type { ArmResult } from '#contract/papers/results.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import type { AfterRun } from '#contract/session/session.ts';
import { catalogStore, referencesOf } from '#stores/catalog.ts';
import type { RunGroup } from '#stores/types.ts';

export {
  askedScores,
  besideVerdict,
  cardOf,
  checksOf,
  comparisons,
  curveOf,
  listed,
  longerId,
  ownPaper,
  paperOf,
  pilotInWords,
  runsHere,
  shortForm,
  shortSeconds,
  suites,
  suiteTitles,
  type TopicGroup,
  topicMap,
  whyNotHere,
  withPilot,
};

/** quick: few steps and seeds, says only whether the direction shows. full: the seeds of the first look. more: those of the second. */
export type Form = 'quick' | 'full' | 'more';

/** An arm in one form: what trains, and its seeds. */
export interface ArmForm {
  readonly arm: Arm;
  readonly config: RunConfig;
  readonly hash: string;
  readonly seeds: readonly number[];
}

/** The arms of a paper in one form. Rejects with a LabError for a config that cannot be. */
export async function armsIn(paper: JudgedCard, form: Form): Promise<readonly ArmForm[]> {
  const [first = 5, second = first] = paper.looks;
  const short = shortForm(paper);
  const count = form === 'quick' ? short.seeds : form === 'full' ? first : second - first;
  const seedStart = paper.firstSeed + (form === 'more' ? first : 0);
  return Promise.all(
    paper.arms.map(async (arm): Promise<ArmForm> => {
      const told = armConfig(paper, arm);
      const run = { ...objectOf(told.run), ...(form === 'quick' && short.run), seeds: Math.max(1, count), seedStart };
      const config = await workers.complete({ ...told, run });
      return { arm, config, hash: configHash(config), seeds: Array.from({ length: count }, (_, i) => seedStart + i) };
    }),
  );
}

/** What scripts got, by hash and seed: nothing of it is kept between visits. Those that are being measured stand in `asked`. */
const scripts = new Map<string, Outcome>();
const asked = new Set<string>();
const scriptKey = (hash: string, seed: number): string => `${hash} ${seed}`;

/** The newest policy of an arm's first seed in its quick form, while this page knows it; null: none. */
export async function quickPolicy(paper: JudgedCard, arm: string, groups: readonly RunGroup[]): Promise<PolicySnapshot | null> {
  const form = (await armsIn(paper, 'quick')).find((one) => one.arm.id === arm);
  const group = groups.find(({ hash }) => hash === form?.hash);
  return form === undefined || group === undefined ? null : newestPolicy(group.id, form.seeds[0] ?? 0);
}

/** Starts the runs of all arms that have none yet and measures scripts; `news` hears of each script that is measured. */
export async function runArms(paper: JudgedCard, arms: readonly ArmForm[], news: () => void): Promise<void> {
  // arms that read another number of the same runs are trained once
  const learners = arms.filter(({ arm, hash }, k) => arm.script === undefined && arms.findIndex((other) => other.hash === hash) === k);
  await runs.trainAll(
    learners.map(({ arm, config }) => {
      const title = `${paper.id}, ${arm.title}`.slice(0, 200);
      // an own card has its address as its link
      const address = paper.link.startsWith('#') ? paper.link : `#/papers/${paper.id.toLowerCase()}`;
      return { name: `${paper.id}: ${arm.title}`, config, origin: { kind: 'paper', title, address } };
    }),
  );
  await measureScripts(arms, news);
}

/** Measures the scripts among the arms, those that were not measured in this visit. */
export async function measureScripts(arms: readonly ArmForm[], news: () => void): Promise<void> {
  for (const { arm, config, hash, seeds } of arms) {
    if (arm.script === undefined) continue;
    for (const seed of seeds) {
      const key = scriptKey(hash, seed);
      if (scripts.has(key) || asked.has(key)) continue;
      asked.add(key);
      try {
        scripts.set(key, await workers.scripted(config, seed, arm.script));
      } finally {
        asked.delete(key);
      }
      news();
    }
  }
}

/** What was measured of policies after their runs: nothing of it is kept between visits. */
const measuredAfter = new Map<string, AfterRun>();
const afterKey = (paper: string, arm: string, hash: string, seed: number): string => `${paper} ${arm} ${hash} ${seed}`;

/** Policies that are gone, though their runs are done: what is measured of them cannot be told. */
const gone = new Set<string>();

/**
 * Measures the policies of finished runs whose arm is compared by what its run does not tell: actions drawn, other forms of its world, an attack, an
 * explanation. Those that were not measured in this visit; `news` hears of each.
 */
export async function measureEnds(
  paper: JudgedCard,
  arms: readonly ArmForm[],
  groups: readonly RunGroup[],
  news: () => void,
): Promise<void> {
  for (const { arm, config, hash, seeds } of arms) {
    const quantity = arm.quantity ?? paper.quantity;
    if (arm.script !== undefined || isMeasuredHere(quantity)) continue;
    const group = groups.find((candidate) => candidate.hash === hash);
    for (const seed of seeds) {
      const key = afterKey(paper.id, arm.id, hash, seed);
      const done = group?.seeds.find((run) => run.seed === seed)?.result ?? null;
      if (group === undefined || done === null || measuredAfter.has(key) || asked.has(key)) continue;
      const policy = newestPolicy(group.id, seed);
      if (policy === null || policy.step < done.steps) {
        gone.add(key);
        continue;
      }
      asked.add(key);
      try {
        const ask = {
          episodes: config.run.evalEpisodes,
          drawn: isDrawn(quantity),
          exact: 'of' in quantity && quantity.of === 'exactScore',
          against: arm.against ?? null,
          explain: arm.explain ?? null,
        };
        measuredAfter.set(key, await workers.answerer().afterRun(policy, ask));
      } finally {
        asked.delete(key);
      }
      news();
    }
  }
}

function parametersOf(group: RunGroup, seed: number): number | null {
  const policy = newestPolicy(group.id, seed);
  if (policy === null) return null;
  const numbers = Object.values(policy.saved.arrays).filter((array) => array instanceof Float32Array || array instanceof Float64Array);
  return numbers.reduce((sum, array) => sum + array.length, 0);
}

/** What is known so far of an arm's runs in this profile, in the form of a result file. Several forms of one arm (full and more) are put together. */
function armSoFar(paper: JudgedCard, forms: readonly ArmForm[], groups: readonly RunGroup[]): ArmResult {
  const { arm, config, hash } = forms[0]!;
  const { scale } = paper;
  const quantity = arm.quantity ?? paper.quantity;
  const metric = curveOf(quantity);
  const budget = config.run.steps;
  const told = { id: arm.id, title: arm.title, config: hash, env: config.env, trials: arm.trials };
  if (arm.script !== undefined) {
    const scores = forms.flatMap((form) =>
      form.seeds.map((seed) => {
        const outcome = scripts.get(scriptKey(form.hash, seed));
        return outcome === undefined ? null : quantityOf(quantity, scale.better, outcome, new Map(), budget);
      }),
    );
    const none = { algo: null, script: arm.script, steps: null, parameters: null, parameterHashes: [], seconds: 0, curve: null };
    return { ...told, ...none, scores };
  }
  const made = forms.flatMap((form) => {
    const group = groups.find((candidate) => candidate.hash === form.hash) ?? null;
    return form.seeds.map((seed) => {
      const run = group?.seeds.find((one) => one.seed === seed) ?? null;
      const found = group === null ? new Map<string, Curve>() : curvesOf(group, seed, metric);
      return { group, seed, result: run?.result ?? null, seconds: run?.seconds ?? 0, found };
    });
  });
  const drawn = made.map(({ found }) => found.get(metric));
  const done = made.flatMap(({ result }) => (result === null ? [] : [result]));
  const held = made.flatMap(({ group, seed, result }) => (group === null || result === null ? [] : (parametersOf(group, seed) ?? [])));
  return {
    ...told,
    // as the command line holds it; random play that no environment states is measured there alone
    ...statedBounds(paper, paper.arms.indexOf(arm), referencesOf(config.env, catalogStore.getState())),
    algo: config.algo,
    steps: done[0]?.steps ?? budget,
    parameters: held[0] ?? null,
    scores: made.map(({ group, seed, result }) => {
      if (result === null) return null;
      return group === null
        ? null
        : scoreOf(group, seed, quantity, scale.better, measuredAfter.get(afterKey(paper.id, arm.id, group.hash, seed)));
    }),
    parameterHashes: done.map(({ parameterHash }) => parameterHash),
    seconds: made.reduce((sum, { seconds }) => sum + seconds, 0),
    curve: arm.quantity === undefined && drawn.some((curve) => curve !== undefined) ? { metric, ...decimate(drawn, budget) } : null,
  };
}

/** What this profile's runs of a paper say so far. */
export interface SoFar {
  readonly arms: readonly ArmResult[];
  readonly seeds: readonly number[];
  /** Share of all steps that are done, 0..1. */
  readonly share: number;
  /** Whether any of it was started, and whether all of it has ended. */
  readonly started: boolean;
  readonly done: boolean;
  /** Runs that failed, in words. */
  readonly failures: readonly string[];
  /** Ids of runs with a seed that stands still and could go on: paused, stopped, failed, or interrupted by a reload. */
  readonly halted: readonly string[];
  /** Judged by the rule of the file; null for a quick form and until all is done. */
  readonly decision: Decision | null;
  /** Of a quick form that is done: whether every contrast lies on the side of the claim. */
  readonly shows: boolean | null;
}

const HALTED: readonly string[] = ['paused', 'stopped', 'failed', 'interrupted'];

/** `looks`: the arms of one form, or those of the full form and of its second look. */
export function soFar(paper: JudgedCard, looks: readonly (readonly ArmForm[])[], quick: boolean, groups: readonly RunGroup[]): SoFar {
  const arms = paper.arms.map((_, k) =>
    armSoFar(
      paper,
      looks.map((look) => look[k]!),
      groups,
    ),
  );
  const learners = looks.flat().filter(({ arm }) => arm.script === undefined);
  const found = learners.map(({ hash, seeds }) => ({ seeds: seeds.length, group: groups.find((group) => group.hash === hash) ?? null }));
  const total = found.reduce((sum, { seeds }) => sum + seeds, 0);
  const steps = found.reduce((sum, { group }) => {
    const budget = group?.config.run.steps ?? 1;
    return sum + (group?.seeds ?? []).reduce((all, { step, state }) => all + (state === 'done' ? 1 : Math.min(1, step / budget)), 0);
  }, 0);
  const made = found.flatMap(({ group }) => group?.seeds ?? []);
  const lost = learners.filter(({ arm, hash, seeds }) => seeds.some((seed) => gone.has(afterKey(paper.id, arm.id, hash, seed))));
  const failures = [
    ...made.flatMap(({ state, failure, seed }) => (state === 'failed' && failure !== null ? [`Seed ${seed}: ${failure.message}`] : [])),
    ...lost.map(
      ({ arm }) => `${arm.title}: what it learned is no longer here, so it cannot be measured. Delete its run and train it again.`,
    ),
  ];
  const done = arms.every(({ scores }) => scores.every((score) => score !== null)) && made.length === total;
  return {
    arms,
    seeds: looks.flatMap((look) => look[0]?.seeds ?? []),
    share: total === 0 ? 1 : steps / total,
    started:
      found.some(({ group }) => group !== null) ||
      arms.some(({ script, scores }) => script !== undefined && scores.some((score) => score !== null)),
    done,
    failures,
    halted: found.flatMap(({ group }) => (group?.seeds.some(({ state }) => HALTED.includes(state)) ? [group.id] : [])),
    decision: done && !quick ? decide(paper, arms) : null,
    shows: done && quick && paper.quick !== null ? directionShows(paper, arms) : null,
  };
}
