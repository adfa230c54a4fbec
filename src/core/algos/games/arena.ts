/**
 * Games between members of a pool, for measuring only: copies of their own, both seats in turn, actions drawn as in training. All games
 * of a pair start together and all are waited for, up to a limit of steps, at which the payoffs so far count.
 */
import type { Engine } from '../../engine/types.ts';
import { createActions, createBuffers } from '../../envs/buffers.ts';
import type { EnvEntry } from '../../envs/types.ts';
import type { Rng } from '../../math/rng.ts';
import type { NetworkOptions } from '../on-policy/networks.ts';
import { createSlot, type Frozen } from './frozen.ts';

export interface MatchResult {
  readonly games: number;
  /** Of the first: 1 a win, 0.5 a draw. */
  readonly wins: number;
  /** Sums over games. */
  readonly payoffs: readonly [number, number];
}

export interface Arena {
  play(first: Frozen, second: Frozen, rng: Rng): Promise<MatchResult>;
}

/** `games`: per match, an even number; `limit`: steps of one game. */
export function createArena(
  engine: Engine,
  entry: EnvEntry,
  config: unknown,
  options: NetworkOptions,
  games: number,
  limit: number,
): Arena {
  const env = entry.create(config, games);
  const { meta } = env;
  const buffers = createBuffers(meta, games);
  const actions = createActions(meta, games);
  // copy g: the first player has seat g mod 2
  const seats = [0, 1].map((player) => Int32Array.from({ length: games }, (_, g) => 2 * g + ((g + player) % 2)));
  const slots = seats.map((list, player) => createSlot(engine, `arena${player}`, meta, list, options));
  const ended = new Uint8Array(games);
  return {
    async play(first, second, rng) {
      slots[0]?.seat('', first);
      slots[1]?.seat('', second);
      env.reset(
        Uint32Array.from({ length: games }, () => rng.next()),
        buffers,
      );
      const returns = new Float64Array(2 * games);
      const done = new Uint8Array(games);
      let left = games;
      for (let t = 0; t < limit && left > 0; t++) {
        for (const slot of slots) await slot.act(buffers, actions, rng);
        env.step(actions, buffers);
        let any = false;
        for (let g = 0; g < games; g++) {
          const over = (buffers.terminated[g] as number) | (buffers.truncated[g] as number);
          ended[g] = over;
          if (over !== 0) any = true;
          if (done[g] !== 0) continue;
          for (const seat of [2 * g, 2 * g + 1]) returns[seat] = (returns[seat] as number) + (buffers.reward[seat] as number);
          if (over === 0) continue;
          done[g] = 1;
          left--;
        }
        if (any && left > 0) env.restart(ended, buffers); // finished games go on unseen
      }
      let wins = 0;
      const payoffs: [number, number] = [0, 0];
      for (let g = 0; g < games; g++) {
        const own = returns[seats[0]?.[g] as number] as number;
        const other = returns[seats[1]?.[g] as number] as number;
        payoffs[0] += own;
        payoffs[1] += other;
        wins += own > other ? 1 : own === other ? 0.5 : 0;
      }
      return { games, wins, payoffs };
    },
  };
}
