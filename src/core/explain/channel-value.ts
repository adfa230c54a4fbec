/** What a channel is worth: greedy episodes on the same seeds with messages and with none delivered. */
import { z } from 'zod';
import { CHANNEL_VALUE, type ChannelValue } from '#contract/explain/communication.ts';
import type { Policy } from '../algos/api/types.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import { evaluate } from '../run/evaluate.ts';
import { defineExplainer } from './api/define.ts';
import { spreadOf } from './api/estimate.ts';
import { episodes } from './api/fields.ts';
import { pausable } from './api/pausable.ts';
import type { Scene } from './api/scene.ts';
import { checkChannel, mutedPolicy } from './lib/muted.ts';

export async function channelValue(
  policy: Policy,
  entry: EnvEntry,
  config: unknown,
  count: number,
  pace?: Scene['pace'],
): Promise<ChannelValue> {
  const whole = await evaluate(pausable(policy, pace), entry, config, { episodes: count });
  const muted = await evaluate(pausable(mutedPolicy(policy, entry.meta(config)), pace), entry, config, { episodes: count });
  const { halfWidth } = spreadOf(Array.from(whole.scores, (score, i) => score - muted.scores[i]!));
  return { episodes: count, withMessages: whole.score, muted: muted.score, halfWidth };
}

export const channelValueExplainer = defineExplainer<{ readonly episodes: number }, ChannelValue>({
  ref: CHANNEL_VALUE,
  title: 'Value of communication',
  summary: 'The return of the team with its messages and with none delivered.',
  source: {
    title: 'On the Pitfalls of Measuring Emergent Communication',
    authors: 'Lowe, Foerster, Boureau, Pineau, Dauphin',
    year: 2019,
    url: 'https://arxiv.org/abs/1903.05168',
  },
  config: z.strictObject({ episodes: episodes(100) }),
  answers: 'bars',
  team: 'learned',
  frame: 'none',
  agents: 2,
  trial: {
    env: { id: 'mpe-simple-speaker-listener', config: {} },
    algo: { id: 'commnet', config: { rounds: 1 } },
    steps: 2048,
    config: { episodes: 4 },
    refuses: { env: { id: 'mpe-simple-spread', config: {} }, algo: 'ppo' },
  },
  fits: checkChannel,
  async *explain(scene, { episodes: count }) {
    const detail = await channelValue(scene.learned, scene.entry, scene.config, count, scene.pace);
    const bar = (label: string, value: number, halfWidth: number | null) => ({ label, agent: null, value, halfWidth });
    yield {
      title: 'Mean return',
      unit: 'return',
      words: [`${count} greedy episodes on the same seeds.`],
      end: 'done',
      data: {
        kind: 'bars',
        bars: [
          bar('with messages', detail.withMessages, null),
          bar('muted', detail.muted, null),
          bar('difference', detail.withMessages - detail.muted, detail.halfWidth),
        ],
      },
      detail,
    };
  },
});
