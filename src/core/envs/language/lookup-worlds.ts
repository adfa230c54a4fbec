/**
 * The lookup worlds of t-search without tokens, for policies that neither read nor remember: what is known so far stands in the observation.
 * Obs, all 0 or 1 but for the last two: for every field the name or digit that stands in it, of the last document on the way that was looked
 * up (before the first one: the name that the question begins with, in every field); which field the question follows in it; share of the
 * lookups left, share of the way left. Actions: look up one of the names, or answer one of the digits.
 * Where the graph has gaps (lib/graph.ts) a field that is not known shows nothing, the name of that document stands last, and more actions read the text of a name. Where a question
 * names a relation the last document is that looked up last, on the way or not, the field to follow is that of the rule, if one is given,
 * and then come the relation, and what the graph says it leads to from that document.
 * Reward 1 for the right digit; every lookup takes its price, and may earn a bonus (of a call, of the way), whatever the answer.
 * A lookup of a new document also gives a shaped reward, apart from the reward.
 * Ends with an answer, or with a lookup more than allowed. Truncates never.
 * Source: own worlds after questions over several documents (HotpotQA, Search-R1).
 */
import { z } from 'zod';
import type { TableItem, TableLayout } from '#contract/game/frames.ts';
import { checkGraph, drawGraph, GraphSearch, graphConfig, graphMeasures, graphSettings, hasTexts, relationCount } from './lib/graph.ts';
import { shapedField } from './lib/knobs.ts';
import { isAsked, type LookupConfig, nameCount } from './lib/lookups.ts';
import { definePlainWorld } from './lib/plain.ts';
import { nameOf } from './lib/tokens.ts';

const more = { toolBonus: shapedField('shaped reward of a lookup', 'For a document that was not looked up before, on the way or not') };
const config = z.strictObject({ ...graphConfig.shape, ...more });
const flat = z.strictObject({ ...graphSettings.shape, ...more });
type Config = z.infer<typeof flat>;

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

export const lookupWorlds = definePlainWorld<Config, GraphSearch>({
  id: 'lookup-worlds',
  title: 'Lookup worlds',
  summary: 'Look documents up, one after the other, until the question is answered: for plain policies, without tokens.',
  source: { title: 'Lookup worlds', authors: 'RL Workbench', year: 2026 },
  config,
  flat,
  measures: graphMeasures,
  recommended: { algo: 'group-worlds', steps: 500_000, env: { split: 'train' }, evalEvery: 25_000 },
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
    const labels = faces.map((face, i) => `${i < names ? 'look up' : 'answer'} ${face}`);
    const texts = hasTexts(c) ? faces.slice(0, names).map((face) => `read the text of ${face}`) : [];
    return { labels: [...labels, ...texts], keys: [...faces, ...texts.map(() => '')] };
  },
  longest: (c) => c.lookups + 1,
  check: checkGraph,
  accepts: isAsked,
  begin: (c, seed) => new GraphSearch(c, drawGraph(c, seed)),
  width(c) {
    const relation = c.asks === 'path' ? 0 : relationCount(c) + valueCount(c);
    return c.fields * valueCount(c) + c.fields + 2 + relation + (c.gaps > 0 ? nameCount(c) : 0);
  },
  observe(c, search, obs, at) {
    const { last, world, follows, lookups, left } = search;
    const values = valueCount(c);
    for (let field = 0; field < c.fields; field++) {
      const known = last === null ? world.start : last[field]!;
      if (known !== null) obs[at + field * values + known] = 1;
    }
    const asked = at + c.fields * values;
    if (follows !== null) obs[asked + follows] = 1;
    obs[asked + c.fields] = 1 - lookups / c.lookups;
    obs[asked + c.fields + 1] = left / c.hops;
    let more = asked + c.fields + 2;
    if (c.asks !== 'path') {
      obs[more + search.world.relation] = 1;
      more += relationCount(c);
      if (search.fact !== null) obs[more + search.fact] = 1;
      more += values;
    }
    if (c.gaps > 0 && search.holds !== null) obs[more + search.holds] = 1;
  },
  picture: pictureOf,
  draw(c, { last, world, lookups, place }, out) {
    out[0] = world.start;
    // the way, or what a policy has in its place
    const way = c.asks === 'relation' ? [] : world.rule;
    for (let i = 0; i < c.hops; i++) out[1 + i] = i < way.length ? valueCount(c) + way[i]! : -1;
    for (let field = 0; field < c.fields; field++) out[1 + c.hops + field] = last?.[field] ?? -2;
    out[1 + c.hops + c.fields] = lookups;
    out[2 + c.hops + c.fields] = place;
  },
});
