/**
 * Cross-play: tables of policies with each other, and of policies with partners of their world, played by a worker of its own.
 * Every policy against every other: policies in both sides of a world of two, each pairing over the same seeded starts.
 * Every policy with every partner: the partner takes the seats that the world gives to players.
 * Cells come one after the other; stopping ends the worker at once and keeps what there is.
 */
import { toFailure } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { PolicySnapshot, Replay } from '#contract/run/events.ts';
import { SCRIPTED, type WatchApi } from '#contract/session/session.ts';
import { meanInterval } from '#math/stats-compare.ts';

/** A learned policy, the name of a script, or null: random actions. */
export type Entrant = PolicySnapshot | string | null;

export interface Tournament {
  readonly env: { readonly id: string; readonly config: JsonObject };
  /** Agents of each side; together all of them. */
  readonly sides: readonly [readonly number[], readonly number[]];
  readonly entrants: readonly Entrant[];
  /** Games of each pairing. */
  readonly games: number;
  /** Seed of the first start; the next ones follow. */
  readonly start: number;
}

export interface Score {
  readonly mean: number;
  /** 95 %, Student's t over games; null: one game. */
  readonly interval: readonly [low: number, high: number] | null;
}

/** Policies of a world that gives some of its seats to players, and who is to take those in their place. */
export interface PartnerTest {
  readonly env: Tournament['env'];
  readonly entrants: readonly Entrant[];
  /** Scripts, 'random', 'idle'. */
  readonly partners: readonly string[];
  readonly games: number;
  readonly start: number;
}

/** Of two sides: the first was played by one entrant (row), the second by another (column). With partners: an entrant (row) met one (column). */
export interface Cell {
  readonly row: number;
  readonly column: number;
  readonly games: number;
  /** Of two sides: return of a game, summed over the agents of the side, for both. With partners: the score of the policy alone. */
  readonly scores: readonly Score[];
}

export interface Table {
  readonly cells: readonly Cell[];
  readonly played: number;
  readonly all: number;
  readonly state: 'playing' | 'done' | 'stopped' | 'failed';
  /** Why it failed. */
  readonly message: string;
}

export const MOST_ENTRANTS = 6;
export const MOST_GAMES = 200;

/** Games between two looks of the page. */
const TOLD_EVERY = 5;

export interface CrossPlayOptions {
  readonly spawn: (onError: (message: string) => void) => { readonly api: WatchApi; terminate(): void };
  readonly onChange: (table: Table) => void;
}

/** What plays a table, and tells how far it is. */
interface Playing {
  readonly api: WatchApi;
  readonly cells: Cell[];
  readonly over: () => boolean;
  /** So many more games were played. */
  tell(games: number): void;
}

/** Plays `run` to the end unless it is stopped. Answers the stop. Nothing is thrown: what fails is told in the table. */
function inWorker(all: number, { spawn, onChange }: CrossPlayOptions, run: (playing: Playing) => Promise<void>): () => void {
  const cells: Cell[] = [];
  let played = 0;
  let over = false;
  const worker = spawn((why) => end('failed', `The worker that played was lost (${why}).`));
  const show = (state: Table['state'], message = ''): void => onChange({ cells: [...cells], played, all, state, message });
  const end = (state: Table['state'], message = ''): void => {
    if (over) return;
    over = true;
    worker.terminate();
    show(state, message);
  };
  const tell = (games: number): void => {
    played += games;
    show('playing');
  };
  show('playing');
  run({ api: worker.api, cells, over: () => over, tell }).then(
    () => end('done'),
    (error: unknown) => {
      const { message, fix } = toFailure(error);
      end('failed', `${message} ${fix}`);
    },
  );
  return () => end('stopped');
}

const namesOf = (api: WatchApi, entrants: readonly Entrant[]): Promise<(string | null)[]> =>
  Promise.all(entrants.map((entrant, i) => nameOf(api, entrant, `entrant ${i}`)));

export function crossPlay(plan: Tournament, options: CrossPlayOptions): () => void {
  const { entrants, games } = plan;
  return inWorker(entrants.length ** 2 * games, options, async ({ api, cells, over, tell }) => {
    const names = await namesOf(api, entrants);
    for (let row = 0; row < entrants.length; row++) {
      for (let column = 0; column < entrants.length; column++) {
        const scores: [number[], number[]] = [[], []];
        const at = cells.length;
        for (let game = 0; game < games && !over(); game++) {
          const replay = await playGame(api, plan, names[row] ?? null, names[column] ?? null, plan.start + game);
          if (over()) return;
          for (const side of [0, 1] as const) scores[side].push(returnOf(replay, plan.sides[side], plan.sides));
          const untold = (game % TOLD_EVERY) + 1;
          if (untold < TOLD_EVERY && game + 1 < games) continue;
          cells[at] = { row, column, games: game + 1, scores: scores.map(scoreOf) };
          tell(untold);
        }
      }
    }
  });
}

/** Zero-shot: each policy with each partner, all its games at once. */
export function partnerPlay({ env, entrants, partners, games, start }: PartnerTest, options: CrossPlayOptions): () => void {
  return inWorker(entrants.length * partners.length * games, options, async ({ api, cells, over, tell }) => {
    const names = await namesOf(api, entrants);
    for (const [row, name] of names.entries()) {
      for (const [column, partner] of partners.entries()) {
        const score = await api.pairing(env, name, partner, { episodes: games, firstSeed: start });
        if (over()) return;
        cells.push({ row, column, games, scores: [score] });
        tell(games);
      }
    }
  });
}

async function nameOf(api: WatchApi, entrant: Entrant, key: string): Promise<string | null> {
  if (entrant === null) return null;
  if (typeof entrant === 'string') return SCRIPTED + entrant;
  await api.setPolicy(key, entrant);
  return key;
}

function playGame(api: WatchApi, { env, sides }: Tournament, first: string | null, second: string | null, seed: number): Promise<Replay> {
  const players = new Array<string | null>(sides[0].length + sides[1].length).fill(first);
  for (const agent of sides[1]) players[agent] = second;
  return api.playTeam(env, players, { seed, greedy: true });
}

function returnOf({ reward }: Replay, agents: readonly number[], sides: Tournament['sides']): number {
  const many = sides[0].length + sides[1].length;
  let sum = 0;
  for (let at = 0; at < reward.length; at += many) for (const agent of agents) sum += reward[at + agent]!;
  return sum;
}

function scoreOf(returns: readonly number[]): Score {
  const { mean, halfWidth } = meanInterval(returns);
  return { mean, interval: returns.length < 2 ? null : [mean - halfWidth, mean + halfWidth] };
}
