import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromBase45, toBase45 } from '#contract/kit/bytes.ts';
import { LabError } from '#contract/kit/errors.ts';
import { type JsonObject, mergeJson } from '#contract/kit/json.ts';
import { decodeCode, encodeCode, LONGEST_CODE, packJson, spelled, unpackJson } from '#contract/link/code.ts';
import type { SeedResult } from '#contract/run/events.ts';
import { completeRun } from '#core/run/loaded.ts';
import { trainSeeds } from '#core/testing/seeds.ts';
import type { Lesson } from './define.ts';
import { lessons } from './index.ts';
import { claimedOutcome, countedArms, decodeResult, differs, encodeResult, resultSteps, saltOf, seedOfSeat, strangerTo } from './result.ts';

const failureOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof LabError) return error.failure.id;
    throw error;
  }
  return 'none';
};

test('any bytes come back from their code, in both writings, whatever follows them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: LONGEST_CODE }), (bytes) => {
      const code = encodeCode(bytes);
      expect(code).toMatch(/^RL1:[0-9A-Z $%*+\-./:]*$/);
      expect(spelled(code)).not.toMatch(/[ *]/);
      for (const text of [code, spelled(code).toLowerCase(), `${spelled(code)} and a word`])
        expect([...decodeCode(text)]).toEqual([...bytes]);
    }),
  );
});

test('the examples of RFC 9285', () => {
  for (const [text, code] of [
    ['AB', 'BB8'],
    ['Hello!!', '%69 VD92EX0'],
    ['base-45', 'UJCLQE7W581'],
    ['ietf!', 'QED8WEX0'],
  ] as const) {
    expect(toBase45(new TextEncoder().encode(text))).toBe(code);
    expect(new TextDecoder().decode(fromBase45(code) ?? undefined)).toBe(text);
  }
  expect(fromBase45('FGW')).toEqual(Uint8Array.of(255, 255));
  for (const bad of ['GGW', ':::', 'A', 'ab1']) expect(fromBase45(bad)).toBeNull();
});

test('a code that was cut, changed or is no code says so; random text never does anything else', () => {
  const code = spelled(encodeCode(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)));
  for (let cut = 4; cut < code.length; cut++) expect(failureOf(() => decodeCode(code.slice(0, cut)))).toBe('link-damaged');
  for (let at = 4; at < code.length; at++) {
    const other = code[at] === 'A' ? 'B' : 'A';
    expect(failureOf(() => decodeCode(code.slice(0, at) + other + code.slice(at + 1)))).toBe('link-damaged');
  }
  expect(failureOf(() => decodeCode('hello'))).toBe('link-foreign');
  expect(failureOf(() => decodeCode('RL2:ABC'))).toBe('link-future');
  expect(failureOf(() => encodeCode(new Uint8Array(LONGEST_CODE + 1)))).toBe('link-too-long');
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(['link-damaged', 'link-foreign', 'link-future']).toContain(failureOf(() => decodeResult(`RL1:${text}`, lessons)));
    }),
  );
});

test('JSON that would become large is refused', () => {
  const map = Array.from({ length: 32 }, () => '.'.repeat(32));
  expect(unpackJson(packJson([map, 0.1]))).toEqual([map, 0.1]);
  expect(failureOf(() => unpackJson(packJson(['a'.repeat(20_000)])))).toBe('link-damaged');
});

async function finished(lesson: Lesson, step: number, change: JsonObject, seedStart: number) {
  const arms = countedArms(lesson.steps[step]!);
  const configs = arms.map((arm) => {
    const own = mergeJson(mergeJson({ v: 1, ...lesson.config }, arm.config), change);
    return completeRun(mergeJson(own, { run: { seedStart } }));
  });
  const results: (readonly SeedResult[])[] = [];
  for (const config of configs) results.push(await trainSeeds(config));
  return { configs, results };
}

test('a result comes back whole; a run gives its claims again, and no other claims', { timeout: 60_000 }, async () => {
  const lesson = lessons.find(({ id }) => id === 'bandit')!;
  const step = 4;
  const salt = saltOf('K7Q2')!;
  const seedStart = seedOfSeat(salt, 12);
  const change = { algo: { config: { epsilon: 0, initialValue: 2 } } };
  const { configs, results } = await finished(lesson, step, change, seedStart);
  const answers = { 1: 1, 2: [0, 0.25, 0.5, 0.75, 1] };
  const code = encodeResult({ lesson, step, salt, seat: 12, configs, results, met: [4], answers });
  expect(code.length).toBeLessThan(200);
  const back = decodeResult(spelled(code), lessons);
  expect(back).toMatchObject({ lesson, salt, seat: 12, step, seedStart, met: [4], values: [0, null, 5000, 0.1, 2] });
  expect(back.answers[1]).toBe(1);
  expect(back.answers[2]).toHaveLength(5);
  expect((back.answers[2] as readonly number[])[1]).toBeCloseTo(0.25, 2);
  expect(claimedOutcome(back.claimed[0]!, 'finalReturn').every(({ finalReturn }) => (finalReturn ?? 0) > 0.95)).toBe(true);
  for (const [i, seed] of results[0]!.entries()) {
    expect(differs(back.claimed[0]![i]!, seed, 'finalReturn')).toBeNull();
    expect(differs({ ...back.claimed[0]![i]!, value: Math.fround(1.01) }, seed, 'finalReturn')).toMatch(/claims 1.01, the run gives/);
    expect(differs({ ...back.claimed[0]![i]!, learned: (back.claimed[0]![i]!.learned + 1) % 256 }, seed, 'finalReturn')).toMatch(
      /what was learned/,
    );
  }
  expect(
    failureOf(() =>
      decodeResult(
        code,
        lessons.filter(({ id }) => id !== 'bandit'),
      ),
    ),
  ).toBe('link-foreign');
  expect(failureOf(() => decodeResult(code, [{ ...lesson, version: 2 }]))).toBe('link-future');
});

test('the largest code of a lesson, two runs of ten seeds on a drawn map, is still one that a camera reads', () => {
  const lesson = lessons.find(({ id }) => id === 'cliff')!;
  const [step] = resultSteps(lesson);
  const map = ['..........', '.C..C..C.C', 'S..CC....G', '..C.......', 'CCCCCCCCCC'];
  const configs = countedArms(lesson.steps[step!]!).map((arm) =>
    completeRun(mergeJson(mergeJson({ v: 1, ...lesson.config }, arm.config), { env: { config: { map } } })),
  );
  const seed: SeedResult = {
    seed: 1,
    finalReturn: -17.25,
    evalReturn: -13,
    evalLoops: 0,
    perAgent: [],
    steps: 30_000,
    seconds: 0,
    stepsPerSecond: 0,
    parameterHash: 'ab12ab12ab12ab12',
  };
  const results = configs.map(() => Array.from({ length: 10 }, () => seed));
  const code = encodeResult({ lesson, step: step!, salt: 1, seat: 30, configs, results, met: [step!], answers: { 1: 1, 3: -100 } });
  expect(code.length).toBeLessThanOrEqual(311); // version 10, medium correction, capitals and digits
  expect(decodeResult(code, lessons).values).toEqual([map]);
});

test('seats of a class have seeds of their own; every lesson has a step that gives a result', () => {
  const salt = saltOf('K7Q2')!;
  const seeds = Array.from({ length: 40 }, (_, i) => seedOfSeat(salt, i + 1)).sort((a, b) => a - b);
  expect(seeds.slice(1).every((seed, i) => seed - seeds[i]! > 20)).toBe(true);
  expect(saltOf('k7')).toBeNull();
  for (const lesson of lessons) expect(resultSteps(lesson).length, lesson.id).toBeGreaterThan(0);
});

test('a code without a class is no result of a seat, and one of a class only under its own seat', () => {
  const [salt, other] = [saltOf('K7Q2')!, saltOf('K7Q3')!];
  const own = { salt, seat: 9, seedStart: seedOfSeat(salt, 9) };
  expect(strangerTo(salt, own)).toBeNull();
  expect(strangerTo(other, own)).toMatchObject({ forged: false });
  expect(strangerTo(salt, { ...own, seat: 10 })).toMatchObject({ forged: true });
  const alone = { salt: 0, seat: 0, seedStart: 1 };
  expect(strangerTo(0, alone)).toBeNull();
  expect(strangerTo(salt, alone)).toEqual({ forged: false, why: 'made without the class' });
  for (const seat of [9, 10, 11]) expect(strangerTo(salt, { ...alone, seat })).toMatchObject({ forged: true });
});
