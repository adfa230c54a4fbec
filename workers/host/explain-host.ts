/**
 * The explaining side of WatchApi. Between environment steps it looks whether it is paused, cancelled or over its share of the time:
 * it works for some milliseconds and then sleeps as long as its share demands, so that trainers keep their cores.
 */
import type { AgentAttribution } from '#contract/explain.ts';
import type { ExplainApi, FeatureRequest } from '#contract/explain-api.ts';
import { coordinate } from '#core/explain/coordination.ts';
import { compareFutures } from '#core/explain/counterfactual.ts';
import { type Explained, openMoments } from '#core/explain/lib/frames.ts';
import { assemble, explainTeam, explainTeamAlong, standAt } from '#core/explain/lib/team.ts';
import { testExplainer } from '#core/explain/trust.ts';
import { builtIn } from '#core/run/by-id.ts';

const WORK_MS = 12;
/** The smallest pause in which messages (cancel, pause) come through. */
const BREATH_MS = 1;

class Cancelled extends Error {}

type Kind = 'agents' | 'features' | 'futures' | 'coordination';

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

export function createExplainHost(): ExplainApi {
  /** Counts explanations of each kind: an older one sees that it is not the newest and ends. */
  const running: Record<Kind, number> = { agents: 0, features: 0, futures: 0, coordination: 0 };
  let paused = false;
  let share = 1;

  const begin = (kind: Kind): (() => Promise<void> | undefined) => {
    const mine = ++running[kind];
    paused = false;
    let since = performance.now();
    return () => {
      if (mine !== running[kind]) throw new Cancelled();
      const now = performance.now();
      if (!paused && now - since < WORK_MS) return undefined;
      const rest = Math.max(BREATH_MS, (now - since) * (1 / share - 1));
      return (async () => {
        await sleep(rest);
        while (paused && mine === running[kind]) await sleep(50);
        if (mine !== running[kind]) throw new Cancelled();
        since = performance.now();
      })();
    };
  };

  /** What `work` gives, or what `otherwise` says when it was cancelled. */
  const unless = async <T, C>(work: () => Promise<T>, otherwise: () => C): Promise<T | C> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Cancelled) return otherwise();
      throw error;
    }
  };

  const withMoments = async <T>(request: FeatureRequest, use: (explained: Explained) => Promise<T>): Promise<T> => {
    const explained = await openMoments(request, builtIn, begin('features'));
    try {
      return await use(explained);
    } finally {
      explained.free();
    }
  };

  return {
    async explainAgents({ from, ...request }, port) {
      let last: AgentAttribution | null = null;
      const pace = begin('agents');
      return unless(
        async () => {
          for await (const estimate of explainTeam(request, builtIn, { pace, ...(from && { from }) })) {
            last = estimate;
            port.postMessage(estimate);
          }
          return last;
        },
        () => (last === null ? null : { ...last, end: 'cancelled' as const }),
      );
    },
    async explainAlong({ replay, frames, ...request }, port) {
      const pace = begin('agents');
      await unless(
        async () => {
          for await (const point of explainTeamAlong(request, builtIn, replay, frames, pace)) port.postMessage(point);
        },
        () => {},
      );
    },
    async explainFeatures({ t, ...request }) {
      return unless(
        () => withMoments(request, (explained) => explained.at(t)),
        () => null,
      );
    },
    async explainFeaturesAlong({ frames, ...request }, port) {
      await unless(
        () =>
          withMoments(request, async (explained) => {
            for (const t of frames) port.postMessage({ t, answer: await explained.at(t, false) });
          }),
        () => {},
      );
    },
    async compareFutures({ from, change, ...request }) {
      const pace = begin('futures');
      const people = await assemble(request, builtIn);
      const { payoff, seed } = request.question;
      return unless(
        async () => compareFutures({ ...people, ...(await standAt(people, from)), question: change, payoff, seed, pace }),
        () => null,
      ).finally(people.free);
    },
    async coordinate({ from, about, ...request }) {
      const pace = begin('coordination');
      const people = await assemble(request, builtIn);
      return unless(
        () => coordinate({ ...people, question: about, ...from, seed: request.question.seed, pace }),
        () => null,
      ).finally(people.free);
    },
    testExplainer: async (draws, seed) => testExplainer(draws, seed),
    async pauseExplanation(on) {
      paused = on;
    },
    async cancelExplanation() {
      for (const kind of Object.keys(running) as Kind[]) running[kind]++;
    },
    async paceExplanation(wanted) {
      share = Math.min(1, Math.max(0.02, wanted));
    },
  };
}
