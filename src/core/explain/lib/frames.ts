/** Explains what an agent sees at frames of a replay: the observation, the memory it comes with, and other moments to compare with. */
import type { FeatureAttribution } from '#contract/explain.ts';
import { defaultQuestion } from '#contract/explain.ts';
import type { FeatureRequest } from '#contract/explain-api.ts';
import { buildPolicy } from '../../run/policy.ts';
import type { Registry } from '../../run/registry.ts';
import { ReplayReader } from '../../run/replay.ts';
import { actionReturns } from '../counterfactual.ts';
import { explainFeatures } from '../features.ts';
import { assemble, standAt } from './team.ts';

/** Other moments that stand in for what is hidden: at most so many, spread evenly over all episodes at hand. */
const BACKGROUND = 64;
/** Futures played for each action where the outcome is explained. */
const OUTCOME_FUTURES = 24;

/** What an agent sees at frame t of the first episode, and at other frames of all of them. */
function sightOf(readers: readonly ReplayReader[], t: number, agent: number) {
  const reader = readers[0] as ReplayReader;
  const { obsSize, actionCount } = reader.env.meta;
  const seen = (from: ReplayReader, at: number): Float32Array => {
    from.seek(at);
    return from.buffers.obs.slice(agent * obsSize, (agent + 1) * obsSize);
  };
  const background = readers.flatMap((from) => {
    const count = Math.min(Math.ceil(BACKGROUND / readers.length), from.total - 1);
    const frames = Array.from({ length: count }, (_, i) => Math.floor((i * from.total) / count));
    return frames.filter((at) => from !== reader || at !== t).map((at) => seen(from, at));
  });
  const obs = seen(reader, t);
  const { mask } = reader.buffers;
  return { obs, background, ...(mask && { mask: mask.slice(agent * actionCount, (agent + 1) * actionCount) }) };
}

export interface Explained {
  /** With occlusion and slopes beside the values, unless told otherwise. */
  at(t: number, companions?: boolean): Promise<FeatureAttribution>;
  free(): void;
}

/** Everything is built once, for as many frames as are asked. The caller frees. */
export async function openMoments(
  { snapshot, replay, others, question }: FeatureRequest,
  registry: Registry,
  pace?: () => Promise<void> | undefined,
): Promise<Explained> {
  const people = await assemble(
    { env: snapshot.env, team: { snapshot }, question: { ...defaultQuestion, seed: question.seed }, other: null },
    registry,
  );
  const { entry, meta, config, team } = people;
  try {
    const { policy, free } = await buildPolicy(snapshot, registry);
    const readers = [replay, ...others].map((one) => new ReplayReader(one, entry));
    const { agent } = question;
    return {
      async at(t, companions = true) {
        const { from, memory } = await standAt(people, { replay, t });
        const size = memory.length / meta.agentCount;
        const hidden = memory.subarray(agent * size, (agent + 1) * size);
        const paced = pace === undefined ? {} : { pace };
        const given = { policy, meta, question, companions, ...paced, ...sightOf(readers, t, agent), ...(size > 0 && { hidden }) };
        if (question.about !== 'outcome') return explainFeatures(given);
        const payoff = { kind: 'agent', agent } as const;
        const options = { entry, config, meta, payoff, seed: question.seed, team, from, memory, ...paced };
        const { mean, halfWidth } = await actionReturns(options, agent, OUTCOME_FUTURES, given.mask);
        return explainFeatures({ ...given, actionReturns: mean, actionReturnsHalfWidth: halfWidth });
      },
      free() {
        free();
        people.free();
      },
    };
  } catch (error) {
    people.free();
    throw error;
  }
}
