/** Laws of the papers: files and lines of the index, seeds apart, configs that can be, the list of 184, ids that stay valid. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { experiments } from '#claims/experiments/index.ts';
import { armConfig, FIRST_REPORTED_SEED, ruleHash } from '#contract/papers/papers.ts';
import { isGuess, type Source } from '#contract/papers/source.ts';
import { completeRun } from '#core/run/loaded.ts';
import { aliases } from './aliases.ts';
import { claimPaper } from './claim.ts';
import { definePaper } from './define.ts';
import { comparisons, listed, longer, paperLines, paperOf } from './index.ts';
import list from './list.json' with { type: 'json' };
import { judgedPapers, papers } from './papers/index.ts';

const claims = experiments.flatMap((card) => claimPaper(card) ?? []);

test('every file is listed once, by number, under its own id', () => {
  const files = readdirSync('src/claims/papers').filter((name) => /^p\d{3}-.*\.ts$/.test(name));
  expect(papers.map(({ id }) => id)).toEqual(files.map((file) => file.slice(0, 4).toUpperCase()).sort());
});

test('a paper has a quick form or says why there is none', () => {
  for (const { id, quick, noQuick } of [...judgedPapers, ...comparisons]) {
    expect(quick === null, id).toBe(noQuick !== '');
    expect(noQuick, id).not.toMatch(/\.$|^[A-Z]/);
  }
});

test('a paper says what was claimed, what it was checked against, and what differs here', () => {
  for (const { id, claim, source, differs, published, contrasts, arms } of judgedPapers) {
    expect(claim, id).toMatch(/^[A-Z].{40,}\.$/);
    expect(source, id).not.toBeNull();
    expect(differs.length, id).toBeGreaterThan(0);
    expect(differs.length, id).toBeLessThanOrEqual(3);
    for (const point of differs) expect(point.length, `${id}: ${point}`).toBeLessThanOrEqual(110);
    if (published !== null)
      expect(
        [...contrasts, ...arms].map((one) => one.id),
        id,
      ).toContain(published.of);
  }
  for (const { id, claim, sign } of comparisons) expect([claim, sign], id).toEqual(['', null]);
});

describe('the list', () => {
  test('holds 184 papers from P001 to P184, each with tier, topics, an idea, and what it waits for while it is not built', () => {
    expect(listed.map(({ id }) => id)).toEqual(Array.from({ length: 184 }, (_, i) => `P${String(i + 1).padStart(3, '0')}`));
    for (const { id, tier, topics, idea, waitsFor } of listed) {
      expect([1, 2, 3, 4], id).toContain(tier);
      expect(topics.length, id).toBeGreaterThan(0);
      expect(idea, id).toMatch(/\.$/);
      expect(waitsFor.length === 0, id).toBe(paperOf(id) !== undefined);
    }
  });

  test('a piece is one that a planned paper waits for, and is explained', () => {
    const waited = new Set(list.papers.flatMap(({ waitsFor }) => waitsFor));
    expect([...waited].sort()).toEqual(Object.keys(list.pieces).sort());
  });

  test('a paper file says the title of the list', () => {
    for (const paper of papers) expect(listed.find(({ id }) => id === paper.id)?.title).toBe(paper.title);
  });

  test('one line each: planned, open before its runs, then what they say', () => {
    const lines = paperLines(() => undefined);
    expect(lines).toHaveLength(184);
    expect(lines[0]).toMatchObject({ type: 'paper', id: 'P001', tier: 3, outcome: 'planned' });
    expect(lines.find(({ id }) => id === 'P033')?.outcome).toBe('open');
    expect(lines.filter(({ outcome }) => outcome === 'planned')).toHaveLength(184 - papers.length);
    for (const line of lines)
      expect(Object.keys(line), line.id).toEqual(expect.arrayContaining(['form', 'tested', 'outcome', 'found', 'confirmed']));
    expect(lines.find(({ id }) => id === 'P060')).toMatchObject({
      form: 'idea',
      tested: null,
      outcome: null,
      found: null,
      confirmed: null,
    });
    expect(lines.find(({ id }) => id === 'P059')).toMatchObject({ form: 'dose', tested: 'our question', outcome: 'open' });
  });
});

test.each([...judgedPapers, ...comparisons, ...longer, ...claims].map((paper) => [paper.id, paper] as const))(
  '%s can be run on seeds it was not tuned on',
  (_, paper) => {
    for (const arm of paper.arms) {
      const config = completeRun(armConfig(paper, arm));
      expect(config.run.steps).toBeGreaterThan(0);
    }
    expect(paper.tunedOn === null || paper.tunedOn[1] < FIRST_REPORTED_SEED).toBe(true);
    if (paper.id.startsWith('P'))
      for (const text of [paper.question, paper.idea, paper.scaledDown, paper.dishonest, paper.next]) expect(text).toMatch(/[.?]$/);
  },
);

test('every claim of an experiment is a paper of its own id', () => {
  expect(claims.map(({ id }) => id)).toEqual(experiments.filter(({ expect: rule }) => rule !== undefined).map(({ id }) => id));
  expect(claims.length).toBeGreaterThanOrEqual(52);
});

test('a longer form asks the same of as many times the steps, in every arm, under an id and a rule of its own', () => {
  expect(longer.length).toBeGreaterThan(0);
  for (const form of longer) {
    const paper = paperOf(form.id.replace(/-full$/, ''))!;
    expect(form.contrasts).toEqual(paper.contrasts);
    expect(ruleHash(form)).not.toBe(ruleHash(paper));
    paper.arms.forEach((arm, i) => {
      const { steps } = completeRun(armConfig(paper, arm)).run;
      expect(completeRun(armConfig(form, form.arms[i]!)).run.steps, `${form.id} ${arm.id}`).toBe(steps * paper.longer!.times);
    });
    expect(paperOf(form.id)).toBe(form);
  }
});

describe('definePaper refuses what could not be judged', () => {
  const { exempt: _, ...card } = paperOf('P015')!;
  const told = { ...card, source: { guess: { searches: ['none'] } } };
  const [contrast] = told.contrasts;
  test.each([
    [{ id: 'Paper 1' }, 'id'],
    [{ arms: [told.arms[0]!, told.arms[0]!] }, 'named twice'],
    [{ contrasts: [{ ...contrast, id: 'x', kind: 'level', arm: 'nobody', none: 0 }] }, 'no arm "nobody"'],
    [{ contrasts: [{ id: 's', kind: 'slope', arms: ['ppo', 'sac'], x: [1], claim: 'above' }] }, 'swept number'],
    [{ contrasts: [{ id: 's', kind: 'slope', arms: ['ppo', 'sac'], x: [1, 2], over: ['ppo'], claim: 'above' }] }, 'both sides'],
    [{ contrasts: [{ id: 's', kind: 'cells', cells: [['ppo', 'sac']], of: 2, claim: 'above' }] }, 'a number of them'],
    [{ contrasts: [{ id: 's', kind: 'cells', cells: [['ppo', 'sac']], of: 1, units: [], claim: 'above' }] }, 'a unit for each place'],
    [{ contrasts: [{ id: 'd', kind: 'difference', arm: 'ppo', over: 'sac', claim: 'above', size: -1 }] }, 'must lie above'],
    [{ contrasts: [{ id: 'd', kind: 'difference', arm: 'ppo', over: 'sac', claim: 'above' }] }, 'needs a size'],
    [{ tunedOn: [1, FIRST_REPORTED_SEED] }, 'seeds below'],
    [{ quantity: { title: 'kept', tasks: 'kept' } }, 'one block of the run'],
    [{ claim: '' }, 'what its abstract claims'],
    [{ source: null }, 'checked against'],
    [{ differs: [] }, 'what differs here'],
    [{ differs: ['a', 'b', 'c', 'd'] }, 'more than three points'],
    [{ published: { value: 1, text: 'one', of: 'nothing' } }, 'neither an arm nor a contrast'],
  ] as const)('%j', (more, why) => {
    expect(() => definePaper({ ...told, ...(more as object) })).toThrow(why);
  });
});

test('what was tested follows from what a card was checked against and what it leaves out', () => {
  const told = paperOf('P021')!;
  const read: Source = { read: 'The authors’ code.', table: [{ of: 'loss.py', ours: 'src/core/algos/value/dqn.ts', state: 'kept' }] };
  const guess: Source = { guess: { searches: ['its title, among public code'] } };
  const label = (source: Source, more: { leftOut?: string; sign?: 'ours' } = {}) => definePaper({ ...told, source, ...more }).tested;
  expect(label(read)).toEqual({ label: 'the method', why: '' });
  expect(label(read, { leftOut: 'One world.' })).toEqual({ label: 'a reduced method', why: 'One world.' });
  expect(label(guess, { leftOut: 'One world.' }).label).toBe('our guess');
  expect(label(read, { sign: 'ours' }).label).toBe('our question');
  expect(() => label(read, { leftOut: ' ' })).toThrow('must be named');
  for (const { id, source, sign, tested } of judgedPapers) {
    expect(tested.why === '', id).toBe(tested.label === 'the method');
    if (isGuess(source)) expect(tested.label, id).toBe(sign === null ? 'our guess' : 'our question');
  }
});

test('the hash is of the rule, not of the words', () => {
  const paper = judgedPapers[0]!;
  expect(ruleHash({ ...paper, idea: 'other words.' })).toBe(ruleHash(paper));
  expect(ruleHash({ ...paper, contrasts: [{ ...paper.contrasts[0], id: 'another' }] })).not.toBe(ruleHash(paper));
  expect(ruleHash({ ...paper, config: { ...paper.config, run: { steps: 1 } } })).not.toBe(ruleHash(paper));
});

describe('aliases', () => {
  test.each(Object.entries(aliases))('%s is an arm of a paper that trains the same', (id, { paper, arm }) => {
    const card = experiments.find((experiment) => experiment.id === id);
    const found = paperOf(paper);
    const own = found?.arms.find((one) => one.id === arm);
    const old = completeRun(card?.config);
    const now = completeRun(found && own && armConfig(found, own));
    // What is planned without pay for following is planned so for the plain learner, who has no plan to be paid for.
    const { waypointReward: _, ...before } = old.algo.config;
    const { waypointReward: __, ...after } = now.algo.config;
    expect(after).toEqual(before);
    expect(now.env).toEqual(old.env);
    expect(now.run.steps).toBe(old.run.steps);
  });
});
