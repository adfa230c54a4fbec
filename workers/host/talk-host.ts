/** The watch worker's side of TalkApi: what agents say in a frame of a replay, and what talking is worth over whole episodes. */

import type { Replay } from '#contract/events.ts';
import type { TalkApi } from '#contract/talk.ts';
import { getEnv } from '#core/envs/index.ts';
import { muteTest, talkAt } from '#core/explain/communication.ts';
import { buildPolicy } from '#core/run/by-id.ts';
import type { ReplayReader } from '#core/run/replay.ts';
import type { Policies } from './policies.ts';

export function createTalkHost(policies: Policies, readerOf: (replay: Replay) => ReplayReader): TalkApi {
  return {
    talk: async (replay, t, key) => {
      const policy = await policies.get(key, replay.env);
      const reader = readerOf(replay);
      const at = (frame: number) => {
        reader.seek(frame);
        return reader.buffers;
      };
      return talkAt(policy, { meta: reader.env.meta, t, at });
    },
    async muteTest(snapshot, episodes) {
      const entry = getEnv(snapshot.env.id);
      const { policy, free } = await buildPolicy(snapshot);
      try {
        return await muteTest(policy, entry, entry.parse(snapshot.env.config), episodes);
      } finally {
        free();
      }
    },
  };
}
