/**
 * The lookup worlds of t-search without tokens, for policies that neither read nor remember: what is known so far stands in the observation.
 * Obs, all 0 or 1 but for the last two: for every field the name or digit that stands in it, of the last document on the way that was looked
 * up (before the first one: the name that the question begins with, in every field); which field the question follows in it; share of the
 * lookups left, share of the way left. Actions: look up one of the names, or answer one of the digits.
 * Reward 1 for the right digit; every lookup takes its price, and may earn a bonus (of a call, of the way), whatever the answer.
 * A lookup of a new document also gives a shaped reward, apart from the reward.
 * Ends with an answer, or with a lookup more than allowed. Truncates never.
 * Source: own worlds after questions over several documents (HotpotQA, Search-R1).
 */
import { z } from 'zod';
import { fail } from '#contract/errors.ts';
import type { TableItem, TableLayout } from '#contract/frames.ts';
import { Xorshift } from '#math/xorshift.ts';
import { checkCell } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { soloMeta } from '../api/meta.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, ScriptedPolicy, StepBuffers } from '../api/types.ts';
import { REFERENCE_EPISODES, referenceMeans, SOLVED } from './lib/define.ts';
import {
  checkAsked,
  drawWorld,
  isAsked,
  type LookupConfig,
  lookupFields,
  lookupMeasures,
  nameCount,
  nameOf,
  Search,
} from './lib/lookups.ts';

const config = z.strictObject({
  ...lookupFields,
  toolBonus: z.number().min(0).max(1).default(0.1).meta({
    title: 'shaped reward of a lookup',
    description:
      'For a document that was not looked up before, on the way or not; given apart from the reward, for methods that begin with it.',
    source: 'own choice',
    group: 'reward',
  }),
});
type Config = z.infer<typeof config>;

const stateOf = ({ lookups }: LookupConfig) =>
  defineState(1, [
    { name: 'seed', type: 'u32', shape: [], doc: 'what the documents and the question are drawn from' },
    { name: 'count', type: 'u32', shape: [], doc: 'actions so far' },
    { name: 'actions', type: 'u32', shape: [lookups + 1], doc: 'these actions, 0 behind the last' },
  ]);
const [SEED, COUNT, ACTIONS] = [0, 1, 2];

const searchOf = (c: LookupConfig, seed: number): Search => new Search(c, drawWorld(c, new Xorshift(seed)));

const meanReturn = referenceMeans((c: LookupConfig, how: 'expert' | 'random', seed) => {
  const search = searchOf(c, seed);
  return (luck) => search.play(search.suggest(how === 'expert' ? 0 : 1, luck));
});

/** What stands on the cards: names, digits, fields, "?". */
const facesOf = (c: LookupConfig): string[] => [
  ...Array.from({ length: nameCount(c) }, (_, i) => nameOf(i)),
  ...Array.from({ length: c.answers }, (_, i) => String(i)),
  ...[...'wxyz'].slice(0, c.fields),
];

/** Above the question: the first name and the fields to follow; below the last document on the way. */
function pictureOf(c: LookupConfig): TableLayout {
  const faces = facesOf(c);
  const width = Math.max(c.hops + 1, c.fields);
  const line = (n: number, y: number): TableItem[] =>
    Array.from({ length: n }, (_, i) => ({ kind: 'card', faces, x: 1.12 * (i - (n - 1) / 2), y }));
  const half = Math.max(2.6, (1.12 * width + 0.6) / 2);
  return {
    kind: 'table',
    items: [
      ...line(c.hops + 1, 1.6),
      ...line(c.fields, 0),
      { kind: 'number', label: 'lookups', digits: 0, x: -half / 2, y: -1.5 },
      { kind: 'number', label: 'on the way', digits: 0, x: half / 2, y: -1.5 },
    ],
    bounds: [-half, -2, half, 2.6],
  };
}

function meta(c: LookupConfig): EnvMeta {
  checkAsked(c);
  const names = nameCount(c);
  const labels = facesOf(c).slice(0, names + c.answers);
  return {
    ...soloMeta({
      id: 'lookup-worlds',
      agent: 'searcher',
      obs: { kind: 'box', shape: [c.fields * (names + c.answers) + c.fields + 2], low: 0, high: 1 },
      action: { kind: 'discrete', n: names + c.answers, labels: labels.map((face, i) => `${i < names ? 'look up' : 'answer'} ${face}`) },
      gamma: 1,
      maxSteps: c.lookups + 1,
      evalMaxSteps: c.lookups + 1,
      state: stateOf(c),
      frame: pictureOf(c),
      references: [
        { name: 'random', value: meanReturn(c, 'random'), source: `${REFERENCE_EPISODES} episodes of random names and digits` },
        { name: 'expert', value: meanReturn(c, 'expert'), source: `${REFERENCE_EPISODES} episodes of the scripted expert` },
      ],
      keys: labels.map((face) => [face]),
      idleAction: null,
      fps: 3,
    }),
    shaped: true,
    measures: [SOLVED, ...lookupMeasures],
  };
}

const scripted =
  (mistakesOf: (c: LookupConfig) => number) =>
  (c: LookupConfig): ScriptedPolicy => {
    const rows = allocateRows(stateOf(c), 1);
    const { words } = rows;
    return {
      act(env, _buffers, out) {
        for (let row = 0; row < env.batch; row++) {
          rows.load(0, env.save(row));
          const search = searchOf(c, words[SEED]!);
          const count = words[COUNT]!;
          for (let i = 0; i < count; i++) search.play(words[ACTIONS + i]!);
          out[row] = search.suggest(mistakesOf(c), new Xorshift(words[SEED]! ^ Math.imul(count + 1, 0x9e3779b9)));
        }
      },
    };
  };

export const lookupWorlds = defineEnv<Config>({
  spec: {
    id: 'lookup-worlds',
    version: 1,
    title: 'Lookup worlds',
    summary: 'Look documents up, one after the other, until the question is answered: for plain policies, without tokens.',
    source: { title: 'Lookup worlds', authors: 'RL Workbench', year: 2026 },
    config,
    recommended: { algo: 'group-worlds', steps: 100_000 },
    presets: [
      { id: 'two-hops', title: 'two documents on the way', config: {} },
      { id: 'fields', title: 'one to three hops, two fields to choose from', config: { hops: 3, leastHops: 1, fields: 2, lookups: 5 } },
      {
        id: 'priced',
        title: 'the same, every lookup has its price',
        config: { hops: 3, leastHops: 1, fields: 2, lookups: 5, price: 0.05 },
      },
    ],
    meta,
  },
  create(c, batch, options) {
    const rows = allocateRows(stateOf(c), batch);
    const { words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const values = nameCount(c) + c.answers;
    const width = c.fields * values + c.fields + 2;
    const live = Array.from({ length: batch }, () => searchOf(c, 0));
    const observe = (row: number, { obs }: StepBuffers): void => {
      const { last, world, place, lookups } = live[row]!;
      const o = row * width;
      obs.fill(0, o, o + width);
      for (let field = 0; field < c.fields; field++) obs[o + field * values + (last === null ? world.start : last[field]!)] = 1;
      const asked = o + c.fields * values;
      if (place > 0) obs[asked + world.path[place - 1]!] = 1;
      obs[asked + c.fields] = 1 - lookups / c.lookups;
      obs[asked + c.fields + 1] = (world.path.length - place) / c.hops;
    };
    return assemble(meta(c), batch, rows, {
      start(row) {
        const s = row * wordStride;
        let seed = 0;
        do seed = draws.int(row, 0x7fff_ffff, 'seed');
        while (!isAsked(c, seed));
        words.fill(0, s, s + ACTIONS + c.lookups + 1);
        words[s + SEED] = seed;
        live[row] = searchOf(c, seed);
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
        checkCell(count, c.lookups + 2, 'count');
        if (!isAsked(c, words[s + SEED]!))
          throw fail('state-invalid', 'State field "seed" gives a question that is not asked here.', 'Choose all questions.', 'seed');
        const search = searchOf(c, words[s + SEED]!);
        for (let i = 0; i < count; i++) {
          checkCell(words[s + ACTIONS + i]!, values, 'actions');
          if (search.done) throw fail('state-invalid', 'State field "actions" goes on after the answer.', 'End it there.', 'actions');
          search.play(words[s + ACTIONS + i]!);
        }
        live[row] = search;
      },
      measure(row, out, at) {
        out[at] = live[row]!.solved;
        live[row]!.measured().forEach((value, i) => {
          out[at + 1 + i] = value;
        });
      },
      frame(row, out) {
        const { last, world, lookups, place } = live[row]!;
        out[0] = world.start;
        for (let i = 0; i < c.hops; i++) out[1 + i] = i < world.path.length ? values + world.path[i]! : -1;
        for (let field = 0; field < c.fields; field++) out[1 + c.hops + field] = last?.[field] ?? -2;
        out[1 + c.hops + c.fields] = lookups;
        out[2 + c.hops + c.fields] = place;
      },
    });
  },
  policies: { expert: scripted(() => 0), novice: scripted((c) => c.mistakes) },
});
