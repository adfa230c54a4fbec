/**
 * Look documents up until the question is answered, token by token. The prompt names a document and which field to follow in it and in those
 * behind it: `cxw?` asks for what stands in field w of the document that field x of document c names. A letter looks a document up: the
 * world replies with its fields, each a letter or a digit, or with "." where there is none. A digit is the answer.
 * Obs: the row so far, one token id per place, 0 behind its end: prompt, turns and replies. Actions: the 64 tokens of the vocabulary.
 * Reward 1 for the right digit; every lookup takes its price, and may earn a bonus (of a call, of the way), whatever the answer.
 * Ends with a digit, with a lookup more than allowed, or with a token that is neither, which scores nothing. Truncates never.
 * Source: own worlds after questions over several documents (HotpotQA, Search-R1); the same worlds without tokens: lookup-worlds.
 */
import { z } from 'zod';
import { Xorshift } from '#math/xorshift.ts';
import { type Answer, defineTokenEnv, REFERENCE_EPISODES, referenceMeans, type Talk, type TokenTask } from './lib/define.ts';
import {
  checkAsked,
  drawWorld,
  isAsked,
  type LookupConfig,
  lookupFields,
  lookupMeasures,
  nameCount,
  questionText,
  Search,
  valueText,
} from './lib/lookups.ts';

const config = z.strictObject(lookupFields);

const MALFORMED: Answer = { text: '', done: true, reward: 0, format: 0, solved: 0 };
const LETTER_A = 97;

/** A turn of one token as a value of a field; null: it is neither a name nor a digit that there is. */
function fieldValue(c: LookupConfig, turn: string): number | null {
  const names = nameCount(c);
  if (/^\d$/.test(turn)) return Number(turn) < c.answers ? names + Number(turn) : null;
  const name = turn.charCodeAt(0) - LETTER_A;
  return turn.length === 1 && name >= 0 && name < names ? name : null;
}

function talkOf(c: LookupConfig, seed: number): Talk {
  const search = new Search(c, drawWorld(c, new Xorshift(seed)));
  return {
    prompt: questionText(search.world),
    ends: () => true,
    play(turn) {
      const value = fieldValue(c, turn);
      if (value === null) return MALFORMED;
      const { found, reward, done } = search.play(value);
      const text = done ? '' : (found?.map((field) => valueText(c, field)).join('') ?? '.');
      return { text, done, reward, format: 1, solved: search.solved };
    },
    suggest: (how, luck) => valueText(c, search.suggest(how === 'expert' ? 0 : c.mistakes, luck)),
    measured: () => search.measured(),
  };
}

function taskOf(c: LookupConfig): TokenTask {
  checkAsked(c);
  return {
    sizes: { prompt: c.hops + 2, written: c.lookups + 1, replies: c.lookups * c.fields },
    accepts: (seed) => isAsked(c, seed),
    talk: (seed) => talkOf(c, seed),
  };
}

const meanReturn = referenceMeans((c: LookupConfig, how: 'expert' | 'novice', seed) => {
  const talk = talkOf(c, seed);
  return (luck) => talk.play(talk.suggest(how, luck), false);
});

export const tSearch = defineTokenEnv<LookupConfig>({
  id: 't-search',
  title: 'Lookups in tokens',
  summary: 'Look documents up, one after the other, until the question is answered: several hops, distractors, a price for every lookup.',
  source: { title: 'Lookup worlds in tokens', authors: 'RL Workbench', year: 2026 },
  config,
  measures: lookupMeasures,
  recommended: { algo: 'group-rl', preset: 'cloned', steps: 300_000 },
  presets: [
    { id: 'two-hops', title: 'two documents on the way', config: {} },
    { id: 'fields', title: 'one to three hops, two fields to choose from', config: { hops: 3, leastHops: 1, fields: 2, lookups: 5 } },
    { id: 'priced', title: 'the same, every lookup has its price', config: { hops: 3, leastHops: 1, fields: 2, lookups: 5, price: 0.05 } },
    { id: 'far', title: 'eight hops, eight distractors', config: { hops: 8, leastHops: 8, distractors: 8, lookups: 12 } },
  ],
  references: (c) => [
    {
      name: 'random',
      value: meanReturn({ ...c, mistakes: 1 }, 'novice'),
      source: `${REFERENCE_EPISODES} episodes of random names and digits`,
    },
    { name: 'expert', value: meanReturn(c, 'expert'), source: `${REFERENCE_EPISODES} episodes of the scripted expert` },
  ],
  task: taskOf,
});
