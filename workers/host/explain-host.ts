/**
 * The explaining side of WatchApi. Between environment steps it looks whether it is paused, cancelled or over its share of the time:
 * it works for some milliseconds and then sleeps as long as its share demands, so that trainers keep their cores.
 */
import type { Replay } from '#contract/events.ts';
import type { AgentAttribution } from '#contract/explain.ts';
import type { ExplainApi } from '#contract/session.ts';
import { getEnv } from '#core/envs/index.ts';
import { explainFeatures } from '#core/explain/features.ts';
import { explainTeam } from '#core/explain/team.ts';
import { testExplainer } from '#core/explain/trust.ts';
import { buildPolicy } from '#core/run/policy.ts';

const WORK_MS = 12;
/** The smallest pause in which messages (cancel, pause) come through. */
const BREATH_MS = 1;

class Cancelled extends Error {}

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

export interface Moments {
  /** The complete state of a replay at a frame. */
  state(replay: Replay, t: number): Uint8Array;
  /** What an agent sees at a frame, its legal actions, and what it sees at other frames of the same episode. */
  sight(
    replay: Replay,
    t: number,
    agent: number,
  ): { readonly obs: Float32Array; readonly mask?: Uint8Array; readonly background: readonly Float32Array[] };
}

export function createExplainHost(moments: Moments): ExplainApi {
  let running = 0; // counts explanations: an older one sees that it is not the newest and ends
  let paused = false;
  let share = 1;

  const pacer = (mine: number) => {
    let since = performance.now();
    return (): Promise<void> | undefined => {
      if (mine !== running) throw new Cancelled();
      const now = performance.now();
      if (!paused && now - since < WORK_MS) return undefined;
      const rest = Math.max(BREATH_MS, (now - since) * (1 / share - 1));
      return (async () => {
        await sleep(rest);
        while (paused && mine === running) await sleep(50);
        if (mine !== running) throw new Cancelled();
        since = performance.now();
      })();
    };
  };

  return {
    async explainAgents({ env, team, question, other, from }, port) {
      const mine = ++running;
      paused = false;
      let last: AgentAttribution | null = null;
      try {
        const start = from === null ? {} : { from: moments.state(from.replay, from.t) };
        for await (const estimate of explainTeam({ env, team, question, other }, { ...start, pace: pacer(mine) })) {
          last = estimate;
          port.postMessage(estimate);
        }
      } catch (error) {
        if (!(error instanceof Cancelled)) throw error;
        if (last !== null) last = { ...last, end: 'cancelled' };
      }
      return last;
    },
    async explainFeatures(snapshot, replay, t, question) {
      const entry = getEnv(snapshot.env.id);
      const meta = entry.meta(entry.parse(snapshot.env.config));
      const { policy, free } = await buildPolicy(snapshot);
      try {
        return await explainFeatures({ policy, meta, question, ...moments.sight(replay, t, question.agent) });
      } finally {
        free();
      }
    },
    testExplainer: async (draws, seed) => testExplainer(draws, seed),
    async pauseExplanation(on) {
      paused = on;
    },
    async cancelExplanation() {
      running++;
    },
    async paceExplanation(wanted) {
      share = Math.min(1, Math.max(0.02, wanted));
    },
  };
}
