/**
 * Asks a worker of its own for explanations of what is on the stage, and fills the explanation store with agent values as they come. The
 * worker is started at the first question and, while the trainers need all cores, works a share of its time only.
 */

import { policyAt, policySteps } from '#client/runs/policies.ts';
import { currentSubject } from '#client/runs/subject.ts';
import { ReplaySource } from '#client/stage/frames.ts';
import { withPort } from '#client/workers/port.ts';
import { AGENTS, type AgentAttribution, type AgentQuestion } from '#contract/explain/explain.ts';
import { type Answer, type ExplainerRef, requestOf } from '#contract/explain/explain-api.ts';
import type { FrameSource } from '#contract/game/frames.ts';
import { fail, toFailure } from '#contract/kit/errors.ts';
import type { Replay } from '#contract/run/events.ts';
import type { WatchApi } from '#contract/session/session.ts';
import { catalogStore } from '#stores/catalog.ts';
import {
  type AskOptions,
  answerCame,
  type ExplainActions,
  explainStore,
  pauseQuestion,
  questionBegins,
  questionEnds,
  questionFails,
  showAnswer,
  type TrainingValues,
  trainingBegins,
} from '#stores/explain.ts';
import { Latest, type Turn } from '#stores/latest.ts';
import { stageStore } from '#stores/stage.ts';
import { Lane } from './explain-lane.ts';
import { actors, otherEpisodes } from './explain-who.ts';

/** How often it is looked whether all cores train. */
const LOOK_MS = 1000;
/** A point over training gets this share of the effort of one question. */
const TRAINING_SHARE = 0.25;

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
  /** One for each question about agents: answers to older ones are dropped. */
  private readonly questions = new Latest();
  /** Explanations that go on. */
  private going = 0;
  private look: ReturnType<typeof setInterval> | undefined;

  constructor(options: ExplainerOptions) {
    this.options = options;
    this.along = new Lane(
      () => this.api(),
      (ref, config, options) => this.ask(ref, config, options),
    );
    explainStore.subscribe((now, before) => {
      if (now.beside !== before.beside && this.going > 0) void this.pace();
    });
  }

  async ask<C extends object, D>(ref: ExplainerRef<C, D>, config: Partial<C>, options: AskOptions<D> = {}): Promise<Answer<D> | null> {
    const { take = () => {}, snapshot = null, frames = null, whole = false, along = false } = options;
    const { replay, t } = options.moment ?? stageStore.getState();
    const card = catalogStore.getState().catalog?.explainers.find(({ id }) => id === ref.id);
    const who =
      card?.team === 'none' ? { env: null, team: null, other: null } : actors(config as Partial<AgentQuestion>, snapshot, along).who;
    const moment = card?.frame === 'none' || whole || replay === null ? null : { replay, t };
    if (moment !== null && !along) stageStore.getState().question();
    const request = requestOf(ref, config, { ...who, moment, episodes: replay === null ? [] : otherEpisodes(replay), frames });
    // an explainer's answers carry what its reference says
    const answer = await this.paced(() =>
      withPort<Answer, Answer | null>(
        (next) => take(next as Answer<D>),
        (port) => this.api().explain(request, port),
      ),
    );
    return answer as Answer<D> | null;
  }

  async agents(here: boolean): Promise<void> {
    const { t } = stageStore.getState();
    await this.one(async (newest) => {
      const { question } = explainStore.getState();
      const { who, about } = actors(question);
      const words = here ? `${about}, from frame ${t} on` : about;
      questionBegins(words, who.env.id);
      const take = ({ detail }: Answer<AgentAttribution>): void => {
        if (newest()) answerCame(detail);
      };
      const answer = await this.ask(AGENTS, question, { whole: !here, take });
      if (newest()) questionEnds(answer === null ? 'idle' : 'done', answer?.detail);
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
    await this.one(async (newest) => {
      const values = trainingBegins({ runId: group.id, seed, wanted: known.length + steps.length, points: known });
      try {
        for (const step of steps) {
          const snapshot = policyAt(group.id, seed, step);
          if (snapshot === null || !newest()) break;
          const maxSteps = Math.max(20_000, question.maxSteps * TRAINING_SHARE);
          const answer = await this.ask(AGENTS, { ...question, maxSteps }, { snapshot, whole: true });
          if (answer === null || answer.end === 'cancelled' || !newest()) break;
          values.came({ step, answer: answer.detail });
        }
      } finally {
        values.ends();
      }
      if (newest()) questionEnds('done');
    });
  }

  async openPoint(step: number): Promise<void> {
    const { training } = explainStore.getState();
    const point = training?.points.find((p) => p.step === step);
    if (training === null || point === undefined) return;
    const envId = currentSubject()?.ref.id ?? '';
    showAnswer(point.answer, `seed ${training.seed} at step ${step.toLocaleString('en')}`, envId);
    await this.options.show(training.runId, training.seed, step);
  }

  lane(on: boolean): void {
    this.along.switch(on);
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
    if (!pauseQuestion(paused)) return;
    this.api()
      .pauseExplanation(paused)
      .catch(() => {}); // the worker is gone: the question itself hears of it
  }

  cancel(): void {
    this.api()
      .cancelExplanation()
      .catch(() => {}); // the same
  }

  /** One question about agents at a time; the lane rests meanwhile. */
  private async one(work: (newest: Turn) => Promise<void>): Promise<void> {
    const newest = this.questions.begin();
    this.along.rest();
    try {
      await this.paced(() => work(newest));
    } catch (error) {
      if (newest()) questionFails(toFailure(error));
    } finally {
      if (newest()) void this.along.follow();
    }
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
