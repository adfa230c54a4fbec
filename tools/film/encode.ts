import { gzipSync } from 'node:zlib';
import type { Film } from '#client/stage/clips.ts';

/** `bytes`, packed: numbers as little-endian float32, episode by episode the frames and then the rewards. `shown`: what they show, and how many they are. */
export function encodeFilm({ env, episodes }: Film) {
  const { frame, fps, agents, groups } = env;
  const parts = episodes.flatMap(({ frames, reward }) => [frames, reward]);
  return {
    shown: {
      env: { frame, fps, agents, groups: groups.map(({ names }) => ({ names })) },
      episodes: episodes.map(({ frames, reward }) => ({ frames: frames.length, reward: reward.length })),
    },
    bytes: gzipSync(Buffer.concat(parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength))), { level: 9 }),
  };
}
