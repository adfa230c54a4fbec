/**
 * Episodes that are a seed and what was done since: that is all their state holds, the rest is played again. Worlds of turns stand on it, in
 * tokens (define.ts) and without (plain.ts).
 */
import { fail } from '#contract/kit/errors.ts';
import { Xorshift } from '#math/xorshift.ts';
import { Draws } from '../../api/draws.ts';
import { allocateRows, defineState, type StateRows } from '../../api/state.ts';
import type { DrawSource, Environment, StateSpec } from '../../api/types.ts';

/** `P`: an episode in play; `S`: what an action comes to. */
export interface Episodes<P, S> {
  /** The state's field of what was done. */
  readonly field: { readonly name: string; readonly doc: string };
  /** Actions of an episode at most, and how many there are to choose from. */
  readonly most: number;
  readonly choices: number;
  /** Another seed is drawn where this is false. */
  accepts(seed: number): boolean;
  begin(seed: number): P;
  act(play: P, action: number): S;
  over(play: P): boolean;
}

const [SEED, COUNT, ACTIONS] = [0, 1, 2];

export const episodeState = ({ field, most }: Pick<Episodes<unknown, unknown>, 'field' | 'most'>): StateSpec =>
  defineState(1, [
    { name: 'seed', type: 'u32', shape: [], doc: 'what the prompt and everything hidden are drawn from' },
    { name: 'count', type: 'u32', shape: [], doc: 'actions so far' },
    { name: field.name, type: 'u32', shape: [most], doc: field.doc },
  ]);

export interface LiveEpisodes<P, S> {
  readonly rows: StateRows;
  at(row: number): P;
  /** Actions so far. */
  count(row: number): number;
  start(row: number): void;
  /** Plays an action and keeps it; null: the episode is over, or has no room left. */
  act(row: number, action: number): S | null;
  /** Plays again what was loaded. Throws LabError('state-invalid'). */
  loaded(row: number): void;
}

/** The episodes of a batch. */
export function liveEpisodes<P, S>(of: Episodes<P, S>, batch: number, script?: DrawSource): LiveEpisodes<P, S> {
  const rows = allocateRows(episodeState(of), batch);
  const { words, wordStride } = rows;
  const draws = new Draws(rows.rng, script);
  const idle = of.begin(0); // stands in every row until it starts
  const live = Array.from({ length: batch }, () => idle);
  const at = (row: number): P => live[row] ?? idle;
  const broken = (field: string, what: string): Error =>
    fail('state-invalid', `State field "${field}" ${what}.`, `Give at most ${of.most} actions below ${of.choices}.`, field);
  return {
    rows,
    at,
    count: (row) => words[row * wordStride + COUNT]!,
    start(row) {
      const s = row * wordStride;
      let seed = 0;
      do seed = draws.int(row, 0x7fff_ffff, 'seed');
      while (!of.accepts(seed));
      words.fill(0, s, s + ACTIONS + of.most);
      words[s + SEED] = seed;
      live[row] = of.begin(seed);
    },
    act(row, action) {
      const s = row * wordStride;
      const count = words[s + COUNT]!;
      if (of.over(at(row)) || count >= of.most) return null;
      words[s + ACTIONS + count] = action;
      words[s + COUNT] = count + 1;
      return of.act(at(row), action);
    },
    loaded(row) {
      const s = row * wordStride;
      const count = words[s + COUNT]!;
      if (count > of.most) throw broken('count', `is ${count}`);
      if (!of.accepts(words[s + SEED]!)) throw broken('seed', 'gives an episode that does not fit this setting');
      const play = of.begin(words[s + SEED]!);
      for (let i = 0; i < count; i++) {
        const action = words[s + ACTIONS + i]!;
        if (action >= of.choices) throw broken(of.field.name, `holds ${action}`);
        if (of.over(play)) throw broken(of.field.name, 'goes on after the episode ended');
        of.act(play, action);
      }
      live[row] = play;
    },
  };
}

/** An episode as its state says it is. */
export interface ReadEpisode<P> {
  readonly seed: number;
  readonly count: number;
  readonly play: P;
}

/** For scripted players, who see states: the episode of a row. What was read of it before is not played again. */
export function episodeReader<P>(of: Episodes<P, unknown>): (env: Environment, row: number) => ReadEpisode<P> {
  const rows = allocateRows(episodeState(of), 1);
  const { words } = rows;
  const known: ({ readonly seed: number; readonly actions: number[]; readonly play: P } | undefined)[] = [];
  return (env, row) => {
    rows.load(0, env.save(row));
    const seed = words[SEED]!;
    const count = words[COUNT]!;
    let kept = known[row];
    if (kept === undefined || kept.seed !== seed || kept.actions.length > count || kept.actions.some((a, i) => a !== words[ACTIONS + i]))
      known[row] = kept = { seed, actions: [], play: of.begin(seed) };
    for (let i = kept.actions.length; i < count; i++) {
      of.act(kept.play, words[ACTIONS + i]!);
      kept.actions.push(words[ACTIONS + i]!);
    }
    return { seed, count, play: kept.play };
  };
}

/** A scripted player's luck at a turn that began after `count` actions: the same whenever it is asked. */
export const luckAt = (seed: number, count: number): Xorshift => new Xorshift(seed ^ Math.imul(count + 1, 0x9e3779b9));
