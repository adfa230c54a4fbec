/**
 * The explaining side of WatchApi. Between environment steps it looks whether it is paused, cancelled or over its share of the time:
 * it works for some milliseconds and then sleeps as long as its share demands, so that trainers keep their cores.
 */
import type { Replay } from '#contract/events.ts';
import { type AgentAttribution, defaultQuestion, type FeatureAttribution } from '#contract/explain.ts';
import type { ExplainApi, FeatureRequest } from '#contract/explain-api.ts';
import { getEnv } from '#core/envs/index.ts';
import { coordinate } from '#core/explain/coordination.ts';
import { actionWorths, compareFutures } from '#core/explain/counterfactual.ts';
import { explainFeatures } from '#core/explain/features.ts';
import { assemble, explainTeam, explainTeamAlong, standAt } from '#core/explain/team.ts';
import { testExplainer } from '#core/explain/trust.ts';
import { buildPolicy } from '#core/run/policy.ts';

const WORK_MS = 12;
/** The smallest pause in which messages (cancel, pause) come through. */
const BREATH_MS = 1;
/** Futures played for each action where the outcome is explained. */
const OUTCOME_FUTURES = 24;

class Cancelled extends Error {}

type Kind = 'agents' | 'features' | 'futures' | 'coordination';

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

export interface Moments {
  /** What an agent sees at a frame, its legal actions, and what it sees at other frames of this and other episodes. */
  sight(
    replay: Replay,
    t: number,
    agent: number,
    others: readonly Replay[],
  ): { readonly obs: Float32Array; readonly mask?: Uint8Array; readonly background: readonly Float32Array[] };
}

export function createExplainHost(moments: Moments): ExplainApi {
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

  const withPolicy = async <T>(
    { snapshot, replay, others, question }: FeatureRequest,
    use: (explain: (t: number) => Promise<FeatureAttribution>) => Promise<T>,
  ): Promise<T> => {
    const pace = begin('features');
    const { policy, free } = await buildPolicy(snapshot);
    const entry = getEnv(snapshot.env.id);
    const people = await assemble({
      env: snapshot.env,
      team: { snapshot },
      question: { ...defaultQuestion, seed: question.seed },
      other: null,
    });
    const { meta, config, team } = people;
    try {
      return await use(async (t) => {
        const sight = moments.sight(replay, t, question.agent, others);
        const { from, memory } = await standAt(people, { replay, t });
        const size = memory.length / meta.agentCount;
        const hidden = memory.subarray(question.agent * size, (question.agent + 1) * size);
        const given = { policy, meta, question, pace, ...sight, ...(size > 0 && { hidden }) };
        if (question.about !== 'outcome') return explainFeatures(given);
        const worth = { kind: 'agent', agent: question.agent } as const;
        const options = { entry, config, meta, worth, seed: question.seed, team, from, memory, pace };
        const { mean, halfWidth } = await actionWorths(options, question.agent, OUTCOME_FUTURES, sight.mask);
        return explainFeatures({ ...given, worth: mean, worthHalfWidth: halfWidth });
      });
    } finally {
      people.free();
      free();
    }
  };

  return {
    async explainAgents({ from, ...request }, port) {
      let last: AgentAttribution | null = null;
      const pace = begin('agents');
      return unless(
        async () => {
          for await (const estimate of explainTeam(request, { pace, ...(from && { from }) })) {
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
          for await (const point of explainTeamAlong(request, replay, frames, pace)) port.postMessage(point);
        },
        () => {},
      );
    },
    async explainFeatures({ t, ...request }) {
      return withPolicy(request, (explain) => explain(t));
    },
    async explainFeaturesAlong({ frames, ...request }, port) {
      await unless(
        () =>
          withPolicy(request, async (explain) => {
            for (const t of frames) port.postMessage({ t, answer: await explain(t) });
          }),
        () => {},
      );
    },
    async compareFutures({ from, change, ...request }) {
      const pace = begin('futures');
      const people = await assemble(request);
      const { worth, seed } = request.question;
      return unless(
        async () => compareFutures({ ...people, ...(await standAt(people, from)), question: change, worth, seed, pace }),
        () => null,
      ).finally(people.free);
    },
    async coordinate({ from, about, ...request }) {
      const pace = begin('coordination');
      const people = await assemble(request);
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
