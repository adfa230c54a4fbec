/**
 * A world of turns without tokens, for policies that neither read nor remember: a turn is one action, and what is known so far stands in the
 * observation. An episode is its seed and its actions, so that is all its state holds: the rest is played again. The same worlds in tokens
 * are made by define.ts.
 */
import type { z } from 'zod';
import type { MetricCard, Preset, Source } from '#contract/catalog.ts';
import { fail } from '#contract/errors.ts';
import type { TableLayout } from '#contract/frames.ts';
import { Xorshift } from '#math/xorshift.ts';
import { checkCell } from '../../api/checks.ts';
import { defineEnv } from '../../api/define.ts';
import { Draws } from '../../api/draws.ts';
import { assemble } from '../../api/environment.ts';
import { soloMeta } from '../../api/meta.ts';
import { allocateRows, defineState } from '../../api/state.ts';
import type { EnvEntry, EnvMeta, Recommended, ScriptedPolicy, StepBuffers } from '../../api/types.ts';
import { REFERENCE_EPISODES, referenceMeans, SOLVED } from './define.ts';

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

export interface PlainWorld<C, P extends Turns> {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly source: Source;
  readonly config: z.ZodType<C>;
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

const [SEED, COUNT, ACTIONS] = [0, 1, 2];

export function definePlainWorld<C extends { readonly mistakes: number; readonly toolBonus: number }, P extends Turns>(
  def: PlainWorld<C, P>,
): EnvEntry {
  const stateOf = (c: C) =>
    defineState(1, [
      { name: 'seed', type: 'u32', shape: [], doc: 'what the world and the question are drawn from' },
      { name: 'count', type: 'u32', shape: [], doc: 'actions so far' },
      { name: 'actions', type: 'u32', shape: [def.longest(c)], doc: 'these actions, 0 behind the last' },
    ]);
  const meanReturn = referenceMeans((c: C, how: 'expert' | 'random', seed) => {
    const play = def.begin(c, seed);
    return (luck) => play.play(play.suggest(how === 'expert' ? 0 : 1, luck));
  });
  const meta = (c: C): EnvMeta => {
    def.check(c);
    const { labels, keys } = def.actions(c);
    return {
      ...soloMeta({
        id: def.id,
        agent: def.agent,
        obs: { kind: 'box', shape: [def.width(c)], low: 0, high: 1 },
        action: { kind: 'discrete', n: labels.length, labels },
        gamma: 1,
        maxSteps: def.longest(c),
        evalMaxSteps: def.longest(c),
        state: stateOf(c),
        frame: def.picture(c),
        references: [
          { name: 'random', value: meanReturn(c, 'random'), source: `${REFERENCE_EPISODES} episodes of ${def.random}` },
          { name: 'expert', value: meanReturn(c, 'expert'), source: `${REFERENCE_EPISODES} episodes of the scripted expert` },
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
      const rows = allocateRows(stateOf(c), 1);
      const { words } = rows;
      return {
        act(env, _buffers, out) {
          for (let row = 0; row < env.batch; row++) {
            rows.load(0, env.save(row));
            const play = def.begin(c, words[SEED]!);
            const count = words[COUNT]!;
            for (let i = 0; i < count; i++) play.play(words[ACTIONS + i]!);
            out[row] = play.suggest(mistakesOf(c), new Xorshift(words[SEED]! ^ Math.imul(count + 1, 0x9e3779b9)));
          }
        },
      };
    };
  return defineEnv<C>({
    spec: {
      id: def.id,
      version: 1,
      title: def.title,
      summary: def.summary,
      source: def.source,
      config: def.config,
      recommended: def.recommended,
      presets: def.presets,
      meta,
    },
    create(c, batch, options) {
      def.check(c);
      const rows = allocateRows(stateOf(c), batch);
      const { words, wordStride } = rows;
      const draws = new Draws(rows.rng, options?.draws);
      const longest = def.longest(c);
      const width = def.width(c);
      const actionCount = def.actions(c).labels.length;
      const live = Array.from({ length: batch }, () => def.begin(c, 0));
      const observe = (row: number, { obs }: StepBuffers): void => {
        obs.fill(0, row * width, (row + 1) * width);
        def.observe(c, live[row]!, obs, row * width);
      };
      return assemble(meta(c), batch, rows, {
        start(row) {
          const s = row * wordStride;
          let seed = 0;
          do seed = draws.int(row, 0x7fff_ffff, 'seed');
          while (!def.accepts(c, seed));
          words.fill(0, s, s + ACTIONS + longest);
          words[s + SEED] = seed;
          live[row] = def.begin(c, seed);
        },
        step(actions, out) {
          for (let row = 0; row < batch; row++) {
            const s = row * wordStride;
            if (live[row]!.done) continue;
            const count = words[s + COUNT]!;
            words[s + ACTIONS + count] = actions[row]!;
            words[s + COUNT] = count + 1;
            const { reward, fresh, done } = live[row]!.play(actions[row]!);
            out.reward[row] = reward;
            if (out.shaped) out.shaped[row] = fresh ? c.toolBonus : 0;
            out.terminated[row] = done ? 1 : 0;
            out.truncated[row] = 0;
            observe(row, out);
          }
        },
        observe,
        loaded(row) {
          const s = row * wordStride;
          const count = words[s + COUNT]!;
          checkCell(count, longest + 1, 'count');
          if (!def.accepts(c, words[s + SEED]!))
            throw fail('state-invalid', 'State field "seed" gives a question that is not asked here.', 'Choose all questions.', 'seed');
          const play = def.begin(c, words[s + SEED]!);
          for (let i = 0; i < count; i++) {
            checkCell(words[s + ACTIONS + i]!, actionCount, 'actions');
            if (play.done) throw fail('state-invalid', 'State field "actions" goes on after the end.', 'End it there.', 'actions');
            play.play(words[s + ACTIONS + i]!);
          }
          live[row] = play;
        },
        measure(row, out, at) {
          out[at] = live[row]!.solved;
          live[row]!.measured().forEach((value, i) => {
            out[at + 1 + i] = value;
          });
        },
        frame: (row, out) => def.draw(c, live[row]!, out),
      });
    },
    policies: { expert: scripted(() => 0), novice: scripted((c) => c.mistakes) },
  });
}
