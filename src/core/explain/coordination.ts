/** How the agents of a team hang together: influence (influence.ts), what they do at the same time, and what they say (together.ts). */
import { z } from 'zod';
import { COORDINATION, type Coordination, type CoordinationQuestion } from '#contract/explain/coordination.ts';
import { fail } from '#contract/kit/errors.ts';
import { agentNames } from '../envs/api/meta.ts';
import { defineExplainer } from './api/define.ts';
import { spreadOf } from './api/estimate.ts';
import { episodes, greedy, seed } from './api/fields.ts';
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
    agents: agentNames(meta),
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

const config = z.strictObject({
  episodes: episodes(24),
  frames: z
    .int()
    .min(1)
    .max(1000)
    .default(12)
    .meta({ title: 'frames', description: 'Frames of the episode at which influence is measured for its mean.' }),
  greedy: greedy(false).meta({
    title: 'greedy actions',
    description: 'A team that always does the same shows no dependence between its actions.',
  }),
  seed,
});

export const coordination = defineExplainer<CoordinationQuestion, Coordination>({
  ref: COORDINATION,
  title: 'Influence and coordination',
  summary: 'How far the action of one agent moves the next choices of another, and what agents do at the same time.',
  source: {
    title: 'Social Influence as Intrinsic Motivation for Multi-Agent Deep Reinforcement Learning',
    authors: 'Jaques, Lazaridou, Hughes, Gulcehre, Ortega, Strouse, Leibo, de Freitas',
    year: 2019,
    url: 'https://arxiv.org/abs/1810.08647',
  },
  config,
  answers: 'matrix',
  team: 'any',
  frame: 'required',
  agents: 2,
  trial: {
    env: { id: 'mpe-simple-spread', config: {} },
    algo: { id: 'ppo', config: {} },
    steps: 2048,
    config: { episodes: 4, frames: 3 },
    refuses: { env: { id: 'cartpole', config: {} }, algo: 'ppo' },
  },
  async *explain(scene, question) {
    const { entry, config: envConfig, meta, pace } = scene;
    const detail = await coordinate({
      entry,
      config: envConfig,
      meta,
      question,
      seed: question.seed,
      team: scene.team(question.greedy),
      ...scene.moment,
      ...(pace && { pace }),
    });
    yield {
      title: 'Influence of row on column, mean over frames',
      unit: detail.unit === 'nats' ? 'nats' : 'share of other actions that change its choice',
      words: [`${detail.frames} frames of the episode; ${detail.episodes} episodes; ${detail.steps} steps.`],
      end: 'done',
      data: {
        kind: 'matrix',
        rows: detail.agents,
        columns: detail.agents,
        values: detail.meanInfluence,
        halfWidth: detail.meanInfluenceHalfWidth,
      },
      detail,
    };
  },
});
