/**
 * Asks a worker of its own what each agent contributes, and fills the explanation store with the estimates. The worker is started at
 * the first question and leaves three quarters of its time to the trainers while they need all cores.
 */
import { transfer } from 'comlink';
import { toFailure } from '#contract/errors.ts';
import type { AgentAttribution, FeatureAttribution, FeatureQuestion, TrustedGame } from '#contract/explain.ts';
import { type ExplainPort, SCRIPTED, type Team, type WatchApi } from '#contract/session.ts';
import { explainStore, extend } from '#stores/explain.ts';
import { stageStore } from '#stores/stage.ts';
import { policyAt, policySteps } from './policies.ts';
import { currentSubject } from './subject.ts';

/** What it may use while all cores train. */
const SHARE_WHILE_TRAINING = 0.25;
const LOOK_MS = 1000;

export interface ExplainerOptions {
  readonly watch: () => WatchApi;
  /** All cores are training. */
  readonly crowded: () => boolean;
}

export class Explainer {
  private readonly options: ExplainerOptions;
  /** Counts questions: answers to older ones are dropped. */
  private asked = 0;
  private tests = 0;

  constructor(options: ExplainerOptions) {
    this.options = options;
  }

  async explainAgents(here: boolean): Promise<void> {
    const mine = ++this.asked;
    const subject = currentSubject();
    const { replay, t, scripted } = stageStore.getState();
    if (subject === null) return;
    const { question } = explainStore.getState();
    const team = this.team(subject.policy, scripted);
    const fail = (message: string, fix: string): void =>
      explainStore.setState({ status: 'failed', failure: { id: 'incompatible', message, fix }, latest: null, trail: [] });
    if (team === null) return fail('Nobody on this stage has learned anything yet.', 'Train first, or watch a scripted policy.');
    let other: Team | null = null;
    if (question.absent.kind === 'scripted') other = { scripted: question.absent.name };
    if (question.absent.kind === 'policy') {
      const steps = subject.group === null ? [] : policySteps(subject.group.id, subject.seed);
      const early = subject.group === null ? null : policyAt(subject.group.id, subject.seed, steps[0] ?? 0);
      if (early === null) return fail('There is no early policy of this run.', 'Train first, or choose another stand-in.');
      other = { snapshot: early };
    }
    const who = 'scripted' in team ? `the scripted policy "${team.scripted}"` : `seed ${subject.seed} at step ${team.snapshot.step}`;
    explainStore.setState({
      status: 'running',
      about: here && replay !== null ? `${who}, from frame ${t} on` : who,
      envId: subject.ref.id,
      latest: null,
      trail: [],
      failure: null,
    });
    const channel = new MessageChannel();
    channel.port1.onmessage = (message: MessageEvent<AgentAttribution>) => {
      if (mine === this.asked) this.take(message.data);
    };
    const api = this.options.watch();
    const pace = setInterval(() => void this.pace(), LOOK_MS);
    try {
      await this.pace();
      const answer = await api.explainAgents(
        { env: subject.ref, team, question, other, from: here && replay !== null ? { replay, t } : null },
        transfer(channel.port2 as unknown as ExplainPort, [channel.port2]),
      );
      if (mine !== this.asked) return;
      if (answer === null) explainStore.setState({ status: 'idle' });
      else explainStore.setState({ status: 'done', latest: answer });
    } catch (error) {
      if (mine === this.asked) explainStore.setState({ status: 'failed', failure: toFailure(error) });
    } finally {
      clearInterval(pace);
      channel.port1.close();
    }
  }

  async explainFeatures(question: FeatureQuestion): Promise<FeatureAttribution | null> {
    const { replay, t, policy } = stageStore.getState();
    const snapshot = policy === null ? null : policyAt(policy.runId, policy.seed, policy.step);
    if (replay === null || snapshot === null) return null;
    return await this.options.watch().explainFeatures(snapshot, replay, t, question);
  }

  pause(paused: boolean): void {
    const { status } = explainStore.getState();
    if (status !== 'running' && status !== 'paused') return;
    explainStore.setState({ status: paused ? 'paused' : 'running' });
    this.options
      .watch()
      .pauseExplanation(paused)
      .catch(() => {}); // the worker is gone: the question itself hears of it
  }

  cancel(): void {
    this.options
      .watch()
      .cancelExplanation()
      .catch(() => {}); // the same
  }

  /** Another seed each time: luck, good and bad, is part of what is shown. */
  test(draws: number): Promise<readonly TrustedGame[]> {
    return this.options.watch().testExplainer(draws, ++this.tests);
  }

  private team(policy: ReturnType<typeof policyAt>, scripted: string | null): Team | null {
    if (scripted !== null && scripted !== 'random')
      return { scripted: scripted.startsWith(SCRIPTED) ? scripted.slice(SCRIPTED.length) : scripted };
    return policy === null ? null : { snapshot: policy };
  }

  private take(latest: AgentAttribution): void {
    const { value, halfWidth, steps } = latest;
    explainStore.setState(({ trail }) => ({ latest, trail: extend(trail, { steps, value, halfWidth }) }));
  }

  private pace(): Promise<void> {
    return this.options.watch().paceExplanation(this.options.crowded() ? SHARE_WHILE_TRAINING : 1);
  }
}
