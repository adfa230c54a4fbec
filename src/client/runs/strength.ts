/**
 * Tests kept policies beside a run whose return while exploring cannot show what it learned (contract/catalog/strength.ts). In the worker that answers
 * longer questions, a few episodes at a time, and while seeds train only for a small share of the time: what is shown changes nothing of the run, and
 * training keeps its speed. Runs that are opened later are tested as they are shown.
 */

import type { Strength } from '#contract/catalog/catalog.ts';
import { strengthOf } from '#contract/catalog/strength.ts';
import { isGymEnv } from '#contract/game/gym-id.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { isOwnWorld } from '#contract/run/own-world.ts';
import type { WatchApi } from '#contract/session/session.ts';
import { algoCard, envCard } from '#stores/catalog.ts';
import { strengths } from '#stores/strength.ts';
import type { RunGroup } from '#stores/types.ts';
import { heldPolicies } from './policies.ts';
import { nextTest, type TestedSeed } from './strength-plan.ts';

/** What shows the learning of this run beside its return while exploring; null: that return does, or its world is played in a sandbox or in Python. */
export function strengthWanted({ env, algo }: RunConfig): Strength | null {
  if (isOwnWorld(env.id) || isGymEnv(env.id)) return null;
  const [world, method] = [envCard(env.id), algoCard(algo.id)];
  return world === null || method === null ? null : strengthOf(world, method, { ...method.defaults, ...(algo.config as JsonObject) });
}

/** The runs that are tested, the active one first: in its world every visible one, where one of them needs it, so that lines stand beside each other. */
export function testedRuns(groups: readonly RunGroup[], activeId: string | null): readonly RunGroup[] {
  const active = groups.find(({ id }) => id === activeId);
  if (active === undefined) return [];
  const beside = groups.filter(
    ({ id, visible, imported, config }) =>
      imported === undefined && config.env.id === active.config.env.id && (visible || id === activeId) && learns(config),
  );
  if (beside.every(({ config }) => strengthWanted(config) === null)) return [];
  return beside.toSorted((a, b) => Number(b.id === activeId) - Number(a.id === activeId));
}

const learns = ({ algo }: RunConfig): boolean => algoCard(algo.id)?.learner !== 'none';

/** Episodes of a test at first, and of one that fits into PIECE_MS. */
const PIECE = 8;
const [LEAST, MOST] = [2, 32];
const PIECE_MS = 250;
/** Episodes of the policies that are compared. */
const WHOLE = 64;

/** How often a pause looks whether training goes on, ms. */
const LOOK_MS = 250;

/** Share of the time that tests take: while seeds train on every core (of two cores about 2 % of their speed), while a core is left, and while none trains. */
export const SHARES = { crowded: 0.1, spare: 0.4, idle: 0.8 } as const;

export interface StrengthOptions {
  readonly api: () => Pick<WatchApi, 'strength'>;
  readonly runs: () => { readonly groups: readonly RunGroup[]; readonly activeId: string | null };
  /** How much of the machine seeds that train leave. */
  readonly load: () => keyof typeof SHARES;
  /** Tests wait: the page is hidden, or a first curve is awaited. */
  readonly resting: () => boolean;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

/** A test of a run: of a policy, or of random actions in its world. */
type Task =
  | {
      readonly kind: 'policy';
      readonly group: RunGroup;
      readonly seed: number;
      readonly snapshot: PolicySnapshot;
      readonly after: number;
      readonly episodes: number;
    }
  | { readonly kind: 'random'; readonly group: RunGroup; readonly episodes: number };

const OVER: readonly RunGroup['seeds'][number]['state'][] = ['done', 'stopped', 'failed', 'interrupted'];

/** A run may have been removed, or gone back to an earlier state, while its policy was tested. */
const isHeld = (runId: string, snapshot: PolicySnapshot): boolean =>
  heldPolicies(runId, snapshot.seed).some((entry) => entry.snapshot === snapshot);

export class Strengths {
  private readonly options: StrengthOptions;
  private going = false;
  private again = false;
  /** A test was made on this visit. */
  private begun = false;
  /** Milliseconds of an episode, by run. */
  private readonly paces = new Map<string, number>();

  constructor(options: StrengthOptions) {
    this.options = options;
  }

  /** There may be something to test. Never rejects: what fails is said beside the line. */
  async wake(): Promise<void> {
    this.again = true;
    if (this.going) return;
    this.going = true;
    try {
      while (this.again) {
        this.again = false;
        for (let task = this.next(); task !== null; task = this.next()) await this.work(task);
      }
    } finally {
      this.going = false;
    }
  }

  private next(): Task | null {
    if (this.options.resting()) return null;
    const { groups, activeId } = this.options.runs();
    for (const group of testedRuns(groups, activeId)) {
      const task = strengths.problem(group.id) === null ? this.nextOf(group) : null;
      if (task !== null) return task;
    }
    return null;
  }

  private nextOf(group: RunGroup): Task | null {
    const seeds = group.seeds.map((run): TestedSeed & { readonly at: ReadonlyMap<number, PolicySnapshot> } => {
      const ended = OVER.includes(run.state);
      const entries = heldPolicies(group.id, run.seed).filter(({ keep }, at, all) => keep || (ended && at === all.length - 1));
      const at = new Map(entries.map(({ snapshot }) => [snapshot.step, snapshot]));
      return { seed: run.seed, kept: [...at.keys()], tested: strengths.tested(group.id, run.seed), ended, at };
    });
    const kind = strengths.kind(group.id);
    const whole = kind === 'return' ? Math.min(100, Math.max(16, group.config.run.evalEpisodes)) : WHOLE;
    const begun = seeds.some(({ tested }) => tested.size > 1);
    if (begun && kind === 'return against random' && strengths.random(group.id) === null) return { kind: 'random', group, episodes: WHOLE };
    const test = nextTest(seeds, { budget: group.config.run.steps, piece: this.piece(group.id), whole });
    const snapshot = seeds.find(({ seed }) => seed === test?.seed)?.at.get(test?.step ?? -1);
    return test === null || snapshot === undefined ? null : { kind: 'policy', group, snapshot, ...test };
  }

  /** Even, so that half of the games of a board game are played from each seat. */
  private piece(runId: string): number {
    const pace = this.paces.get(runId);
    if (pace === undefined) return PIECE;
    return Math.max(LEAST, Math.min(MOST, 2 * Math.floor(PIECE_MS / pace / 2)));
  }

  private async work(task: Task): Promise<void> {
    const { now, wait, load, api } = this.options;
    const { group, episodes } = task;
    const from = now();
    try {
      const { env } = group.config;
      const of = task.kind === 'policy' ? task.snapshot : { id: env.id, config: env.config as JsonObject };
      const { kind, scores } = await api().strength({ of, episodes, after: task.kind === 'policy' ? task.after : 0 });
      if (task.kind === 'random') strengths.setRandom(group.id, kind, scores);
      else if (isHeld(group.id, task.snapshot)) strengths.add(group.id, task.seed, task.snapshot.step, kind, scores);
    } catch (error) {
      strengths.failed(group.id, strengthWanted(group.config) ?? 'return', toFailure(error).message);
    }
    const ended = now();
    // The first test of a visit starts the worker and loads what it plays, which says nothing of the tests after it.
    const took = this.begun ? ended - from : Math.min(ended - from, PIECE_MS);
    this.begun = true;
    const pace = took / episodes;
    if (task.kind === 'policy') this.paces.set(group.id, Math.min(pace, this.paces.get(group.id) ?? pace));
    // What was long beside training is short where none goes on, so the share is looked at again and again.
    for (;;) {
      const share = SHARES[load()];
      const left = ended + (took * (1 - share)) / share - now();
      if (left <= 0) return;
      await wait(Math.min(left, LOOK_MS));
    }
  }
}
