import { describe, expect, it } from 'vitest';
import { Xorshift } from '#math/xorshift.ts';
import { articleOf, FORMS, parse, read, sentencesOf } from './grammar.ts';
import { JUDGES, judged, type Told } from './judges.ts';
import { rhyme, rhymeOf } from './rhymes.ts';
import { liking, readTaste, type Taste } from './taste.ts';
import { STORY_TOKENS, storyIds, storyWord } from './vocabulary.ts';
import * as words from './words.ts';
import { goOn, looksHeldOut, opening, type StorySplit } from './writer.ts';

const split = (text: string): string[] => text.split(' ');

function story(
  seed: number,
  how: StorySplit = 'all',
  most = 34,
): { readonly start: readonly string[]; readonly more: readonly string[]; readonly heldOut: boolean } {
  const rng = new Xorshift(seed);
  const start = opening(rng);
  return { start: start.words, more: goOn(rng, start.words, { most, sentences: 6, split: how }), heldOut: start.heldOut };
}

/** The same grammar by another road: each form as one regular expression. */
const SLOT: { readonly [name: string]: readonly string[] } = {
  NAME: words.NAMES,
  OTHER: words.NAMES,
  WHO: [...words.NAMES, 'he', 'she'],
  WHOM: [...words.NAMES, 'him', 'her'],
  THING: words.THINGS,
  TOY: words.TOYS,
  FOOD: words.FOOD,
  ANIMAL: words.ANIMALS,
  PLACE: words.PLACES,
  IN: ['in', 'at', 'on', 'by'],
  LOOK: words.LOOK_WORDS,
  MOOD: words.MOODS,
  DID: words.DID,
  DO: words.TO_DO,
  LOVED: words.KIND_ACTS,
  HURT: words.UNKIND_ACTS,
  HOW: words.HOW,
  LINK: words.LINKS,
  DAYTIME: words.DAYTIMES,
  WEATHER: words.WEATHER,
  BED: words.FURNITURE,
};
const patterns = FORMS.map(({ text }) => {
  const said = text.split(' ').map((raw) => {
    const word = raw.replace(/[[\]]/g, '');
    const choice =
      word === 'a' ? '(?:a (?![aeiou])|an (?=[aeiou]))' : `(?:${(SLOT[word] ?? word.split('|')).join('|').replace('.', '\\.')}) `;
    return raw.startsWith('[') ? `(?:${choice})?` : choice;
  });
  return new RegExp(`^${said.join('')}$`);
});
const accepted = (sentence: readonly string[]): number => patterns.filter((pattern) => pattern.test(`${sentence.join(' ')} `)).length;

describe('the grammar', () => {
  it('accepts what the regular expressions of its forms accept, sentences and spoilt ones', () => {
    let [yes, no] = [0, 0];
    for (let seed = 0; seed < 150; seed++) {
      const { start, more } = story(seed);
      const luck = new Xorshift(seed + 7);
      for (const sentence of sentencesOf([...start, ...more])) {
        for (let change = 0; change < 4; change++) {
          const spoilt = [...sentence];
          const at = luck.draw(spoilt.length);
          if (change === 1) spoilt.splice(at, 1);
          if (change === 2) spoilt[at] = words.WORDS[luck.draw(words.WORDS.length)]!;
          if (change === 3) spoilt.splice(at, 0, spoilt[luck.draw(spoilt.length)]!);
          const ways = parse(spoilt).length;
          expect(ways > 0, spoilt.join(' ')).toBe(accepted(spoilt) > 0);
          if (ways > 0) yes++;
          else no++;
        }
      }
    }
    expect(yes).toBeGreaterThan(500);
    expect(no).toBeGreaterThan(500);
  });

  it.each([
    ['once there was an owl who lived in the park with lily .', true],
    ['once there was a owl who lived in the park with lily .', false],
    ['soon tom gave the ball to her .', true],
    ['tom gave ball to her .', false],
    ['they were very happy .', true],
    ['they was very happy .', false],
    ['happy happy happy .', false],
    ['.', false],
    ['tom smiled', false],
  ])('%s: %s', (text, is) => {
    expect(parse(split(text)).length > 0).toBe(is);
  });

  it('puts "an" before vowels', () => {
    expect(['apple', 'old', 'big', 'goat'].map(articleOf)).toEqual(['an', 'an', 'a', 'a']);
  });
});

describe('truth', () => {
  const START = 'one day lily and tom were in the garden . ';
  it.each([
    ['lily had a red ball . lily gave the ball to tom . he ate the ball .', [true, true, false]],
    ['tom gave the ball to lily .', [false]],
    ['lily had a red ball . the ball was blue . the ball was old .', [true, false, true]],
    ['lily went to the lake . lily hugged tom . tom went to the lake . lily hugged tom .', [true, false, true, true]],
    ['tom pushed lily . lily was happy . lily was sad . he hugged her . she was happy .', [true, false, true, true, true]],
    [
      'he smiled . she smiled . max smiled . max came to the lake . max came to the garden . max smiled .',
      [true, true, false, false, true, true],
    ],
    ['lily had a big cake . she ate the cake . she shared the cake with tom .', [true, true, false]],
    [
      'lily made a kite . lily broke the kite . they played with the kite . tom fixed the kite . they played with the kite .',
      [true, true, false, true, true],
    ],
    ['tom saw a big cow . the cow ran away . tom fed the cow . the dog ran .', [true, true, false, false]],
    ['tom was at the garden . tom was in the garden . tom was at the lake .', [false, true, false]],
    ['it was a sunny night . it was a sunny day . it was a rainy day .', [false, true, false]],
    [
      'lily had a cup . lily had a red cup . she put the cup on the bed . the cup was on the bed . the cup was on the rug . she dropped the cup .',
      [false, true, true, true, false, false],
    ],
  ])('%s', (text, wanted) => {
    const { state } = read(split(START.trim()));
    expect(sentencesOf(split(text)).map((sentence) => read(sentence, state).true === 1)).toEqual(wanted);
  });

  it('is what every written story has, in one reading of each sentence', () => {
    for (let seed = 0; seed < 300; seed++) {
      const { start, more } = story(seed);
      const text = [...start, ...more];
      expect(read(text)).toMatchObject({ parsed: sentencesOf(text).length, true: sentencesOf(text).length });
      for (const sentence of sentencesOf(text)) expect(parse(sentence)).toHaveLength(1);
    }
  });
});

describe('the writer', () => {
  it('writes the same story again, and others from other seeds', () => {
    expect(story(5)).toEqual(story(5));
    expect(new Set(Array.from({ length: 50 }, (_, seed) => story(seed).more.join(' '))).size).toBe(50);
  });

  it('says no sentence twice and keeps to its room', () => {
    for (let seed = 0; seed < 100; seed++) {
      const { start, more } = story(seed, 'all', 20);
      expect(start.length).toBeLessThanOrEqual(13);
      expect(more.length).toBeLessThanOrEqual(20);
      const said = sentencesOf(more).map((sentence) => sentence.join(' '));
      expect(new Set(said).size).toBe(said.length);
    }
  });

  it('holds out a tenth of the openings, and in training every look of a thing that is held out', () => {
    const all = Array.from({ length: 2000 }, (_, seed) => opening(new Xorshift(seed)));
    const share = all.filter(({ heldOut }) => heldOut).length / all.length;
    expect(share).toBeGreaterThan(0.06);
    expect(share).toBeLessThan(0.14);
    const looks = (how: StorySplit): number => {
      let found = 0;
      for (let seed = 0; seed < 400; seed++)
        for (const sentence of sentencesOf(story(seed, how).more)) if (looksHeldOut(parse(sentence)[0]!.slots)) found++;
      return found;
    };
    expect(looks('train')).toBe(0);
    expect(looks('all')).toBeGreaterThan(10);
  });
});

describe('rhymes', () => {
  it.each([
    ['cake', 'lake', true],
    ['tree', 'sea', true],
    ['there', 'bear', true],
    ['kate', 'gate', true],
    ['food', 'good', false],
    ['cake', 'cake', false],
    ['ball', 'bell', false],
    ['merry', 'cherry', true],
  ])('%s and %s: %s', (a, b, do_) => {
    expect(rhyme(a, b)).toBe(do_);
    expect(rhyme(b, a)).toBe(do_);
  });

  it('are an equivalence: every word of a class rhymes with all others of it alone', () => {
    const wrong = words.WORDS.flatMap((a) =>
      words.WORDS.filter((b) => rhyme(a, b) !== (a !== b && rhymeOf(a) !== null && rhymeOf(a) === rhymeOf(b))).map((b) => `${a} ${b}`),
    );
    expect(wrong).toEqual([]);
    expect(words.WORDS.filter((word) => rhymeOf(word) !== null).length).toBeGreaterThan(150);
  });
});

describe('judges', () => {
  const friendly = new Set(['happy', 'hugged']);
  const taste: Taste = { bias: 0, weights: new Map() };
  const scores = (answer: string, ended = true, prompt = 'one day lily and tom were by the sea .'): Record<string, number> => {
    const told: Told = { prompt: split(prompt), answer: answer === '' ? [] : split(answer), ended };
    const found = judged(told, { friendly, most: 10, target: 4, taste });
    return Object.fromEntries(JUDGES.map((judge, i) => [judge, Number(found[i]!.toFixed(4))]));
  };

  it.each([
    ['', { grammar: 0, truth: 0, rhyme: 0, friendly: 0, length: 0, fresh: 0 }],
    ['she hugged tom . tom was happy .', { grammar: 1, truth: 1, rhyme: 0, friendly: 0.2, length: 0.5, fresh: 0.8333 }],
    ['tom gave the ball to her . they ran .', { grammar: 1, truth: 0.5, rhyme: 0, friendly: 0, length: 0, fresh: 1 }],
    ['tom saw a green key . he ran . tom liked dan .', { grammar: 1, truth: 0.6667, rhyme: 0.6667, friendly: 0, fresh: 0.9 }],
    ['happy happy happy happy', { grammar: 0, truth: 0, rhyme: 0, friendly: 0.4, length: 1, fresh: 0.25 }],
  ])('%s', (answer, wanted) => {
    expect(scores(answer)).toMatchObject(wanted);
  });

  it('leave out a sentence that was cut off, and count one that ended too early', () => {
    expect(scores('tom smiled . she was very', false)).toMatchObject({ grammar: 1, truth: 1 });
    expect(scores('tom smiled . she was very', true)).toMatchObject({ grammar: 0.5, truth: 0.5 });
  });

  it('are 1 in grammar and truth for whatever the writer writes', () => {
    for (let seed = 0; seed < 100; seed++) {
      const { start, more } = story(seed);
      const [grammar, truth] = judged({ prompt: start, answer: more, ended: true }, { friendly, most: 34, target: 12, taste });
      expect([grammar, truth]).toEqual([1, 1]);
    }
  });
});

describe('the vocabulary', () => {
  it('holds every word of every form once, and no other', () => {
    const reached = new Set([
      'a',
      'an',
      '.',
      ...FORMS.flatMap(({ text }) =>
        text.split(' ').flatMap((raw) => SLOT[raw.replace(/[[\]]/g, '')] ?? raw.replace(/[[\]]/g, '').split('|')),
      ),
    ]);
    expect([...reached].filter((word) => !words.WORDS.includes(word))).toEqual([]);
    expect(words.WORDS.filter((word) => !reached.has(word))).toEqual([]);
    expect(new Set(words.WORDS).size).toBe(words.WORDS.length);
  });

  it('gives every word an id and back', () => {
    expect(storyIds(words.WORDS).map(storyWord)).toEqual(words.WORDS);
    expect(() => storyIds(['xylophone'])).toThrow('xylophone');
  });

  it('says the next word of a text on its way, never a part of one', () => {
    expect(STORY_TOKENS.next(' tom', ' tom smiled .')).toBe(storyIds(['smiled'])[0]);
    expect(STORY_TOKENS.next(' to', ' tom smiled .')).toBeNull();
    expect(STORY_TOKENS.next(' tom smiled .', ' tom smiled .')).toBeNull();
  });
});

describe('a judge that was fitted to marks', () => {
  const taste = readTaste('*:-1 hugged:1.5 lost:-2') as Taste;

  it('likes the words it was told to like, each of them three times at most', () => {
    const likes = (text: string): number => liking(taste, text.split(' '));
    expect(likes('they hugged .')).toBeCloseTo(1 / (1 + Math.exp(-0.5)), 12);
    expect(likes('they lost it .')).toBeLessThan(likes('they ran .'));
    expect(likes('hugged hugged hugged')).toBe(likes('hugged hugged hugged hugged'));
    expect(liking({ bias: 3, weights: new Map() }, ['hugged'])).toBe(0);
  });

  it.each(['hugged', 'hugged:', 'hugged:x', 'hugged:1000', 'zebrafish:1'])('says what is wrong with "%s"', (text) => {
    expect(readTaste(text)).toHaveProperty('fix');
  });
});
