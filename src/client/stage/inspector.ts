/**
 * Asks the watch worker what the shown policy thinks of the shown frame: at once while paused, at most five times a second while
 * playing; the value map at most twice a second and only while an overlay shows it; the inside of a transformer only while it is looked
 * at. One question of each kind is under way at a time, and the newest frame wins.
 */
import { cellsOf } from '#contract/game/frames.ts';
import type { WatchApi } from '#contract/session/session.ts';
import { explainStore } from '#stores/explain.ts';
import { policyInspected, stageStore, valuesMapped } from '#stores/stage.ts';
import { tokenInspected, tokensStore } from '#stores/tokens.ts';
import { numberOf } from './number-of.ts';

const INSPECT_MS = 200;
const MAP_MS = 500;

interface Question {
  readonly everyMs: number;
  askedAt: number;
  busy: boolean;
  /** What the last answer was about. */
  answered: string;
}

export class Inspector {
  private readonly watch: () => WatchApi;
  private readonly now: () => number;
  private readonly inspection: Question = { everyMs: INSPECT_MS, askedAt: 0, busy: false, answered: '' };
  private readonly map: Question = { everyMs: MAP_MS, askedAt: 0, busy: false, answered: '' };
  private readonly inside: Question = { everyMs: INSPECT_MS, askedAt: 0, busy: false, answered: '' };

  constructor(watch: () => WatchApi, now: () => number) {
    this.watch = watch;
    this.now = now;
    explainStore.subscribe(({ agent }, before) => {
      if (agent === before.agent) return;
      policyInspected(null); // it was about another policy
      this.tick();
    });
    tokensStore.subscribe(({ strip, looking }, before) => {
      if (strip === before.strip && looking === before.looking) return;
      this.inside.answered = ''; // a strip comes without it
      this.tick();
    });
  }

  /** Called whenever the stage changes; does nothing if the answers are up to date. */
  tick(): void {
    const { replay, policy, t, overlays, playing, source } = stageStore.getState();
    if (replay === null || policy === null) return;
    const { key } = policy;
    const about = `${key}:${numberOf(replay)}:${t}`; // one start begins another episode in a changed world
    const { agent } = explainStore.getState();
    const still = (): boolean => stageStore.getState().replay === replay && stageStore.getState().policy?.key === key;
    void this.ask(this.inspection, `${about}:${agent}`, playing, async () => {
      const inspection = await this.watch().inspect(replay, t, key, agent);
      if (still() && explainStore.getState().agent === agent) policyInspected(inspection);
    });
    const told = tokensStore.getState();
    if (told.looking && told.replay === replay && told.strip?.inspectable === true)
      void this.ask(this.inside, about, playing, async () => {
        const inside = await this.watch().inspectToken(replay, t, key);
        if (still()) tokenInspected(replay, inside);
      });
    if (source === null || cellsOf(source.layout) === null || !(overlays.values || overlays.policy)) return;
    void this.ask(this.map, about, playing, async () => {
      const valueMap = await this.watch().valueMap(replay, t, key);
      if (still()) valuesMapped(valueMap);
    });
  }

  private async ask(question: Question, about: string, playing: boolean, action: () => Promise<void>): Promise<void> {
    if (question.busy || question.answered === about) return;
    if (playing && this.now() - question.askedAt < question.everyMs) return;
    question.busy = true;
    question.askedAt = this.now();
    question.answered = about;
    try {
      await action();
    } catch {
      // The policy has been let go meanwhile, or the replay cannot be re-simulated: the stage says so itself.
    } finally {
      question.busy = false;
    }
    this.tick(); // what is shown may be another frame by now
  }
}
