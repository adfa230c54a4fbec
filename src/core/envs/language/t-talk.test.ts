/** Talks with a partner who hides something: what is told and what never is, what the best questions are, what counts as right, what is held out. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { flatConfig } from '#contract/run/flat-settings.ts';
import { Xorshift } from '#math/xorshift.ts';
import { createActions, createBuffers } from '../api/buffers.ts';
import { customer } from './lib/customer.ts';
import type { Talk } from './lib/define.ts';
import { isHeld, TALKS, type TalkConfig, type TalkName } from './lib/partners.ts';
import { bestPlay, CONDITIONS, patient, SYMPTOMS } from './lib/patient.ts';
import { thinker } from './lib/thinker.ts';
import { decode, encode } from './lib/tokens.ts';
import { tTalk } from './t-talk.ts';
import { tTurns } from './t-turns.ts';

const KINDS = { patient, twenty: thinker, customer };
/** As the rules read it: by flat names. */
const parse = (config: JsonObject): TalkConfig => flatConfig('t-talk', tTalk.parse(config) as JsonObject, true) as unknown as TalkConfig;
const begin = (c: TalkConfig, seed: number): Talk => KINDS[c.talk].begin(c, seed);
const seeds = (n: number): readonly number[] => Array.from({ length: n }, (_, seed) => seed);
const mean = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0) / list.length;

/** Plays a whole talk; every turn with what was said to it. */
function played(c: TalkConfig, seed: number, how: 'expert' | 'novice') {
  const talk = begin(c, seed);
  const luck = new Xorshift(seed + 1);
  const turns: { readonly turn: string; readonly text: string }[] = [];
  let [done, total, solved] = [false, 0, 0];
  while (!done) {
    const turn = talk.suggest(how, luck);
    const said = talk.play(turn, !talk.ends(turn));
    turns.push({ turn, text: said.text });
    total += said.reward;
    ({ done, solved } = said);
  }
  return { talk, turns, total, solved, questions: talk.measured?.()[0] };
}

/** Its condition, found by naming each. */
const conditionOf = (c: TalkConfig, seed: number): number =>
  CONDITIONS.findIndex((_, i) => begin(c, seed).play(String(i + 1), false).solved === 1);
const has = (condition: number, symptom: string): boolean => CONDITIONS[condition]!.includes(symptom);

describe('patient', () => {
  const clear = parse({ vagueness: 0, complaint: false });

  it('no symptom belongs to one condition alone, or to all but one; conditions have four each and differ', () => {
    expect(CONDITIONS.map((symptoms) => new Set(symptoms).size)).toEqual(new Array(8).fill(4));
    expect(new Set(CONDITIONS).size).toBe(8);
    expect([...SYMPTOMS].map((symptom) => CONDITIONS.filter((symptoms) => symptoms.includes(symptom)).length)).toEqual([
      6, 2, 4, 4, 6, 4, 2, 4,
    ]);
  });

  it('says of a symptom whether its condition has it, and nothing else: no one question or complaint gives it away', () => {
    const told = new Map<string, Set<number>>();
    for (const seed of seeds(400)) {
      const condition = conditionOf(clear, seed);
      for (const symptom of SYMPTOMS) {
        const { text } = begin(clear, seed).play(symptom, false);
        expect(text).toBe(has(condition, symptom) ? 'y' : 'n');
        told.set(symptom + text, (told.get(symptom + text) ?? new Set()).add(condition));
      }
      const { prompt } = begin({ ...clear, complaint: true }, seed);
      expect(has(conditionOf({ ...clear, complaint: true }, seed), prompt[1]!)).toBe(true);
      told.set(prompt, (told.get(prompt) ?? new Set()).add(condition));
    }
    expect(told.size).toBe(24);
    for (const conditions of told.values()) expect(conditions.size).toBeGreaterThanOrEqual(2);
  });

  it('is vague about a symptom or is not, however often it is asked, and never about its complaint', () => {
    const c = parse({ vagueness: 0.3 });
    const replies = seeds(500).flatMap((seed) => {
      const talk = begin({ ...c, turns: 12 }, seed);
      return [...SYMPTOMS].map((symptom) => {
        const [once, again] = [begin(c, seed).play(symptom, false).text, talk.play(symptom, false).text];
        expect(again).toBe(once);
        if (symptom === talk.prompt[1]) expect(once).toBe('y');
        return symptom === talk.prompt[1] ? null : once;
      });
    });
    const others = replies.filter((text) => text !== null);
    expect(mean(others.map((text) => (text === '.' ? 1 : 0)))).toBeCloseTo(0.3, 1);
  });

  it('no more than 2^q of 8 are told apart by q clear answers, and the expert tells as many', () => {
    for (let q = 0; q <= 4; q++) {
      const c = { ...clear, turns: q + 1 };
      const solved = new Map(seeds(200).map((seed) => [conditionOf(c, seed), played(c, seed, 'expert')]));
      expect(solved.size).toBe(8);
      expect(mean([...solved.values()].map((talk) => talk.solved))).toBe(Math.min(1, 2 ** q / 8));
      for (const { questions } of solved.values()) expect(questions).toBe(Math.min(q, 3));
    }
  });

  /** Fewest questions on average until one of `left` remains, over all trees of questions; by plain recursion on the table. */
  function fewest(left: readonly number[]): number {
    if (left.length === 1) return 0;
    const costs = [...SYMPTOMS].flatMap((symptom) => {
      const parts = [true, false].map((yes) => left.filter((i) => has(i, symptom) === yes));
      if (parts.some((part) => part.length === 0)) return [];
      return [1 + parts.reduce((sum, part) => sum + (part.length / left.length) * fewest(part), 0)];
    });
    return Math.min(...costs);
  }

  it('after each complaint the expert asks as few questions as can be, at least their information', () => {
    const c = parse({ vagueness: 0, turns: 12 });
    for (const complaint of SYMPTOMS) {
      const left = CONDITIONS.flatMap((_, i) => (has(i, complaint) ? [i] : []));
      const talks = new Map(
        seeds(600)
          .filter((seed) => begin(c, seed).prompt === `p${complaint}:`)
          .map((seed) => [conditionOf(c, seed), played(c, seed, 'expert')]),
      );
      expect([...talks.keys()].sort()).toEqual(left);
      const asked = mean([...talks.values()].map(({ questions }) => questions ?? 0));
      expect(asked).toBeCloseTo(fewest(left), 9);
      expect(asked).toBeGreaterThanOrEqual(Math.log2(left.length) - 1e-9);
      expect([...talks.values()].every(({ solved }) => solved === 1)).toBe(true);
    }
  });

  it.each([
    { vagueness: 0.3, price: 0, turns: 5 },
    { vagueness: 0.5, price: 0.06, turns: 9 },
  ])('the expert earns what its plan foresees: %o', (knobs) => {
    const c = parse({ ...knobs, complaint: false });
    const foreseen = bestPlay(c)(0, c.turns, 255).value;
    const found = mean(seeds(4000).map((seed) => played(c, seed, 'expert').total));
    expect(Math.abs(found - foreseen)).toBeLessThan(0.025);
    // one question less is worth less, and no plan beats what the answers hold
    expect(bestPlay(c)(0, 2, 255).value).toBeLessThan(foreseen);
    expect(foreseen).toBeLessThan(1);
  });

  it('a question costs its price and nothing else; a wrong name and a late one score nothing; what is no turn pays for all that were left', () => {
    const c = parse({ vagueness: 0, price: 0.05, turns: 3 });
    const right = String(conditionOf(c, 7) + 1);
    const wrong = right === '1' ? '2' : '1';
    const talk = begin(c, 7);
    expect(talk.play('a', false)).toMatchObject({ reward: -0.05, done: false });
    expect(talk.play(right, false)).toEqual({ text: '', done: true, reward: 1, format: 1, solved: 1 });
    expect(begin(c, 7).play(wrong, false)).toMatchObject({ reward: 0, done: true, solved: 0, format: 1 });
    const late = begin(c, 7);
    expect(['a', 'c', 'd'].map((turn) => late.play(turn, false).done)).toEqual([false, false, true]);
    for (const turn of ['9', '0', 'i', '?']) expect(begin(c, 7).play(turn, false)).toMatchObject({ done: true, format: 0 });
    for (const turn of ['', 'a', right]) expect(begin(c, 7).play(turn, true)).toMatchObject({ done: true, solved: 0, format: 0 });
    expect(begin(c, 7).play('9', false).reward).toBeCloseTo(-0.15);
  });
});

describe('twenty', () => {
  const c = parse({ talk: 'twenty', distractors: 0 });
  /** A seed of each number. */
  const ofNumbers = new Map(seeds(2000).map((seed) => [thinker.structure(c, seed).first, seed]));

  it('of 64 numbers q questions find 2^q, and six find all', () => {
    expect(ofNumbers.size).toBe(64);
    for (let q = 0; q <= 7; q++) {
      const talks = [...ofNumbers.values()].map((seed) => played({ ...c, turns: q + 1 }, seed, 'expert'));
      expect(talks.filter(({ solved }) => solved === 1)).toHaveLength(Math.min(64, 2 ** q));
      expect(talks.every(({ questions }) => questions === Math.min(q, 6))).toBe(true);
    }
  });

  it('is the game of t-turns, token by token', () => {
    const both = [
      [tTalk, { talk: 'twenty', attributes: 3, turns: 4 }],
      [tTurns, { game: 'twenty', turns: 4 }],
    ] as const;
    const rows = both.map(([entry, config]) => {
      const env = entry.create(config, 20);
      const buffers = createBuffers(env.meta, 20);
      const actions = createActions(env.meta, 20);
      env.reset(Uint32Array.from(seeds(20)), buffers);
      return [...'d?b?a?c?'].map((character) => {
        actions.fill(encode(character)[0]!);
        env.step(actions, buffers);
        const { obsSize } = env.meta;
        return Array.from({ length: 20 }, (_, row) => [
          decode(buffers.obs.slice(row * obsSize, (row + 1) * obsSize)),
          buffers.reward[row],
          buffers.terminated[row],
        ]);
      });
    });
    expect(rows[0]).toEqual(rows[1]);
  });
});

describe('customer', () => {
  const c = parse({ talk: 'customer', turns: 12 });
  const wishOf = (config: TalkConfig, seed: number) => customer.structure(config, seed);

  it('answers with the kind that is wanted; one order of 64 is right', () => {
    for (const seed of seeds(20)) {
      const { first } = wishOf(c, seed);
      const talk = begin(c, seed);
      expect([...'abc'].map((item) => talk.play(item, false).text).join('')).toBe(first);
      const orders = Array.from({ length: 64 }, (_, i) => [i >> 4, (i >> 2) % 4, i % 4].join(''));
      expect(orders.filter((order) => begin(c, seed).play(order, false).solved === 1)).toEqual([first]);
    }
    expect(begin(c, 1).play('400', false)).toMatchObject({ done: true, format: 0 });
    expect(begin(c, 1).play('d', false)).toMatchObject({ done: true, format: 0 });
    expect(begin(c, 1).play('12', true)).toMatchObject({ done: true, format: 0 });
  });

  it('wants something, and resists what it is asked first where it resists', () => {
    const stubborn = { ...c, resistance: 1, upfront: 1 };
    for (const seed of seeds(50)) {
      const { first } = wishOf(stubborn, seed);
      expect(first).not.toBe('000');
      const talk = begin(stubborn, seed);
      expect(talk.prompt).toBe(`sa${first[0]}:`);
      expect([...'abbcca'].map((item) => talk.play(item, false).text).join('')).toBe(`${first[0]}.${first[1]}.${first[2]}${first[0]}`);
      expect(played(stubborn, seed, 'expert')).toMatchObject({ solved: 1, questions: 4 });
    }
    const half = { ...c, resistance: 0.5 };
    expect(mean(seeds(300).map((seed) => (begin(half, seed).play('b', false).text === '.' ? 1 : 0)))).toBeCloseTo(0.5, 1);
  });

  it('changes its mind once, about what it has told, and says so; the order must be what it wants then', () => {
    const wavering = { ...c, changes: 1 };
    const whenSaid = new Set<number>();
    for (const seed of seeds(200)) {
      const { first, last } = wishOf(wavering, seed);
      expect([...first].filter((kind, i) => kind !== last[i])).toHaveLength(1);
      expect(begin(wavering, seed).play(first, false).solved).toBe(1); // nothing was said yet
      expect(begin(wavering, seed).play(last, false).solved).toBe(0);
      const told = new Set<string>();
      const talk = begin(wavering, seed);
      const replies = [...'cabcab'].map((item, i) => {
        told.add(item);
        const { text } = talk.play(item, false);
        const [, changed, kind] = /!(.)(\d)$/.exec(text) ?? [];
        if (changed === undefined) return '';
        whenSaid.add(i);
        expect(told.has(changed)).toBe(true);
        expect(last['abc'.indexOf(changed)]).toBe(kind);
        expect(text[0]).toBe(first['abc'.indexOf(item)]);
        return text;
      });
      expect(replies.filter((text) => text !== '')).toHaveLength(1);
      expect(talk.play(seed % 2 === 0 ? last : first, false).solved).toBe(seed % 2 === 0 ? 1 : 0);
      expect(played({ ...wavering, resistance: 0.5 }, seed, 'expert').solved).toBe(1);
    }
    expect([...whenSaid].sort()).toEqual([0, 1, 2]);
    // one who has said everything at once does not change
    const all = { ...wavering, upfront: 3 };
    expect(seeds(50).every((seed) => wishOf(all, seed).first === wishOf(all, seed).last)).toBe(true);
  });

  it('with too few questions the rest is guessed: one of four kinds for each item not told', () => {
    const short = { ...c, turns: 2 };
    const solved = mean(seeds(3000).map((seed) => played(short, seed, 'expert').solved));
    expect(Math.abs(solved - 1 / 16)).toBeLessThan(0.015);
  });
});

describe.each(TALKS)('%s', (talk: TalkName) => {
  const c = parse({ talk, turns: 12, vagueness: 0.4, resistance: 0.4, changes: 0.5 });

  it('what trains neither begins nor ends with what is held out, about a tenth', () => {
    const kind = KINDS[talk];
    const of = (split: 'train' | 'held-out') => seeds(2000).filter((seed) => isHeld(kind, { ...c, split }, seed));
    const [train, held] = [of('train'), of('held-out')];
    const unseen = new Set(held.map((seed) => kind.structure(c, seed).last));
    for (const seed of train) {
      const { first, last } = kind.structure(c, seed);
      expect(unseen.has(first) || unseen.has(last)).toBe(false);
    }
    expect(held.length / 2000).toBeGreaterThan(0.03);
    expect(held.length / 2000).toBeLessThan(0.2);
    expect(train.length / 2000).toBeGreaterThan(0.7);
    if (talk !== 'customer') expect(train.length + held.length).toBe(2000);
  });

  it('the picture keeps what is hidden face down to the end, and shows what could still be', () => {
    const { items } = KINDS[talk].picture(c);
    const width = items.filter((item) => item.kind !== 'sign').length;
    for (const seed of seeds(40)) {
      const state = begin(c, seed);
      const out = new Float32Array(width);
      const luck = new Xorshift(seed);
      for (let done = false; !done; ) {
        state.draw?.('', out);
        expect([...out.slice(0, -2)].filter((face) => face === -2)).toHaveLength(talk === 'customer' ? c.items : 1);
        const turn = state.suggest('novice', luck);
        ({ done } = state.play(turn, !state.ends(turn)));
      }
      state.draw?.('', out);
      expect(out.includes(-2)).toBe(false);
      expect([...out.slice(-2)]).toEqual([...(state.measured?.() ?? [])]);
      const cards = [...out.slice(0, talk === 'twenty' ? 64 : 8)].filter((face) => face !== -1);
      if (talk !== 'customer') expect(cards).toHaveLength(out.at(-1)!);
      // the hidden thing is never ruled out
      if (talk !== 'customer') expect(cards).toContain(out.at(-3));
    }
  });

  it('the more mistakes, the less is found', () => {
    const found = [0, 0.2, 0.5, 1].map((mistakes) => mean(seeds(300).map((seed) => played({ ...c, mistakes }, seed, 'novice').solved)));
    const expert = mean(seeds(300).map((seed) => played(c, seed, 'expert').solved));
    expect(found[0]).toBe(expert);
    expect(expert).toBeGreaterThan(0.8);
    for (let i = 1; i < found.length; i++) expect(found[i - 1]! - found[i]!).toBeGreaterThan(0.05);
  });
});

it('in tokens a talk stands in one row, and settings that cannot be are refused', () => {
  const env = tTalk.create({ talk: 'customer', turns: 6, items: 2, changes: 1 }, 1);
  const buffers = createBuffers(env.meta, 1);
  const actions = createActions(env.meta, 1);
  env.reset(Uint32Array.of(3), buffers);
  const seed = Number(env.meta.state.toJSON(env.save(0)).seed);
  const { first, last } = customer.structure(parse({ talk: 'customer', items: 2, changes: 1 }), seed);
  for (const id of encode(`ab${last}`)) {
    actions[0] = id;
    env.step(actions, buffers);
  }
  const changed = first[0] === last[0] ? `b${last[1]}` : `a${last[0]}`;
  expect([`s:a${first[0]}!${changed}b${first[1]}${last}`, `s:a${first[0]}b${first[1]}!${changed}${last}`]).toContain(decode(buffers.obs));
  expect([buffers.terminated[0], buffers.reward[0]]).toEqual([1, 1]);
  expect(() => tTalk.meta({ talk: 'customer', items: 2, upfront: 3 })).toThrow(/2 items 3 cannot be told/);
  expect(() => tTalk.meta({ vagueness: 0, complaint: false, split: 'held-out' })).toThrow(/Eight patients/);
  expect(() => tTalk.meta({ talk: 'twenty', attributes: 1, split: 'held-out' })).toThrow(/none of the first/);
});
