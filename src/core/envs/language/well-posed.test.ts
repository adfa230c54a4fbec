/** What makes a world on tokens a fair one: shortcuts that do not pay, nonsense that does not pay, experts within the settings, references. */
import { describe, expect, it } from 'vitest';
import { Xorshift } from '#math/xorshift.ts';
import { createActions, createBuffers } from '../api/buffers.ts';
import type { EnvEntry } from '../api/types.ts';
import { DEFAULT_GAME_KNOBS, feedback, firstFitting, type GameKnobs, type GameName, gameOf } from './lib/games.ts';
import { DEFAULT_KNOBS, itemOf, verify } from './lib/tasks.ts';
import { nameOf } from './lib/tokens.ts';
import { tHouse } from './t-house.ts';
import { tReason } from './t-reason.ts';
import { tSearch } from './t-search.ts';
import { tTalk } from './t-talk.ts';
import { tTools } from './t-tools.ts';
import { tTurns } from './t-turns.ts';

const referenceOf = (entry: EnvEntry, config: object, name: string) => {
  const found = entry.meta(config).references.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${entry.id} has no reference "${name}"`);
  return found;
};

describe('shortcuts', () => {
  it('counting brackets no longer tells whether they fit', () => {
    const even = (text: string): boolean => ['()', '[]'].every(([open, close]) => text.split(open!).length === text.split(close!).length);
    const share = (exchanged: boolean): number => {
      const items = Array.from({ length: 2000 }, (_, seed) =>
        itemOf('brackets', { ...DEFAULT_KNOBS, n: 6, mode: 'check', exchanged }, seed),
      );
      return items.filter(({ prompt, answer }) => even(prompt) === (answer === '1')).length / items.length;
    };
    expect(share(false)).toBe(1);
    expect(share(true)).toBeLessThan(0.8);
  });

  it('a lookup of any number of hops has four digits to choose from at least', () => {
    for (const [length, hops] of [
      [2, 1],
      [3, 3],
      [8, 8],
      [8, 2],
    ] as const) {
      const { value, source } = referenceOf(
        tReason,
        { task: 'lookup', length, hops, formatReward: 0, partialReward: 0 },
        'without looking',
      );
      expect(value, source).toBeLessThan(0.45);
    }
  });

  it('is named with what it earns: the straight way through a maze, a word that stands as it is', () => {
    expect(referenceOf(tReason, { task: 'maze', formatReward: 0, partialReward: 0 }, 'without looking').value).toBeCloseTo(0.73, 1);
    expect(referenceOf(tReason, { task: 'rewrite' }, 'without looking').source).toContain('the word as it stands');
  });
});

describe('a turn of the wrong form', () => {
  /** Return of one stray token. */
  function nonsense(entry: EnvEntry, config: object): number {
    const env = entry.create(config, 1);
    const buffers = createBuffers(env.meta, 1);
    const actions = createActions(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    actions[0] = 0;
    env.step(actions, buffers);
    expect(buffers.terminated[0]).toBe(1);
    return buffers.reward[0]!;
  }

  it('takes the price of every turn that was left, and nothing where turns are free', () => {
    expect(nonsense(tHouse, { price: 0.05, turns: 10 })).toBeCloseTo(-0.5);
    expect(nonsense(tSearch, { price: 0.1, lookups: 4 })).toBeCloseTo(-0.4);
    expect(nonsense(tTools, { price: 0.1, calls: 8 })).toBeCloseTo(-0.8);
    for (const talk of ['patient', 'twenty', 'customer']) expect(nonsense(tTalk, { talk, price: 0.05, turns: 6 })).toBeCloseTo(-0.3);
    for (const entry of [tHouse, tSearch, tTools, tTalk, tTurns]) expect(nonsense(entry, {})).toBe(0);
  });
});

describe('experts and verdicts', () => {
  function play(name: GameName, k: Partial<GameKnobs>, seed: number) {
    const game = gameOf(name, { ...DEFAULT_GAME_KNOBS, ...k }, seed);
    const luck = new Xorshift(seed);
    for (;;) {
      const turn = game.suggest('expert', luck);
      const found = game.play(turn, !game.ends(turn));
      if (found.done) return found;
    }
  }

  it('the calculator is used within its calls, and a right answer is solved whatever it cost', () => {
    for (const calls of [1, 2, 4])
      expect(play('calc', { calls, cost: 0.2 }, 3)).toMatchObject({ solved: 1, reward: 1 - 0.2 * Math.min(2, calls) });
    const game = gameOf('calc', { ...DEFAULT_GAME_KNOBS, calls: 3, cost: 0.2 }, 3);
    for (let call = 0; call < 3; call++) game.play('{1+1}', false);
    const answer = game.suggest('sensible', new Xorshift(1));
    const found = game.play(answer, true);
    expect([found.solved, found.reward]).toEqual([1, expect.closeTo(0.4)]);
  });

  it('a draw of noughts and crosses is not solved', () => {
    const results = Array.from({ length: 20 }, (_, seed) => play('tictactoe', { opp: 'perfect' }, seed));
    expect(results.every(({ reward, solved }) => reward === 0.5 && solved === 0)).toBe(true);
  });

  it('the word sought is the first that all marks allow, as trying every word finds it', () => {
    const [L, A] = [3, 5];
    const words = Array.from({ length: A ** L }, (_, i) => [2, 1, 0].map((k) => nameOf(Math.floor(i / A ** k) % A)).join(''));
    const luck = new Xorshift(5);
    for (let n = 0; n < 300; n++) {
      const secret = words[luck.draw(words.length)]!;
      const told = Array.from({ length: luck.draw(4) }, () => words[luck.draw(words.length)]!).map(
        (said) => [said, feedback(secret, said)] as const,
      );
      const wanted = words.find((word) => told.every(([said, marks]) => feedback(word, said) === marks));
      expect(firstFitting(L, A, told)).toBe(wanted);
    }
    expect(firstFitting(5, 10, [['abcde', '-----']])).toBe('fffff');
  });

  it('settings that nobody can solve are refused', () => {
    expect(() => tSearch.meta({ hops: 5, leastHops: 5, lookups: 4 })).toThrow(/lookups/);
    expect(() => tTools.meta({ apps: 5, jobs: 2, calls: 4 })).toThrow(/calls/);
  });
});

describe('rules of form', () => {
  const item = (task: Parameters<typeof itemOf>[0]) => itemOf(task, DEFAULT_KNOBS, 1);
  const format = (task: Parameters<typeof itemOf>[0], text: string) => verify(task, DEFAULT_KNOBS, item(task), text, true).format;

  it('an answer of letters has at most 16, a way at most 32', () => {
    for (const task of ['seq', 'rewrite', 'graph'] as const)
      expect([format(task, 'a'.repeat(16)), format(task, 'a'.repeat(17))]).toEqual([1, 0]);
    expect([format('brackets', ')'.repeat(16)), format('brackets', ')'.repeat(17))]).toEqual([1, 0]);
    expect([format('maze', 'u'.repeat(32)), format('maze', 'u'.repeat(33))]).toEqual([1, 0]);
  });

  it('a product is written as each digit of the first number times the second', () => {
    const knobs = { ...DEFAULT_KNOBS, da: 3, db: 2 };
    for (let seed = 0; seed < 50; seed++) {
      const { prompt, steps, answer } = itemOf('mul', knobs, seed);
      const parts = steps.split('+').map(Number);
      expect(parts).toHaveLength(3);
      expect(parts[0]).toBe(Number(prompt[2]) * Number(prompt.slice(4, 6)));
      expect(parts.reduce((a, b) => a + b, 0)).toBe(Number(answer));
    }
  });

  it('of several shortest ways through a graph the first in the alphabet is named, and each counts as right', () => {
    const knobs = { ...DEFAULT_KNOBS, n: 9, extra: 4 };
    let several = 0;
    for (let seed = 0; seed < 200; seed++) {
      const one = itemOf('graph', knobs, seed);
      const [edges = '', ends = ''] = one.prompt.slice(0, -1).split(';');
      const joined = new Set(edges.split(',').flatMap((e) => [e, e[1]! + e[0]!]));
      let ways = [ends[0]!];
      while (!ways.some((way) => way.endsWith(ends[2]!)))
        ways = ways.flatMap((way) => [...'abcdefghi'].filter((c) => joined.has(way.at(-1)! + c)).map((c) => way + c));
      const shortest = ways.filter((way) => way.endsWith(ends[2]!)).sort();
      expect(one.answer, one.prompt).toBe(shortest[0]);
      for (const way of shortest) expect(verify('graph', knobs, one, way, true).correct, way).toBe(1);
      if (shortest.length > 1) several++;
    }
    expect(several).toBeGreaterThan(10);
  });

  it('the calculator takes leading zeros and up to eight digits; answers are compared as text', () => {
    const call = (turn: string) => gameOf('calc', DEFAULT_GAME_KNOBS, 1).play(turn, false);
    expect(call('{007*03}')).toMatchObject({ text: '[21]', format: 1 });
    expect(call('{123456789+1}')).toMatchObject({ text: '[!]', format: 0 });
    expect(call('{5/3}')).toMatchObject({ text: '[!]', format: 0, done: false });
    const answer = (text: string) => gameOf('calc', DEFAULT_GAME_KNOBS, 1).play(text, true);
    for (const text of ['#00163', '#-0']) expect(answer(text)).toMatchObject({ format: 1, reward: 0, solved: 0 });
  });

  it('a number beyond the last secret is of the right form, and wrong', () => {
    expect(gameOf('twenty', DEFAULT_GAME_KNOBS, 1).play('999!', false)).toMatchObject({ format: 1, solved: 0, done: true });
  });
});

describe('references', () => {
  it('random is what uniform tokens earn; turns of the right form stand beside it', () => {
    expect(referenceOf(tTurns, {}, 'random').value).toBeLessThan(0.03);
    expect(referenceOf(tTurns, {}, 'random turns').value).toBeGreaterThan(0.2);
    const { value, source } = referenceOf(tReason, {}, 'random');
    expect(value).toBeGreaterThan(0);
    expect(value).toBeLessThan(0.01);
    expect(source).toMatch(/standard error/);
  });

  it('of the patient the best return is exact, and what the expert earns', () => {
    const { value, source } = referenceOf(tTalk, {}, 'expert');
    expect(source).toMatch(/exact/);
    expect(value).toBeGreaterThan(0.95);
    const config = tTalk.parse({});
    const env = tTalk.create(config, 256);
    const buffers = createBuffers(env.meta, 256);
    const actions = createActions(env.meta, 256);
    env.reset(
      Uint32Array.from({ length: 256 }, (_, i) => 77 + i),
      buffers,
    );
    const expert = tTalk.policies(config).expert!;
    let total = 0;
    const over = new Uint8Array(256);
    while (over.includes(0)) {
      expert.act(env, buffers, actions);
      env.step(actions, buffers);
      for (let row = 0; row < 256; row++) {
        if (over[row] === 1) continue;
        total += buffers.reward[row]!;
        over[row] = buffers.terminated[row]!;
      }
    }
    expect(Math.abs(total / 256 - value)).toBeLessThan(0.04);
  });

  it('are there at once for the longest words', () => {
    // a scan of 10^5 words at every token of 64 episodes would not end
    expect(referenceOf(tTurns, { game: 'wordle', length: 5, letters: 10, turns: 16 }, 'expert').value).toBeGreaterThan(0.9);
  });
});
