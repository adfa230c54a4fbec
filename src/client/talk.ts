/** Asks what the agents on the stage tell each other in the shown frame (watch worker) and what talking is worth (the explaining worker). */
import type { AttackQuestion, AttackTest } from '#contract/attack.ts';
import type { PolicySnapshot } from '#contract/events.ts';
import type { WatchApi } from '#contract/session.ts';
import type { MuteTest, Talk } from '#contract/talk.ts';
import { stageStore } from '#stores/stage.ts';
import type { TalkActions } from '#stores/talk.ts';
import { policyAt } from './policies.ts';

export class Talker implements TalkActions {
  private readonly watch: () => WatchApi;
  private readonly explain: () => WatchApi;

  constructor(watch: () => WatchApi, explain: () => WatchApi) {
    this.watch = watch;
    this.explain = explain;
  }

  async talk(): Promise<Talk | null> {
    const { replay, t, policy } = stageStore.getState();
    return replay === null || policy === null ? null : this.watch().talk(replay, t, policy.key);
  }

  async attackTest(question: AttackQuestion): Promise<AttackTest | null> {
    const snapshot = this.shown();
    return snapshot === null ? null : this.explain().attackTest(snapshot, question);
  }

  async muteTest(episodes: number): Promise<MuteTest | null> {
    const snapshot = this.shown();
    return snapshot === null ? null : this.explain().muteTest(snapshot, episodes);
  }

  private shown(): PolicySnapshot | null {
    const { policy } = stageStore.getState();
    return policy === null ? null : policyAt(policy.runId, policy.seed, policy.step);
  }
}
