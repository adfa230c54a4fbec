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
import type { TableItem, TableLayout } from '#contract/frames.ts';
import { Xorshift } from '#math/xorshift.ts';
import { shapedField } from './lib/knobs.ts';
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
import { definePlainWorld } from './lib/plain.ts';

const config = z.strictObject({
  ...lookupFields,
  toolBonus: shapedField('shaped reward of a lookup', 'For a document that was not looked up before, on the way or not'),
});
type Config = z.infer<typeof config>;

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

const valueCount = (c: LookupConfig): number => nameCount(c) + c.answers;

export const lookupWorlds = definePlainWorld<Config, Search>({
  id: 'lookup-worlds',
  title: 'Lookup worlds',
  summary: 'Look documents up, one after the other, until the question is answered: for plain policies, without tokens.',
  source: { title: 'Lookup worlds', authors: 'RL Workbench', year: 2026 },
  config,
  measures: lookupMeasures,
  recommended: { algo: 'group-worlds', steps: 100_000 },
  presets: [
    { id: 'two-hops', title: 'two documents on the way', config: {} },
    { id: 'fields', title: 'one to three hops, two fields to choose from', config: { hops: 3, leastHops: 1, fields: 2, lookups: 5 } },
    { id: 'priced', title: 'the same, every lookup has its price', config: { hops: 3, leastHops: 1, fields: 2, lookups: 5, price: 0.05 } },
  ],
  agent: 'searcher',
  random: 'random names and digits',
  actions(c) {
    const names = nameCount(c);
    const faces = facesOf(c).slice(0, names + c.answers);
    return { labels: faces.map((face, i) => `${i < names ? 'look up' : 'answer'} ${face}`), keys: faces };
  },
  longest: (c) => c.lookups + 1,
  check: checkAsked,
  accepts: isAsked,
  begin: (c, seed) => new Search(c, drawWorld(c, new Xorshift(seed))),
  width: (c) => c.fields * valueCount(c) + c.fields + 2,
  observe(c, { last, world, place, lookups }, obs, at) {
    const values = valueCount(c);
    for (let field = 0; field < c.fields; field++) obs[at + field * values + (last === null ? world.start : last[field]!)] = 1;
    const asked = at + c.fields * values;
    if (place > 0) obs[asked + world.path[place - 1]!] = 1;
    obs[asked + c.fields] = 1 - lookups / c.lookups;
    obs[asked + c.fields + 1] = (world.path.length - place) / c.hops;
  },
  picture: pictureOf,
  draw(c, { last, world, lookups, place }, out) {
    out[0] = world.start;
    for (let i = 0; i < c.hops; i++) out[1 + i] = i < world.path.length ? valueCount(c) + world.path[i]! : -1;
    for (let field = 0; field < c.fields; field++) out[1 + c.hops + field] = last?.[field] ?? -2;
    out[1 + c.hops + c.fields] = lookups;
    out[2 + c.hops + c.fields] = place;
  },
});
