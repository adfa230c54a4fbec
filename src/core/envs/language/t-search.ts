/**
 * Look documents up until the question is answered, token by token. The prompt names a document and which field to follow in it and in those
 * behind it: `cxw?` asks for what stands in field w of the document that field x of document c names. A letter looks a document up: the
 * world replies with its fields, each a letter or a digit, or with "." where there is none. A digit is the answer. Where the graph has gaps
 * (lib/graph.ts), "." stands for a field that it lacks, and `:c` looks up the text of c, which says these alone; a question may name a
 * relation (`c+?`), also with the rule that a count in the graph proposes (`c+xw?`): then a document replies with one value more.
 * Obs: the row so far, one token id per place, 0 behind its end: prompt, turns and replies. Actions: the 64 tokens of the vocabulary.
 * Reward 1 for the right digit; every lookup takes its price, and may earn a bonus (of a call, of the way), whatever the answer.
 * Ends with a digit, with a lookup more than allowed, or with a token that is neither, which scores nothing and takes the price of all
 * lookups that were left. Truncates never.
 * Source: own worlds after questions over several documents (HotpotQA, Search-R1); the same worlds without tokens: lookup-worlds.
 */
import { searchInWords } from './lib/asked.ts';
import { defineTokenEnv, malformedAt, type Talk, type TokenTask } from './lib/define.ts';
import {
  askedLength,
  askedText,
  checkGraph,
  drawGraph,
  type GraphConfig,
  GraphSearch,
  graphConfig,
  graphMeasures,
  graphSettings,
  hasTexts,
  replyLength,
} from './lib/graph.ts';
import { drawnSplit, pricedForm } from './lib/knobs.ts';
import { isAsked, lookupTerms, nameCount, valueText } from './lib/lookups.ts';
import { talkReferences } from './lib/references.ts';
import { nameOf } from './lib/tokens.ts';

const LETTER_A = 97;
const TEXT = ':';

/** A turn as GraphSearch.play counts them; null: it is neither a name nor a digit that there is. */
function turnValue(c: GraphConfig, turn: string): number | null {
  const names = nameCount(c);
  if (/^\d$/.test(turn)) return Number(turn) < c.answers ? names + Number(turn) : null;
  const text = turn.length === 2 && turn[0] === TEXT;
  const name = turn.charCodeAt(turn.length - 1) - LETTER_A;
  if ((turn.length !== 1 && !text) || name < 0 || name >= names) return null;
  return text ? names + c.answers + name : name;
}

function turnText(c: GraphConfig, value: number): string {
  const values = nameCount(c) + c.answers;
  return value < values ? valueText(c, value) : TEXT + nameOf(value - values);
}

function talkOf(c: GraphConfig, seed: number): Talk {
  const search = new GraphSearch(c, drawGraph(c, seed));
  return {
    prompt: askedText(c, search.world),
    ends: (turn) => turn !== TEXT || !hasTexts(c),
    play(turn) {
      const value = turnValue(c, turn);
      if (value === null) return malformedAt(c.price, c.lookups - search.lookups);
      const { found, reward, terms, done } = search.play(value);
      const text = done ? '' : (found?.map((field) => (field === null ? '.' : valueText(c, field))).join('') ?? '.');
      return { text, done, reward, terms, format: 1, solved: search.solved };
    },
    suggest: (how, luck) => turnText(c, search.suggest(how === 'expert' ? 0 : c.mistakes, luck)),
    measured: () => search.measured(),
  };
}

/** Tokens that are written in an episode at most. */
const writtenIn = (c: GraphConfig): number => (c.lookups + 1) * (hasTexts(c) ? 2 : 1);

function taskOf(c: GraphConfig): TokenTask {
  checkGraph(c);
  return {
    sizes: { prompt: askedLength(c), written: writtenIn(c), replies: c.lookups * replyLength(c) },
    accepts: (seed) => isAsked(c, seed),
    talk: (seed) => talkOf(c, seed),
  };
}

export const tSearch = defineTokenEnv<GraphConfig>({
  id: 't-search',
  title: 'Lookups in tokens',
  summary: 'Look up documents, one after the other, until the question is answered; each lookup may have a price.',
  source: { title: 'Lookup worlds in tokens', authors: 'RL Workbench', year: 2026 },
  version: 3,
  changes: [drawnSplit(2), pricedForm(3)],
  config: graphConfig,
  flat: graphSettings,
  terms: lookupTerms,
  measures: graphMeasures,
  recommended: { algo: 'group-rl', preset: 'cloned', steps: 300_000, env: { split: 'train' }, evalEvery: 15_000 },
  presets: [
    { id: 'two-hops', title: 'two documents on the way', config: {} },
    { id: 'fields', title: 'one to three hops, two fields to choose from', config: { hops: 3, leastHops: 1, fields: 2, lookups: 5 } },
    { id: 'priced', title: 'the same, every lookup has its price', config: { hops: 3, leastHops: 1, fields: 2, lookups: 5, price: 0.05 } },
    { id: 'far', title: 'eight hops, eight distractors', config: { hops: 8, leastHops: 8, distractors: 8, lookups: 12 } },
    {
      id: 'graph',
      title: 'a graph with gaps, texts, and rules counted in it',
      config: { fields: 3, distractors: 4, lookups: 5, gaps: { kind: 'on', share: 0.25, texts: true }, asks: 'rule' },
    },
  ],
  references: talkReferences({
    begin: talkOf,
    most: writtenIn,
    careless: (c) => ({ ...c, mistakes: 1 }),
    turns: 'random names and digits',
  }),
  task: taskOf,
  question: (c, prompt) => searchInWords(prompt, c.asks === 'path'),
});
