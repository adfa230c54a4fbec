/**
 * The members of a population, what they did against each other, and what a method makes of it. Games between members that no longer
 * change give payoffs and ratings (Bradley and Terry, math/elo.ts); games of a learner give its recent win rate.
 */

import type { PopulationReport } from '#contract/game/population.ts';
import type { Json } from '#contract/kit/json.ts';
import type { Saved } from '#contract/run/events.ts';
import type { Engine } from '#core/engine/types.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import type { EnvEntry, ScriptedPolicy } from '#core/envs/api/types.ts';
import type { Packed } from '#core/state/checkpoint.ts';
import { joinSaved, partOf } from '#core/state/saved.ts';
import { bradleyTerry } from '#math/elo.ts';
import type { Rng } from '#math/rng.ts';
import type { NetworkOptions } from '../../lib/ppo/networks.ts';
import { randomPolicy } from '../../lib/random-policy.ts';
import { createOpponentSlot, type Frozen } from './learner.ts';

/** Numbers that a checkpoint holds as one array, in the order in which they are named here; NaN stands for none yet. */
export function packedCounters<C extends { [name: string]: number }>(values: C) {
  const names: readonly (keyof C)[] = Object.keys(values);
  const packed: Packed = {
    pack: () => Float64Array.from(names, (name) => values[name]!),
    unpack(data) {
      Object.assign(values, Object.fromEntries(names.map((name, i) => [name, data[i]!])));
    },
  };
  return { values, packed };
}

/** Index of a member drawn by these weights, which sum to `total`; `otherwise` where rounding leaves none. */
export function drawMember(weights: ArrayLike<number>, total: number, rng: Rng, otherwise: number): number {
  let left = rng.uniform() * total;
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i]!;
    if (weight <= 0) continue;
    left -= weight;
    if (left < 0) return i;
  }
  return otherwise;
}

const PRIOR = 0.5; // wins to both sides of a pair: a member that never lost has a finite rating
const MOST_ROWS = 400; // of the history of mixtures

export interface Member {
  readonly id: string;
  readonly role: string;
  readonly step: number;
  /** Only ever played for measuring. */
  readonly held: boolean;
  readonly frozen: Frozen;
}

export interface Score {
  /** Of the row: 1 a win, 0.5 a draw, summed. */
  readonly wins: number;
  /** Of the row: payoffs, summed. */
  readonly payoff: number;
  readonly games: number;
}

export class Pool {
  readonly members: Member[] = [];
  /** How members lately did against the learner: share of its wins, by member id. */
  readonly recent = new Map<string, number>();
  private readonly scores = new Map<string, Score>(); // "row column"
  private meta: { readonly step: number; readonly mixture: readonly number[] }[] = [];
  private ratings: readonly number[] | null = [];

  add(member: Member): void {
    this.members.push(member);
    this.ratings = null;
  }

  get(id: string): Member {
    const found = this.members.find((member) => member.id === id);
    if (found === undefined) throw new Error(`no member ${id}`);
    return found;
  }

  /** Members that may be played in training. */
  trainable(): readonly Member[] {
    return this.members.filter(({ held }) => !held);
  }

  /** The oldest beyond `most` leaves; the first and those held stay. Its games are forgotten. */
  trim(most: number): void {
    while (this.trainable().length > most) {
      const gone = this.members.findIndex(({ held }, i) => !held && i > 0);
      const { id } = this.members[gone]!;
      this.members.splice(gone, 1);
      this.recent.delete(id);
      for (const key of [...this.scores.keys()]) if (key.split('|').includes(id)) this.scores.delete(key);
      this.meta = this.meta.map(({ step, mixture }) => ({ step, mixture: mixture.filter((_, i) => i !== gone) }));
      this.ratings = null;
    }
  }

  /** Games of one member against another; both sides' payoffs. */
  played(row: string, column: string, games: number, wins: number, payoffs: readonly [number, number]): void {
    const put = (a: string, b: string, won: number, payoff: number): void => {
      const old = this.scores.get(`${a}|${b}`) ?? { wins: 0, payoff: 0, games: 0 };
      this.scores.set(`${a}|${b}`, { wins: old.wins + won, payoff: old.payoff + payoff, games: old.games + games });
    };
    put(row, column, wins, payoffs[0]);
    put(column, row, games - wins, payoffs[1]);
    this.ratings = null;
  }

  score(row: string, column: string): Score | undefined {
    return this.scores.get(`${row}|${column}`);
  }

  /** A game of the learner against a member: a running mean over some twenty. */
  learnerPlayed(id: string, won: number): void {
    const old = this.recent.get(id) ?? 0.5;
    this.recent.set(id, old + 0.05 * (won - old));
  }

  mixes(step: number, mixture: readonly number[]): void {
    this.meta.push({ step, mixture });
    if (this.meta.length > MOST_ROWS) this.meta = this.meta.filter((_, i) => i % 2 === 0);
  }

  /** Per member; NaN: no games. */
  elo(): readonly number[] {
    if (this.ratings !== null) return this.ratings;
    const wins = this.members.map((a) => this.members.map((b) => this.score(a.id, b.id)?.wins ?? 0));
    const met = this.members.map((a) => this.members.some((b) => this.score(a.id, b.id) !== undefined));
    this.ratings = bradleyTerry(wins, PRIOR).elo.map((rating, i) => (met[i] ? rating : Number.NaN));
    return this.ratings;
  }

  /** Mean payoff of the row against the column; null: they have not met. */
  payoff(row: string, column: string): number | null {
    const found = this.score(row, column);
    return found === undefined || found.games === 0 ? null : found.payoff / found.games;
  }

  /** Payoff of a member against itself is 0 in a zero-sum game with both seats. */
  report(step: number): PopulationReport {
    const elo = this.elo();
    const rating = (i: number): number | null => (Number.isFinite(elo[i]) ? elo[i]! : null);
    return {
      step,
      members: this.members.map(({ id, role, step: born, held }, i) => ({
        id,
        role,
        step: born,
        elo: rating(i),
        ...(held && { held }),
      })),
      payoffs: this.members.map((a) => this.members.map((b) => this.payoff(a.id, b.id))),
      games: this.members.map((a) => this.members.map((b) => this.score(a.id, b.id)?.games ?? 0)),
      meta: this.meta.map(({ mixture }) => mixture),
      metaSteps: this.meta.map(({ step: at }) => at),
    };
  }

  save(): Saved {
    const { members, recent, scores, meta } = this;
    const list = members.map(({ id, role, step, held }) => ({ id, role, step, held }));
    const json = { list, recent: [...recent], scores: [...scores], meta } as unknown as { [key: string]: Json };
    return joinSaved(json, Object.fromEntries(members.map(({ id, frozen }) => [id, frozen])));
  }

  load(saved: Saved): void {
    const { list, recent, scores, meta } = saved.meta as unknown as {
      list: readonly Omit<Member, 'frozen'>[];
      recent: [string, number][];
      scores: [string, Score][];
      meta: { step: number; mixture: number[] }[];
    };
    for (const member of list) this.members.push({ ...member, frozen: partOf(saved, member.id) });
    for (const [id, won] of recent) this.recent.set(id, won);
    for (const [key, score] of scores) this.scores.set(key, score);
    this.meta = meta;
    this.ratings = null;
  }
}

/**
 * Games of members of a pool, for measuring only: against each other, against uniformly random actions, or against a scripted player.
 * Copies of their own, both seats in turn, actions drawn as in training. All games of a pair start together and all are waited for, up
 * to a limit of steps, at which the payoffs so far count.
 */

export interface MatchResult {
  readonly games: number;
  /** Of the first: 1 a win, 0.5 a draw. */
  readonly wins: number;
  /** Sums over games. */
  readonly payoffs: readonly [number, number];
}

export type Opponent = Frozen | ScriptedPolicy | 'random';

export interface Arena {
  play(first: Frozen, second: Opponent, rng: Rng): Promise<MatchResult>;
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
  const slots = seats.map((list, player) => createOpponentSlot(engine, `arena${player}`, meta, list, options));
  const ended = new Uint8Array(games);
  const random = randomPolicy(meta);
  const agent = Int32Array.from({ length: 2 * games }, (_, seat) => seat % 2);
  const answers = createActions(meta, games); // of both seats, half of them used
  const answer = async (opponent: Opponent, rng: Rng): Promise<void> => {
    if (opponent === 'random') {
      const { obs, mask } = buffers;
      const query = { obs, agent, hidden: random.initial(2 * games), rng, rows: 2 * games, greedy: false };
      answers.set((await random.act(mask === undefined ? query : { ...query, mask })).actions);
    } else if ('act' in opponent) opponent.act(env, buffers, answers);
    else return slots[1]?.act(buffers, actions, rng);
    const { actionSize: D } = meta;
    for (const seat of seats[1] ?? []) actions.set(answers.subarray(seat * D, (seat + 1) * D), seat * D);
  };
  return {
    async play(first, second, rng) {
      slots[0]?.seat('', first);
      if (second !== 'random' && !('act' in second)) slots[1]?.seat('', second);
      env.reset(
        Uint32Array.from({ length: games }, () => rng.next()),
        buffers,
      );
      const returns = new Float64Array(2 * games);
      const done = new Uint8Array(games);
      let left = games;
      for (let t = 0; t < limit && left > 0; t++) {
        await slots[0]?.act(buffers, actions, rng);
        await answer(second, rng);
        env.step(actions, buffers);
        let any = false;
        for (let g = 0; g < games; g++) {
          const over = buffers.terminated[g]! | buffers.truncated[g]!;
          ended[g] = over;
          if (over !== 0) any = true;
          if (done[g] !== 0) continue;
          for (const seat of [2 * g, 2 * g + 1]) returns[seat] = returns[seat]! + buffers.reward[seat]!;
          if (over === 0) continue;
          done[g] = 1;
          left--;
        }
        if (any && left > 0) env.restart(ended, buffers); // finished games go on unseen
      }
      let wins = 0;
      const payoffs: [number, number] = [0, 0];
      for (let g = 0; g < games; g++) {
        const own = returns[seats[0]![g]!]!;
        const other = returns[seats[1]![g]!]!;
        payoffs[0] += own;
        payoffs[1] += other;
        wins += own > other ? 1 : own === other ? 0.5 : 0;
      }
      return { games, wins, payoffs };
    },
  };
}
