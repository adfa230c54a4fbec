/**
 * The explaining side of WatchApi, for all explainers. Between environment steps it looks whether it is paused, cancelled or over its share
 * of the time: it works for some milliseconds and then sleeps as long as its share demands, so that trainers keep their cores.
 */

import type { Answer, ExplainApi } from '#contract/explain/explain-api.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { loadEnv } from '#core/envs/index.ts';
import { getExplainer } from '#core/explain/index.ts';
import { buildPolicy, builtIn } from '#core/run/by-id.ts';
import type { BuiltPolicy } from '#core/run/policy.ts';

const WORK_MS = 12;
/** The smallest pause in which messages (cancel, pause) come through. */
const BREATH_MS = 1;
/** Policies kept built after an explanation: the page asks about the same one again at the next frame. */
const KEPT_POLICIES = 2;

class Cancelled extends Error {}

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Lends built policies, each to one explanation at a time: what a policy answers is valid only until it is asked again. */
class PolicyPool {
  private readonly idle: { readonly key: string; readonly built: BuiltPolicy }[] = [];

  async take({ snapshot, key }: { readonly snapshot: PolicySnapshot; readonly key?: string }): Promise<BuiltPolicy> {
    if (key === undefined) return buildPolicy(snapshot);
    const at = this.idle.findIndex((kept) => kept.key === key);
    const built = at < 0 ? await buildPolicy(snapshot) : this.idle.splice(at, 1)[0]!.built;
    return {
      ...built,
      free: () => {
        this.idle.push({ key, built });
        if (this.idle.length > KEPT_POLICIES) this.idle.shift()?.built.free();
      },
    };
  }
}

export function createExplainHost(): ExplainApi {
  const pool = new PolicyPool();
  /** Counts explanations by explainer: an older one sees that it is not the newest and ends. */
  const running = new Map<string, number>();
  let paused = false;
  let share = 1;

  const begin = (explainer: string): (() => Promise<void> | undefined) => {
    const mine = (running.get(explainer) ?? 0) + 1;
    running.set(explainer, mine);
    paused = false;
    let since = performance.now();
    const stopped = (): boolean => mine !== running.get(explainer);
    return () => {
      if (stopped()) throw new Cancelled();
      const now = performance.now();
      if (!paused && now - since < WORK_MS) return undefined;
      const rest = Math.max(BREATH_MS, (now - since) * (1 / share - 1));
      return (async () => {
        await sleep(rest);
        while (paused && !stopped()) await sleep(50);
        if (stopped()) throw new Cancelled();
        since = performance.now();
      })();
    };
  };

  return {
    async explain(request, port) {
      let last: Answer | null = null;
      const pace = begin(request.explainer);
      if (request.env !== null) await loadEnv(request.env.id);
      const answers = getExplainer(request.explainer).explain(request, { registry: builtIn, build: (team) => pool.take(team), pace });
      try {
        for await (const answer of answers) {
          last = answer;
          port.postMessage(answer);
        }
        return last;
      } catch (error) {
        if (!(error instanceof Cancelled)) throw error;
        return last === null ? null : { ...last, end: 'cancelled' };
      }
    },
    async pauseExplanation(on) {
      paused = on;
    },
    async cancelExplanation() {
      for (const [explainer, count] of running) running.set(explainer, count + 1);
    },
    async paceExplanation(wanted) {
      share = Math.min(1, Math.max(0.02, wanted));
    },
  };
}
