/**
 * Lookup worlds as a knowledge graph with gaps: documents are its entities, fields its relations. Some of what a document says
 * is missing in the graph and stands in a text only. A question may name a relation that is no field: it stands for a way of fields,
 * the same one in every world or another in each. Where else the graph has that relation, it is shown behind the fields of a document; a rule is the way that
 * explains these facts best (rule mining, AMIE, Galárraga et al. 2013), counted anew in every graph and sometimes wrong.
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { Xorshift } from '#math/xorshift.ts';
import { badConfig } from '../../api/parse.ts';
import { kind, variant } from '../../api/variant.ts';
import {
  checkAsked,
  drawWorld,
  FIELDS,
  type Found,
  type LookupConfig,
  type LookupWorld,
  lookupFields,
  lookupMeasures,
  nameCount,
  questionText,
  Search,
} from './lookups.ts';
import { nameOf } from './tokens.ts';

const asked = {
  asks: z.enum(['path', 'relation', 'rule']).default('path').meta({
    title: 'question',
    description:
      'path: names the fields to follow. relation: one sign for the whole way. rule: this sign, and the fields that a count in the graph proposes.',
    source: 'own choice',
    group: 'task',
  }),
  relations: z.enum(['shared', 'own']).default('shared').meta({
    title: 'relations',
    description: 'shared: a sign stands for the same way in every graph, and can be learned by heart. own: each graph has other signs.',
    source: 'own choice',
    group: 'task',
  }),
};
const share = z.number().gt(0).max(0.5).default(0.25).meta({
  title: 'share of the gaps',
  description: 'Of the fields that are missing in the graph, and of the facts that the asked relation has elsewhere.',
  source: 'own choice',
  group: 'task',
});
const texts = z.boolean().default(true).meta({
  title: 'texts',
  description: 'A text can be read in place of a lookup, and says what the graph lacks of a document.',
  source: 'own choice',
  group: 'task',
});
export const graphConfig = z.strictObject({
  ...lookupFields,
  ...asked,
  gaps: variant('off', [kind('off', {}), kind('on', { share, texts })], {
    title: 'gaps',
    description: 'Whether the graph lacks some of what the documents say.',
    source: 'own choice',
    group: 'task',
  }),
});
export const graphSettings = z.strictObject({ ...lookupFields, ...asked, gaps: z.number().min(0).max(0.5), texts });
export type GraphConfig = z.infer<typeof graphSettings>;

/** Whether texts are among the turns. */
export const hasTexts = ({ texts, gaps }: GraphConfig): boolean => texts && gaps > 0;

/** A name's fields; null: not known, or no document. */
type Known = readonly (readonly (number | null)[] | null)[];

export interface GraphWorld extends LookupWorld {
  /** What the graph says: [names][fields]. */
  readonly graph: Known;
  /** What the relation asked for leads to from each name, where the graph has it; empty where a question names its way. */
  readonly facts: readonly (number | null)[];
  /** The way that a count proposes. */
  readonly rule: readonly number[];
  /** The relation asked for, by its number. */
  readonly relation: number;
}

const SIGNS = '+-*/=%()[]{}<>,;!#@|^';

/** All ways that a question may ask for, the shortest first; a relation is one of them, by its place among them. */
function waysOf({ hops, leastHops, fields }: LookupConfig): number[][] {
  const ways: number[][] = [];
  for (let length = Math.min(leastHops, hops); length <= hops; length++)
    for (let n = 0; n < fields ** length; n++) ways.push(Array.from({ length }, (_, i) => Math.floor(n / fields ** i) % fields));
  return ways;
}

/** Where a way leads to; null: it breaks off. */
function endOf(known: Known, from: number, way: readonly number[]): number | null {
  let at: number | null = from;
  for (const field of way) {
    if (at === null) return null;
    at = known[at]?.[field] ?? null;
  }
  return at;
}

/** The way that is right most often where it leads anywhere, among these the one that is right in most places; drawn among equals. */
export function minedRule(
  ways: readonly (readonly number[])[],
  graph: Known,
  facts: readonly (number | null)[],
  rng: Xorshift,
): readonly number[] {
  const scored = ways.map((way) => {
    let [right, wrong] = [0, 0];
    facts.forEach((fact, name) => {
      const end = fact === null ? null : endOf(graph, name, way);
      if (end !== null) end === fact ? right++ : wrong++;
    });
    return { way, right, share: right === 0 ? 0 : right / (right + wrong) };
  });
  const first = scored.reduce((best, now) => (now.share > best.share || (now.share === best.share && now.right > best.right) ? now : best));
  const equal = scored.filter(({ share, right }) => share === first.share && right === first.right);
  return equal[rng.draw(equal.length)]!.way;
}

/** The order of draws is part of the definition: the world, its gaps document by document, facts that are missing name by name, the rule, its sign. */
export function drawGraph(c: GraphConfig, seed: number): GraphWorld {
  const rng = new Xorshift(seed);
  const world = drawWorld(c, rng);
  const { documents, start, path } = world;
  const gap = (): boolean => rng.draw(1000) < 1000 * c.gaps;
  const graph = c.gaps === 0 ? documents : documents.map((fields) => fields?.map((value) => (gap() ? null : value)) ?? null);
  if (c.asks === 'path') return { ...world, graph, facts: [], rule: path, relation: 0 };
  const facts = documents.map((_, name) => (gap() || name === start ? null : endOf(documents, name, path)));
  const ways = waysOf(c);
  const rule = minedRule(ways, graph, facts, rng);
  const number = ways.findIndex((way) => way.join() === path.join());
  return { ...world, graph, facts, rule, relation: c.relations === 'own' ? rng.draw(ways.length) : number };
}

/** Relations there are. */
export const relationCount = (c: GraphConfig): number => (c.asks === 'path' ? 0 : waysOf(c).length);

/** The question in tokens: `cxw?`, `c+?` or `c+xw?`. */
export function askedText(c: GraphConfig, world: GraphWorld): string {
  if (c.asks === 'path') return questionText(world);
  const sign = SIGNS[world.relation]!;
  const rule = c.asks === 'rule' ? world.rule.map((field) => FIELDS[field]!).join('') : '';
  return `${nameOf(world.start)}${sign}${rule}?`;
}

/** Tokens of a question at most, and of what a document replies. */
export const askedLength = ({ asks, hops }: GraphConfig): number => hops + (asks === 'path' ? 2 : 3);
export const replyLength = ({ asks, fields }: GraphConfig): number => fields + (asks === 'path' ? 0 : 1);

/** Throws LabError('config-invalid') where `split` leaves no question, a question cannot be answered, or there are more relations than signs. */
export function checkGraph(c: GraphConfig): void {
  if (c.asks !== 'path' && waysOf(c).length > SIGNS.length)
    throw badConfig('asks', `There are ${waysOf(c).length} ways and ${SIGNS.length} signs.`, 'Lower the hops or the fields.');
  if (c.lookups < c.hops)
    throw badConfig('lookups', `A question of ${c.hops} hops is not answered in ${c.lookups} lookups.`, 'Allow as many lookups as hops.');
  checkAsked(c);
}

/** One question in play. A turn is a value of a field, or one of the texts behind them: values + name. */
export class GraphSearch extends Search<GraphConfig, GraphWorld> {
  private readonly texts = new Set<number>();
  /** Documents looked up since the first one of the question, this one counted, and the last of them: what a policy can tell by itself. */
  private depth = 0;
  private hand: number | null = null;

  /** Turns that are lookups of names or answers. */
  private get values(): number {
    return nameCount(this.c) + this.c.answers;
  }

  /** Reads a text; at the price of a lookup, and one of them. */
  readText(name: number): Found {
    const said = this.spend();
    if (said.done) return said;
    this.texts.add(name);
    const { documents, graph } = this.world;
    return { ...said, found: documents[name]?.map((v, i) => (graph[name]?.[i] === null ? v : null)) ?? null };
  }

  override lookUp(name: number): Found {
    const said = super.lookUp(name);
    if (said.found === null) return said;
    this.depth = name === this.world.start ? 1 : this.depth + 1;
    this.hand = name;
    const { graph, facts } = this.world;
    return { ...said, found: [...(graph[name] ?? []), ...(this.c.asks === 'path' ? [] : [facts[name] ?? null])] };
  }

  override play(turn: number): Found {
    return turn < this.values ? super.play(turn) : this.readText(turn - this.values);
  }

  /** The document that `last` is about. */
  get holds(): number | null {
    return this.c.asks === 'path' ? (this.way[this.place - 1] ?? null) : this.hand;
  }

  override get last(): readonly (number | null)[] | null {
    const { documents, graph } = this.world;
    const name = this.holds;
    if (name === null) return null;
    return this.texts.has(name) ? documents[name]! : graph[name]!;
  }

  /** Where a question names no way, nothing says whether the last document lies on it: only the rule does. */
  override get follows(): number | null {
    if (this.c.asks === 'path') return super.follows;
    return this.c.asks === 'rule' ? (this.world.rule[this.depth - 1] ?? null) : null;
  }

  override get left(): number {
    const { asks, hops } = this.c;
    if (asks === 'path') return super.left;
    return Math.max(0, (asks === 'rule' ? this.world.rule.length : hops) - this.depth);
  }

  /** What the graph says that the relation leads to from the last document; null: nothing. */
  get fact(): number | null {
    return this.hand === null ? null : (this.world.facts[this.hand] ?? null);
  }

  /** Names on the way whose field to follow is missing in the graph, as far as `place`. */
  private missing(place: number): number[] {
    const { graph, path } = this.world;
    return this.way.slice(0, place).filter((name, i) => graph[name]![path[i]!] === null);
  }

  /** As of every lookup world; what the graph lacks is read in its text, and where there is none the answer is a guess. */
  override suggest(mistakes: number, luck: Xorshift): number {
    const { c } = this;
    const texts = hasTexts(c) ? nameCount(c) : 0;
    if (luck.draw(1000) < 1000 * mistakes) return luck.draw(this.values + texts);
    const unread = this.missing(this.place).find((name) => !this.texts.has(name));
    if (unread === undefined) return this.next;
    return texts > 0 ? this.values + unread : nameCount(c) + luck.draw(c.answers);
  }

  /** In the order of graphMeasures. */
  override measured(): readonly number[] {
    const { path } = this.world;
    const found = this.missing(path.length).filter((name) => this.texts.has(name)).length;
    return [...super.measured(), this.solved * found];
  }
}

export const graphMeasures: readonly MetricCard[] = [
  ...lookupMeasures,
  {
    id: 'recovered',
    title: 'gaps filled',
    description:
      'Fields on the way that the graph lacks and that were found in a text, in episodes answered right, per episode of the last 100.',
  },
];
