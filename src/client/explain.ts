/**
 * Asks a worker of its own what each agent contributes, what decisions rest on and what would have been, and fills the explanation store
 * with what streams. The worker is started at the first question and, while the trainers need all cores, works a share of its time only.
 */
import type { Coordination } from '#contract/coordination.ts';
import type { Change, Counterfactual } from '#contract/counterfactual.ts';
import { fail, toFailure } from '#contract/errors.ts';
import type { Replay } from '#contract/events.ts';
import type { AgentAttribution, AgentQuestion, FeatureAttribution, FeatureQuestion, TrustedGame } from '#contract/explain.ts';
import type { AtFrame, FeatureRequest } from '#contract/explain-api.ts';
import type { FrameSource } from '#contract/frames.ts';
import type { WatchApi } from '#contract/session.ts';
import { type ExplainActions, explainStore, extend, type TrainingValues } from '#stores/explain.ts';
import { stageStore } from '#stores/stage.ts';
import { Lane } from './explain-lane.ts';
import { otherEpisodes, shownPolicy, whoActs } from './explain-who.ts';
import { ReplaySource } from './frames.ts';
import { policyAt, policySteps } from './policies.ts';
import { withPort } from './port.ts';
import { currentSubject } from './subject.ts';

/** How often it is looked whether all cores train. */
const LOOK_MS = 1000;
/** A point over training gets this share of the effort of one question. */
const TRAINING_SHARE = 0.25;
/** What coordination is counted over. */
const COORDINATION = { episodes: 24, frames: 12 } as const;

export interface ExplainerOptions {
  readonly watch: () => WatchApi;
  /** All cores are training. */
  readonly crowded: () => boolean;
  /** Watches a stored policy. */
  readonly show: (runId: string, seed: number, step: number) => Promise<void>;
}

export class Explainer implements ExplainActions {
  private readonly options: ExplainerOptions;
  private readonly along: Lane;
  /** Counts questions about agents: answers to older ones are dropped. */
  private asked = 0;
  /** Explanations that go on. */
  private going = 0;
  private look: ReturnType<typeof setInterval> | undefined;
  private tests = 0;

  constructor(options: ExplainerOptions) {
    this.options = options;
    this.along = new Lane(
      () => this.api(),
      (work) => this.paced(work),
    );
    explainStore.subscribe((now, before) => {
      if (now.beside !== before.beside && this.going > 0) void this.pace();
    });
  }

  async agents(here: boolean): Promise<void> {
    const { replay, t } = stageStore.getState();
    const from = here && replay !== null ? { replay, t } : null;
    await this.ask(async (mine) => {
      const { request, envId, about } = whoActs(explainStore.getState().question);
      const words = from === null ? about : `${about}, from frame ${t} on`;
      explainStore.setState({ status: 'running', about: words, envId, latest: null, trail: [], failure: null });
      const answer = await withPort<AgentAttribution, AgentAttribution | null>(
        (estimate) => mine === this.asked && this.take(estimate),
        (port) => this.api().explainAgents({ ...request, from }, port),
      );
      if (mine === this.asked) explainStore.setState(answer === null ? { status: 'idle' } : { status: 'done', latest: answer });
    });
  }

  async overTraining(points: number): Promise<void> {
    const subject = currentSubject();
    const { training, question } = explainStore.getState();
    const { group, seed } = subject ?? {};
    if (group === undefined || group === null || seed === undefined) return;
    const same = training !== null && training.runId === group.id && training.seed === seed && sameQuestion(training, question);
    const known = same ? training.points : [];
    const steps = spread(
      policySteps(group.id, seed),
      known.map(({ step }) => step),
      points,
    );
    await this.ask(async (mine) => {
      const state = (change: Partial<TrainingValues>): void => {
        const before = explainStore.getState().training;
        const base = { runId: group.id, seed, status: 'running' as const, wanted: known.length + steps.length, points: known };
        explainStore.setState({ training: { ...base, ...(before?.runId === group.id && before.seed === seed ? before : {}), ...change } });
      };
      state({ status: 'running', wanted: known.length + steps.length, points: known });
      explainStore.setState({ status: 'running', failure: null });
      try {
        for (const step of steps) {
          const snapshot = policyAt(group.id, seed, step);
          if (snapshot === null || mine !== this.asked) break;
          const maxSteps = Math.max(20_000, question.maxSteps * TRAINING_SHARE);
          const { request } = whoActs({ ...question, maxSteps }, snapshot);
          const answer = await withPort<AgentAttribution, AgentAttribution | null>(
            () => {},
            (port) => this.api().explainAgents({ ...request, from: null }, port),
          );
          if (answer === null || answer.end === 'cancelled' || mine !== this.asked) break;
          const { points: before } = explainStore.getState().training ?? { points: [] };
          state({ points: [...before, { step, answer }].sort((a, b) => a.step - b.step) });
        }
      } finally {
        const now = explainStore.getState().training;
        if (now !== null) state({ status: now.points.length < now.wanted ? 'stopped' : 'done', points: now.points });
      }
      if (mine === this.asked) explainStore.setState({ status: 'done' });
    });
  }

  async openPoint(step: number): Promise<void> {
    const { training } = explainStore.getState();
    const point = training?.points.find((p) => p.step === step);
    if (training === null || point === undefined) return;
    const envId = currentSubject()?.ref.id ?? '';
    explainStore.setState({
      latest: point.answer,
      trail: [],
      envId,
      about: `seed ${training.seed} at step ${step.toLocaleString('en')}`,
      failure: null,
    });
    await this.options.show(training.runId, training.seed, step);
  }

  lane(on: boolean): void {
    this.along.switch(on);
  }

  async features(question: FeatureQuestion): Promise<FeatureAttribution | null> {
    const request = this.featureRequest(question);
    const { t } = stageStore.getState();
    return request === null ? null : await this.paced(() => this.api().explainFeatures({ ...request, t }));
  }

  async featuresAlong(question: FeatureQuestion, frames: number, take: (point: AtFrame<FeatureAttribution>) => void): Promise<void> {
    const request = this.featureRequest(question);
    if (request === null) return;
    const last = stageStore.getState().length - 1;
    const wanted = Math.min(frames, last);
    const at = Array.from({ length: wanted }, (_, i) => Math.floor((i * last) / wanted));
    await this.paced(() => withPort(take, (port) => this.api().explainFeaturesAlong({ ...request, frames: at }, port)));
  }

  async futures(change: Change, continuations: number): Promise<Counterfactual | null> {
    const { replay, t } = stageStore.getState();
    if (replay === null) return null;
    const { request } = whoActs(explainStore.getState().question);
    return this.paced(() => this.api().compareFutures({ ...request, from: { replay, t }, change: { change, continuations } }));
  }

  async coordination(): Promise<Coordination | null> {
    const { replay, t } = stageStore.getState();
    if (replay === null) return null;
    // drawn actions: a team that always does the same shows no ties
    const { request } = whoActs({ ...explainStore.getState().question, greedy: false });
    return this.paced(() => this.api().coordinate({ ...request, from: { replay, t }, about: COORDINATION }));
  }

  async source(replay: Replay): Promise<FrameSource> {
    const env = currentSubject()?.env;
    if (env === undefined) throw fail('incompatible', 'Nothing is on the stage.', 'Choose an environment first.');
    const length = replay.reward.length / Math.max(1, env.agents) + 1;
    const source = new ReplaySource(replay, env.frame, length, env.fps, (from, count) => this.api().frames(replay, from, count));
    await source.fetch(0);
    return source;
  }

  pause(paused: boolean): void {
    const { status } = explainStore.getState();
    if (status !== 'running' && status !== 'paused') return;
    explainStore.setState({ status: paused ? 'paused' : 'running' });
    this.api()
      .pauseExplanation(paused)
      .catch(() => {}); // the worker is gone: the question itself hears of it
  }

  cancel(): void {
    this.api()
      .cancelExplanation()
      .catch(() => {}); // the same
  }

  /** Another seed each time: luck, good and bad, is part of what is shown. */
  test(draws: number): Promise<readonly TrustedGame[]> {
    return this.api().testExplainer(draws, ++this.tests);
  }

  /** One question about agents at a time; the lane rests meanwhile. */
  private async ask(work: (mine: number) => Promise<void>): Promise<void> {
    const mine = ++this.asked;
    this.along.rest();
    try {
      await this.paced(() => work(mine));
    } catch (error) {
      if (mine === this.asked) explainStore.setState({ status: 'failed', failure: toFailure(error), latest: null, trail: [] });
    } finally {
      if (mine === this.asked) void this.along.follow();
    }
  }

  private featureRequest(question: FeatureQuestion): FeatureRequest | null {
    const { replay } = stageStore.getState();
    const snapshot = shownPolicy();
    return replay === null || snapshot === null ? null : { snapshot, replay, others: otherEpisodes(replay), question };
  }

  private take(latest: AgentAttribution): void {
    const { value, halfWidth, steps } = latest;
    explainStore.setState(({ trail }) => ({ latest, trail: extend(trail, { steps, value, halfWidth }) }));
  }

  private api(): WatchApi {
    return this.options.watch();
  }

  /** Whatever is explained keeps to its share of the time while it goes on. */
  private async paced<T>(work: () => Promise<T>): Promise<T> {
    if (this.going++ === 0) this.look = setInterval(() => void this.pace(), LOOK_MS);
    try {
      await this.pace();
      return await work();
    } finally {
      if (--this.going === 0) clearInterval(this.look);
    }
  }

  private pace(): Promise<void> {
    return this.api().paceExplanation(this.options.crowded() ? explainStore.getState().beside : 1);
  }
}

/** Points of one curve must answer one question. */
function sameQuestion({ points }: TrainingValues, question: AgentQuestion): boolean {
  const of = ({ replacement, payoff, greedy, scheme, players, unions }: AgentQuestion): string =>
    JSON.stringify([replacement, payoff, greedy, scheme, players, unions]);
  return points.every(({ answer }) => of(answer.question) === of(question));
}

/** At most `count` steps that are not known yet, evenly spread, the last and the first before those between. */
export function spread(all: readonly number[], known: readonly number[], count: number): readonly number[] {
  const chosen: number[] = [];
  const taken = new Set(known);
  const add = (step: number | undefined): void => {
    if (step === undefined || taken.has(step) || chosen.length >= count) return;
    taken.add(step);
    chosen.push(step);
  };
  add(all.at(-1));
  add(all[0]);
  for (let parts = 2; chosen.length < count && parts <= 2 * all.length; parts *= 2)
    for (let k = 1; k < parts; k += 2) add(all[Math.round((k * (all.length - 1)) / parts)]);
  return chosen;
}
