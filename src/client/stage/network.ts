/**
 * Reads the network of the policy on the stage and what it does at the shown state, while a view of it is open: its weights once for every
 * policy, its units at once while paused and at most ten times a second while playing. One question is under way at a time, the newest wins.
 */

import { newestPolicy, policyAt } from '#client/runs/policies.ts';
import type { StateEdit } from '#contract/game/network-view.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import type { StepNumbers } from '#contract/run/step-numbers.ts';
import type { WatchApi } from '#contract/session/session.ts';
import { explainStore } from '#stores/explain.ts';
import { changeFrame, networkAnswered, networkCame, networkFailed, networkGone, networkOfAnother, networkStore } from '#stores/network.ts';
import { policiesStore } from '#stores/policies.ts';
import { stageStore } from '#stores/stage.ts';
import { numberOf } from './number-of.ts';
import type { StageController } from './stage-controller.ts';

const PLAYING_MS = 100;

export class NetworkReader {
  private readonly watch: () => WatchApi;
  private readonly stage: Pick<StageController, 'hold'>;
  private readonly now: () => number;
  private busy = false;
  private askedAt = 0;
  /** What the last question was about. */
  private asked = '';

  constructor(watch: () => WatchApi, stage: Pick<StageController, 'hold'>, now: () => number) {
    this.watch = watch;
    this.stage = stage;
    this.now = now;
    stageStore.subscribe((state, before) => {
      if (state.t !== before.t || state.replay !== before.replay) this.edit([]);
      this.tick();
    });
    explainStore.subscribe(({ agent }, before) => {
      if (agent === before.agent) return;
      networkOfAnother();
      this.tick();
    });
    policiesStore.subscribe(() => this.tick());
    networkStore.subscribe((after, before) => {
      const changed = (['open', 'drawn', 'follow', 'slope', 'edits'] as const).some((key) => after[key] !== before[key]);
      if (changed) this.tick();
    });
  }

  /** What is changed of the shown state, which stands still meanwhile; none: as it was. */
  edit(edits: readonly StateEdit[]): void {
    if (edits.length > 0) stageStore.getState().setPlaying(false);
    changeFrame(edits);
  }

  /** The numbers behind a learner's words at the shown frame; null: there is no policy. Rejects with a LabError. */
  async stepNumbers(): Promise<StepNumbers | null> {
    const { replay, t, policy } = stageStore.getState();
    if (replay === null || policy === null) return null;
    const { agent } = explainStore.getState();
    const before = policyAt(policy.runId, policy.seed, policy.step - 1);
    const old = before !== null && before.step < policy.step ? await this.stage.hold(policy.runId, before) : null;
    return this.watch().stepNumbers(replay, t, policy.key, agent, old);
  }

  private tick(): void {
    const { open, drawn, follow, slope, edits } = networkStore.getState();
    if (open === 0 || this.busy) return;
    const { replay, policy, t, playing } = stageStore.getState();
    if (replay === null || policy === null) {
      networkGone();
      this.asked = '';
      return;
    }
    const newest = follow === 'newest' ? newestPolicy(policy.runId, policy.seed) : null;
    const { agent } = explainStore.getState();
    const about = JSON.stringify([policy.key, newest?.step, numberOf(replay), t, agent, slope, edits, drawn > 0]);
    if (about === this.asked) return;
    if (playing && this.now() - this.askedAt < PLAYING_MS) return;
    this.busy = true;
    this.askedAt = this.now();
    this.asked = about;
    void this.read(agent, newest).finally(() => {
      this.busy = false;
      this.tick();
    });
  }

  private async read(agent: number, newest: PolicySnapshot | null): Promise<void> {
    const { replay, policy, t } = stageStore.getState();
    const { slope, edits, drawn } = networkStore.getState();
    if (replay === null || policy === null) return;
    const still = (): boolean => stageStore.getState().replay === replay && explainStore.getState().agent === agent;
    try {
      const key = newest === null ? policy.key : await this.stage.hold(policy.runId, newest);
      const { policy: known, view } = networkStore.getState();
      if (drawn > 0 && (view === null || known?.key !== key || known.agent !== agent)) {
        const found = await this.watch().network(key, replay.env, agent);
        if (!still()) return;
        networkCame({ key, step: newest?.step ?? policy.step, agent }, found);
      }
      const look = await this.watch().look({ replay, t, policy: key, agent, edits, network: drawn > 0 ? { slope } : null });
      if (still() && stageStore.getState().t === t) networkAnswered({ ...look, t, edits });
    } catch (error) {
      const failure = toFailure(error);
      // Let go meanwhile, or another episode: the next question is about what is shown then.
      if (failure.id === 'internal' || failure.id === 'worker-lost' || !still()) return;
      networkFailed(failure, edits.length > 0);
    }
  }
}
