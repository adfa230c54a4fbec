/** Tasks of one world, played by who learned elsewhere: a kept policy, a script of the world, or random actions. Nothing is trained. */
import { workers } from '#client/workers/service.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { PolicySnapshot, Replay } from '#contract/run/events.ts';
import { SCRIPTED } from '#contract/session/session.ts';

/** One episode of a task. `won`: it ended with a reward above 0. */
export interface TaskEpisode {
  readonly replay: Replay;
  readonly won: boolean;
  readonly steps: number;
}

/** Plays tasks until it is left. */
export interface TaskPlayer {
  /** Actions of a policy are drawn by its own chances. `start`: a state to begin in. Rejects with a LabError for a task that cannot be. */
  play(env: { readonly id: string; readonly config: JsonObject }, seed: number, start?: Uint8Array): Promise<TaskEpisode>;
  leave(): Promise<void>;
}

/** Names of policies in the worker: two players must not share one. */
let named = 0;

/** `who`: a policy, the name of a script, or null for random actions. Rejects with a LabError for a policy that cannot act. */
export async function taskPlayer(who: PolicySnapshot | string | null): Promise<TaskPlayer> {
  const api = workers.answerer();
  const learned = who !== null && typeof who !== 'string';
  const key = who === null ? null : learned ? `task ${named++}` : `${SCRIPTED}${who}`;
  if (learned && key !== null) await api.setPolicy(key, who);
  return {
    async play(env, seed, start) {
      const whole = await workers.complete({ v: 1, env, algo: { id: 'random' } });
      const replay = await api.play(whole.env, key, { seed, greedy: false, ...(start && { start }) });
      return { replay, won: replay.reward.some((paid) => paid > 0), steps: replay.reward.length };
    },
    leave: async () => {
      if (learned && key !== null) await api.dropPolicy(key);
    },
  };
}
