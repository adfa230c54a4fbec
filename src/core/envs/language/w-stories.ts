/**
 * Little stories in English: the first sentence is given, the policy writes how the story goes on, word by word. Exact judges read it: a parser
 * of the grammar that all stories were written by, the state of the story, a table of rhymes, a list of friendly words that can be edited.
 * Obs: the row so far, one word id per place, 0 behind its end. Actions: the 389 tokens of the vocabulary; the end token closes the story.
 * Reward, at the end: the weighted sum of what the judges say, each from 0 to 1 (lib/stories/judges.ts). Ends with the end token, with a
 * token that is no word (which scores nothing), or after `words` words. Truncates never. Solved: the answer has sentences, and all of them are of the grammar and true.
 * Held out: a tenth of the pairs of a name and a place in first sentences. Random words are hardly ever a sentence: it is for a policy that writes
 * English already, which is what the trained model is (the start of methods on tokens).
 * Source: own grammar, after TinyStories (Eldan & Li 2023) and rewards for style as in learning from preferences (Ziegler et al. 2019).
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { Xorshift } from '#math/xorshift.ts';
import { badConfig } from '../api/parse.ts';
import { type Answer, defineTokenEnv, type TokenTask } from './lib/define.ts';
import { meanReturn, onceFor, randomReference, sourceOf } from './lib/references.ts';
import { JUDGES, type Judge, judged } from './lib/stories/judges.ts';
import { readTaste, type Taste } from './lib/stories/taste.ts';
import { MOST_WRITTEN, PROMPT_WORDS, STORY_TOKENS, storyWords } from './lib/stories/vocabulary.ts';
import { WORDS } from './lib/stories/words.ts';
import { goOn, opening } from './lib/stories/writer.ts';
import { EOS } from './lib/tokens.ts';

export const FRIENDLY =
  'happy glad kind merry hugged helped thanked kissed praised forgave cheered loved liked shared smiled laughed friends best good together thanks welcome hello';

const TITLES: Readonly<Record<Judge, string>> = {
  grammar: 'grammar',
  truth: 'truth',
  rhyme: 'rhymes',
  friendly: 'friendly words',
  length: 'length',
  fresh: 'no word twice',
  own: 'own judge',
};
const WHAT: Readonly<Record<Judge, string>> = {
  grammar: 'Share of sentences that the parser accepts.',
  truth: 'Share of sentences that are true of the story so far.',
  rhyme: 'Share of sentences, counted as at least three, whose last word rhymes with that of the sentence before.',
  friendly: 'Words of the list below, as a share of the words that are allowed.',
  length: '1 for as many words as wanted, falling to 0 for none and for twice as many.',
  fresh: 'Share of words that were not said before.',
  own: 'How likely the judge that was fitted to your marks takes an answer to be good; 0 without one.',
};

const weight = (judge: Judge, value: number) =>
  z
    .number()
    .min(0)
    .max(10)
    .default(value)
    .meta({
      title: TITLES[judge],
      description: `Weight of this judge. ${WHAT[judge]}`,
      source: 'own choice',
      slider: [0, 1],
      group: 'reward',
      depth: 'teach',
    });

const config = z.strictObject({
  friendly: weight('friendly', 1),
  rhyme: weight('rhyme', 0),
  grammar: weight('grammar', 0),
  truth: weight('truth', 0),
  length: weight('length', 0),
  fresh: weight('fresh', 0),
  own: weight('own', 0),
  list: z.string().max(1000).default(FRIENDLY).meta({
    title: 'friendly words',
    description: 'The words that count as friendly, with spaces between them; any of the vocabulary.',
    source: 'own choice',
    group: 'reward',
    depth: 'teach',
  }),
  taste: z.string().max(8000).default('').meta({
    title: 'own judge',
    description: 'What the judge fitted to your marks has learned: words with a weight each. Mark answers on the stage to make one.',
    source: 'own choice',
    group: 'reward',
  }),
  target: z.int().min(1).max(MOST_WRITTEN).default(12).meta({
    title: 'words wanted',
    description: 'What the judge of length asks for.',
    source: 'own choice',
    group: 'reward',
  }),
  words: z.int().min(6).max(MOST_WRITTEN).default(24).meta({
    title: 'words allowed',
    description: 'The story ends after so many words, full stops among them.',
    source: 'own choice',
    group: 'task',
  }),
  split: z.enum(['all', 'train', 'held-out']).default('all').meta({
    title: 'prompts',
    description: 'A tenth of the pairs of a name and a place is held out.',
    source: 'own choice',
    group: 'task',
  }),
  mistakes: z.number().min(0).max(1).default(0.1).meta({
    title: 'mistakes of the novice',
    description: 'Share of its words that are random ones.',
    source: 'own choice',
    group: 'scripted policies',
  }),
});
type Config = z.infer<typeof config>;

/** Sentences of the expert, at least and beyond. */
const [SENTENCES, MORE] = [2, 4];

function friendlyOf({ list }: Config): ReadonlySet<string> {
  const all = storyWords(list);
  const strange = all.find((word) => !WORDS.includes(word));
  if (strange !== undefined)
    throw badConfig(
      'list',
      `"${strange}" is no word of these stories.`,
      `Choose among their ${WORDS.length} words, such as ${FRIENDLY.split(' ').slice(0, 3).join(', ')}.`,
    );
  return new Set(all);
}

function tasteOf({ taste }: Config): Taste {
  const found = readTaste(taste);
  if ('fix' in found) throw badConfig('taste', found.message, found.fix);
  return found;
}

const promptOf = (seed: number) => opening(new Xorshift(seed));

function answerOf(c: Config, prompt: readonly string[]) {
  const settings = { friendly: friendlyOf(c), most: c.words, target: c.target, taste: tasteOf(c) };
  return (turn: string, ended: boolean): { readonly said: Answer; readonly scores: readonly number[] } => {
    const scores = judged({ prompt, answer: storyWords(turn), ended }, settings);
    const terms = JUDGES.map((judge, i) => c[judge] * scores[i]!);
    const reward = terms.reduce((sum, x) => sum + x, 0);
    const [parsed, held] = scores as [number, number];
    return { said: { text: '', done: true, reward, terms, format: parsed === 1 ? 1 : 0, solved: held === 1 ? 1 : 0 }, scores };
  };
}

/** What a script writes: the expert a story, the novice the same with some random words. */
function turnOf(
  { words, split, mistakes }: Pick<Config, 'words' | 'split' | 'mistakes'>,
  prompt: readonly string[],
  how: 'expert' | 'novice',
  luck: Xorshift,
): string {
  const text = goOn(luck, prompt, { most: words, sentences: SENTENCES + luck.draw(MORE), split });
  const said = how === 'expert' ? text : text.map((word) => (luck.draw(1000) < 1000 * mistakes ? WORDS[luck.draw(WORDS.length)]! : word));
  return said.map((word) => ` ${word}`).join('');
}

const NOTHING = JUDGES.map(() => 0);

function taskOf(c: Config): TokenTask {
  friendlyOf(c);
  tasteOf(c);
  return {
    // rows have the places of the trained model, however many words are allowed
    sizes: { prompt: PROMPT_WORDS, written: c.words, replies: MOST_WRITTEN - c.words },
    accepts: (seed) => c.split === 'all' || promptOf(seed).heldOut === (c.split === 'held-out'),
    talk(seed) {
      const prompt = promptOf(seed).words;
      const answer = answerOf(c, prompt);
      let scores: readonly number[] = NOTHING;
      return {
        prompt: prompt.join(' '),
        ends: (turn) => storyWords(turn).length >= c.words,
        play(turn, ended) {
          // a token that is no word comes with an empty turn
          const found = answer(turn, ended);
          if (turn === '') return { ...found.said, reward: 0, terms: NOTHING, format: 0, solved: 0 };
          ({ scores } = found);
          return found.said;
        },
        suggest: (how, luck) => turnOf(c, prompt, how, luck),
        measured: () => scores,
      };
    },
  };
}

const measures: readonly MetricCard[] = JUDGES.map((judge) => ({
  id: `judge-${judge}`,
  title: TITLES[judge],
  description: `${WHAT[judge]} Mean of the last 100 episodes.`,
}));

/** Episodes that references are measured on, as many as those of other worlds on tokens. */
const PLAYED = 64;
type Player = 'random' | 'expert' | 'novice' | 'one word' | 'one story';

/** What random words or a script write in each episode; null: a token that is no word. What is judged of it does not matter here. */
const texts = onceFor(({ words, split, mistakes, list }: Pick<Config, 'words' | 'split' | 'mistakes' | 'list'>, who: Player) =>
  Array.from({ length: PLAYED }, (_, seed): { readonly turn: string; readonly ended: boolean } | null => {
    if (who === 'one word') return { turn: ` ${storyWords(list)[0]}`.repeat(words), ended: false };
    // what the expert wrote to a prompt that is none of these
    const [told, how] = who === 'one story' ? [PLAYED, 'expert' as const] : [seed, who];
    const luck = new Xorshift(told + 1);
    if (how !== 'random') {
      const turn = turnOf({ words, split, mistakes }, promptOf(told).words, how, luck);
      return { turn, ended: storyWords(turn).length < words };
    }
    let turn = '';
    for (let i = 0; i < words; i++) {
      const id = luck.draw(STORY_TOKENS.names.length);
      if (id === EOS) return { turn, ended: true };
      if (id < EOS) return null;
      turn += STORY_TOKENS.textOf(id);
    }
    return { turn, ended: false };
  }),
);

const played = onceFor((c: Config, who: Player) => {
  const { words, split, mistakes, list } = c;
  return meanReturn(
    texts({ words, split, mistakes, list }, who).map((said, seed) =>
      said === null ? 0 : taskOf(c).talk(seed).play(said.turn, said.ended).reward,
    ),
  );
});

/** The better of two texts that are the same whatever the story is: below that nothing was learned of prompts. */
function unseenReference(c: Config) {
  const story = played(c, 'one story');
  const word = storyWords(c.list).length === 0 ? story : played(c, 'one word');
  const [best, words] =
    word.mean > story.mean ? [word, 'the first friendly word again and again'] : [story, 'one story, told to every prompt'];
  return { name: 'without looking', value: best.mean, source: sourceOf(best, words), stays: true } as const;
}

/** The start of methods on tokens that all presets of this world are for. */
const FROM_MODEL = { algo: 'group-rl', preset: 'stories', steps: 200_000, env: { split: 'train' }, evalEvery: 20_000 } as const;

export const wStories = defineTokenEnv<Config>({
  id: 'w-stories',
  title: 'Little stories',
  summary: 'Go on with a story in English, word by word. Judges read it: grammar, truth, rhymes, friendly words.',
  source: { title: 'Little stories with exact judges', authors: 'RL Workbench', year: 2026 },
  version: 1,
  config,
  vocabulary: STORY_TOKENS,
  terms: JUDGES.map((judge) => ({ id: judge, title: TITLES[judge], weights: [judge] })),
  measures,
  recommended: FROM_MODEL,
  presets: [
    { id: 'friendly', title: 'friendly stories', config: {} },
    { id: 'rhymes', title: 'stories that rhyme', config: { friendly: 0, rhyme: 1 } },
    { id: 'true', title: 'stories that hold together', config: { friendly: 0, truth: 1, words: 34 } },
    { id: 'short', title: 'six words', config: { friendly: 0, length: 1, target: 6 } },
    { id: 'many-words', title: 'no word twice', config: { friendly: 0, fresh: 1 } },
    { id: 'friendly-and-true', title: 'friendly and true', config: { truth: 0.5 } },
  ],
  references: (c) => [
    randomReference(played(c, 'random')),
    { name: 'novice', value: played(c, 'novice').mean, source: sourceOf(played(c, 'novice'), 'the same with some random words') },
    {
      name: 'expert',
      value: played(c, 'expert').mean,
      source: sourceOf(played(c, 'expert'), 'the scripted expert, which writes true stories whatever is paid'),
    },
    unseenReference(c),
  ],
  task: taskOf,
  question: (_, prompt) => `Go on with the story: ${storyWords(prompt).join(' ')}`,
});
