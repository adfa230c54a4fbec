/**
 * A world of turns without tokens, for policies that neither read nor remember: a turn is one action, and what is known so far stands in the
 * observation. An episode is its seed and its actions (episodes.ts). The same worlds in tokens are made by define.ts.
 */
import type { MetricCard, Preset, Source } from '#contract/catalog/catalog.ts';
import type { TableLayout } from '#contract/game/frames.ts';
import type { Xorshift } from '#math/xorshift.ts';
import { defineEnv } from '../../api/define.ts';
import { assemble } from '../../api/environment.ts';
import { soloMeta } from '../../api/meta.ts';
import type { EnvEntry, EnvMeta, EnvSettings, Recommended, ScriptedPolicy, StepBuffers } from '../../api/types.ts';
import { SOLVED } from './define.ts';
import { type Episodes, episodeReader, episodeState, liveEpisodes, luckAt } from './episodes.ts';
import { drawnSplit } from './knobs.ts';
import { expertReference, onceFor, scriptedMean, sourceOf, unseenReference, withoutLooking } from './references.ts';

/** One episode in play. */
export interface Turns {
  readonly done: boolean;
  readonly solved: 0 | 1;
  /** `fresh`: this turn earns the shaped reward. */
  play(action: number): { readonly reward: number; readonly done: boolean; readonly fresh: boolean };
  /** What a scripted player does; with the chance `mistakes` anything. */
  suggest(mistakes: number, luck: Xorshift): number;
  /** What PlainWorld.measures name. */
  measured(): readonly number[];
}

export type PlainWorld<C, P extends Turns> = PlainCard<C, P> & EnvSettings<C>;

interface PlainCard<C, P extends Turns> {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly source: Source;
  readonly presets: readonly Preset[];
  readonly recommended: Recommended;
  readonly measures: readonly MetricCard[];
  readonly agent: string;
  /** What random play draws from. */
  readonly random: string;
  /** Words of every action, and the key of each. */
  actions(c: C): { readonly labels: readonly string[]; readonly keys: readonly string[] };
  /** Turns of an episode at most. */
  longest(c: C): number;
  /** Throws LabError('config-invalid') for what a schema cannot say. */
  check(c: C): void;
  /** Another seed is drawn where this is false. */
  accepts(c: C, seed: number): boolean;
  begin(c: C, seed: number): P;
  /** Numbers of an observation, 0 to 1. */
  width(c: C): number;
  /** Writes what is known at `at`; all is 0 there. */
  observe(c: C, play: P, obs: Float32Array, at: number): void;
  picture(c: C): TableLayout;
  /** Fills a frame of `picture`. */
  draw(c: C, play: P, out: Float32Array): void;
}

/** Of every plain world: its split changed. */
const VERSION = 2;

/** The state's field of what was done. */
const ACTIONS = { name: 'actions', doc: 'the actions so far, 0 behind the last' };

export function definePlainWorld<C extends { readonly mistakes: number; readonly toolBonus: number }, P extends Turns>(
  def: PlainWorld<C, P>,
): EnvEntry {
  const episodesOf = (c: C): Episodes<P, ReturnType<Turns['play']>> => ({
    field: ACTIONS,
    most: def.longest(c),
    choices: def.actions(c).labels.length,
    accepts: (seed) => def.accepts(c, seed),
    begin: (seed) => def.begin(c, seed),
    act: (play, action) => play.play(action),
    over: (play) => play.done,
  });
  const played = onceFor((c: C, how: 'expert' | 'random') =>
    scriptedMean((seed) => {
      const play = def.begin(c, seed);
      return (luck) => play.play(play.suggest(how === 'expert' ? 0 : 1, luck));
    }),
  );
  const unseen = onceFor((c: C, _: 'fixed') =>
    withoutLooking((seed) => {
      const play = def.begin(c, seed);
      return { play: (action: number) => play.play(action), expert: (luck) => play.suggest(0, luck) };
    }),
  );
  const meta = (c: C): EnvMeta => {
    def.check(c);
    const { labels, keys } = def.actions(c);
    return {
      ...soloMeta({
        id: def.id,
        version: VERSION,
        agent: def.agent,
        obs: { kind: 'box', shape: [def.width(c)], low: 0, high: 1 },
        action: { kind: 'discrete', n: labels.length, labels },
        gamma: 1,
        maxSteps: def.longest(c),
        evalMaxSteps: def.longest(c),
        state: episodeState({ field: ACTIONS, most: def.longest(c) }),
        frame: def.picture(c),
        references: [
          { name: 'random', value: played(c, 'random').mean, source: sourceOf(played(c, 'random'), def.random) },
          unseenReference(unseen(c, 'fixed'), played(c, 'random'), def.random),
          expertReference(played(c, 'expert')),
        ],
        keys: keys.map((key) => (key === '' ? [] : [key])),
        idleAction: null,
        fps: 3,
      }),
      shaped: true,
      measures: [SOLVED, ...def.measures],
    };
  };
  const scripted =
    (mistakesOf: (c: C) => number) =>
    (c: C): ScriptedPolicy => {
      const read = episodeReader(episodesOf(c));
      return {
        act(env, _buffers, out) {
          for (let row = 0; row < env.batch; row++) {
            const { seed, count, play } = read(env, row);
            out[row] = play.suggest(mistakesOf(c), luckAt(seed, count));
          }
        },
      };
    };
  return defineEnv<C>({
    spec: {
      id: def.id,
      version: VERSION,
      changes: [drawnSplit(VERSION)],
      title: def.title,
      summary: def.summary,
      source: def.source,
      ...(def.flat === undefined ? { config: def.config } : { config: def.config, flat: def.flat }),
      recommended: def.recommended,
      presets: def.presets,
      meta,
    },
    create(c, batch, options) {
      def.check(c);
      const live = liveEpisodes(episodesOf(c), batch, options?.draws);
      const width = def.width(c);
      const observe = (row: number, { obs }: StepBuffers): void => {
        obs.fill(0, row * width, (row + 1) * width);
        def.observe(c, live.at(row), obs, row * width);
      };
      return assemble(meta(c), batch, live.rows, {
        start: (row) => live.start(row),
        step(actions, out) {
          for (let row = 0; row < batch; row++) {
            const said = live.act(row, actions[row]!);
            if (said === null) continue;
            out.reward[row] = said.reward;
            if (out.shaped) out.shaped[row] = said.fresh ? c.toolBonus : 0;
            out.terminated[row] = said.done ? 1 : 0;
            out.truncated[row] = 0;
            observe(row, out);
          }
        },
        observe,
        loaded: (row) => live.loaded(row),
        measure(row, out, at) {
          const play = live.at(row);
          out[at] = play.solved;
          play.measured().forEach((value, i) => {
            out[at + 1 + i] = value;
          });
        },
        frame: (row, out) => def.draw(c, live.at(row), out),
      });
    },
    policies: { expert: scripted(() => 0), novice: scripted((c) => c.mistakes) },
  });
}
