/**
 * Values of what is left of the episode on the stage, frame by frame while it plays: each frame is a question of its own, asked from
 * where the episode stands. Rests while the page is hidden and while something else is asked about the agents.
 */
import { AGENTS, type AgentAttribution } from '#contract/explain/explain.ts';
import type { Answer } from '#contract/explain/explain-api.ts';
import type { WatchApi } from '#contract/session/session.ts';
import { type ExplainActions, explainStore, laneBegins, lanePointCame, switchLane } from '#stores/explain.ts';
import { Latest } from '#stores/latest.ts';
import { stageStore } from '#stores/stage.ts';

/** Frames of an episode that are explained. */
const FRAMES = 24;
/** Environment steps for each of them. */
const STEPS = 5000;

export class Lane {
  private readonly watch: () => WatchApi;
  private readonly ask: ExplainActions['ask'];
  /** One for each episode: points of older ones are dropped. */
  private readonly turns = new Latest();
  private busy = false;

  constructor(watch: () => WatchApi, ask: ExplainActions['ask']) {
    this.watch = watch;
    this.ask = ask;
    stageStore.subscribe((stage, before) => {
      if (stage.replay !== before.replay && explainStore.getState().lane.on) void this.follow();
    });
    document.addEventListener('visibilitychange', () => {
      if (this.busy) void this.watch().pauseExplanation(document.hidden);
    });
  }

  switch(on: boolean): void {
    switchLane(on);
    if (on) void this.follow();
    else this.rest();
  }

  /** Something else is asked: it ends what runs here. */
  rest(): void {
    this.turns.begin();
    if (this.busy) void this.watch().cancelExplanation();
  }

  /** Explains the episode on the stage, as far as it has not been. */
  async follow(): Promise<void> {
    const newest = this.turns.begin();
    const { replay, t, length } = stageStore.getState();
    const { lane, question, status } = explainStore.getState();
    if (!lane.on || replay === null || length < 2 || status === 'running' || status === 'paused') return;
    const wanted = Math.min(FRAMES, length - 1);
    const all = Array.from({ length: wanted }, (_, i) => Math.floor((i * (length - 1)) / wanted));
    const known = lane.replay === replay ? lane.points : [];
    const left = all.filter((frame) => !known.some((point) => point.t === frame));
    // what comes next on the stage is explained first
    const frames = [...left.filter((frame) => frame >= t), ...left.filter((frame) => frame < t)];
    laneBegins(replay, wanted, known);
    if (frames.length === 0) return;
    this.busy = true;
    try {
      const config = { ...question, scheme: 'auto', unions: null, halfWidth: 0, maxSteps: STEPS } as const;
      const take = ({ t: frame, detail }: Answer<AgentAttribution>): void => {
        if (frame !== null && newest()) lanePointCame(replay, { t: frame, answer: detail });
      };
      await this.ask(AGENTS, config, { frames, take });
    } catch {
      if (newest()) laneBegins(replay, 0, []); // no acting policy, or no team: the lane stays empty
    } finally {
      if (newest()) this.busy = false;
    }
  }
}
