/** How the agents of a team hang together: influence (influence.ts), what they do at the same time, and what they say (together.ts). */
import type { Coordination } from '#contract/coordination.ts';
import { fail } from '#contract/errors.ts';
import { namesOf } from './agents.ts';
import { spreadOf } from './counterfactual.ts';
import { type CoordinationOptions, Influence } from './lib/influence.ts';
import { messagesOf, playEpisodes, together } from './lib/together.ts';

const MOST_AGENTS = 12;

/** Throws LabError('incompatible') where there are not at least two agents, or too many to draw arrows between. */
export async function coordinate(options: CoordinationOptions): Promise<Coordination> {
  const { meta, question, replay, t } = options;
  const n = meta.agentCount;
  if (n < 2 || n > MOST_AGENTS)
    throw fail(
      'incompatible',
      `Coordination is shown for 2 to ${MOST_AGENTS} agents; here are ${n}.`,
      'Choose another number of agents.',
      'agents',
    );
  const probe = new Influence(options);
  const last = replay.reward.length / n - 1; // the last frame an action was taken at
  const here = await probe.at(Math.min(t, last));
  const wanted = Math.min(question.frames, last + 1);
  const each: Float64Array[] = [];
  for (let i = 0; i < wanted; i++) each.push((await probe.at(Math.floor((i * (last + 1)) / wanted))).influence);
  const means = Array.from({ length: n * n }, (_, at) => spreadOf(each.map((matrix) => matrix[at]!)));
  const played = await playEpisodes(options);
  return {
    t,
    agents: namesOf(meta),
    influence: Array.from(here.influence),
    unit: here.unit,
    meanInfluence: means.map(({ mean }) => mean),
    meanInfluenceHalfWidth: means.map(({ halfWidth }) => halfWidth),
    frames: wanted,
    ...together(played, n, options.seed),
    messages: messagesOf(meta.frame, played, n, options.seed),
    episodes: question.episodes,
    steps: probe.steps + played.steps,
  };
}
