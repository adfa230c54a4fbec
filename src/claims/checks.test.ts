/** A check that was not made is never listed as passed: for every paper, and by hand. */
import { expect, test } from 'vitest';
import type { JudgedCard } from '#contract/papers/papers.ts';
import type { ArmResult } from '#contract/papers/results.ts';
import { besideVerdict, checksOf, roomUnknown } from './checks.ts';
import { judgedPapers as papers } from './papers/index.ts';

const finding = { id: 'x', estimate: 1, low: 0, high: 2, level: 0.95, state: 'held' } as const;

/** Arms as a result has them, with as many steps and parameters each. */
const armsOfCard = (paper: JudgedCard, parameters: number | null = 10): readonly ArmResult[] =>
  paper.arms.map(({ id, title, trials, script }) => ({
    id,
    title,
    trials,
    config: '0'.repeat(12),
    env: { id: 'e', version: 1, config: {} },
    algo: script === undefined ? { id: 'a', version: 1, config: {} } : null,
    steps: script === undefined ? 100 : null,
    parameters: script === undefined ? parameters : null,
    scores: [1, 2],
    parameterHashes: ['a', 'b'],
    seconds: 1,
    curve: null,
  }));

const result = (arms: readonly ArmResult[]) => ({ arms, findings: [finding], voids: [], decidedOn: 2 });

const linesOf = (lines: ReturnType<typeof checksOf>, title: string, state: string) =>
  lines.filter((line) => line.title.startsWith(title) && line.state === state);

test.each(papers.map((paper) => [paper.id, paper] as const))('%s: no check passes without what it needs', (_, paper) => {
  const lines = checksOf(paper, { arms: armsOfCard(paper), findings: [finding], voids: [], decidedOn: 2 });
  for (const [title, end] of [
    ['Better than random', 'random'],
    ['Room below', 'ceiling'],
  ] as const) {
    const passed = linesOf(lines, title, 'passed').flatMap(({ text }) => text.split(', '));
    for (const arm of paper.arms) {
      const bound = { ...paper.scale, ...arm.scale }[end];
      if (bound === undefined) expect(passed, `${title} of ${arm.id}`).not.toContain(arm.id);
    }
  }
  for (const { check, arms } of paper.exempt)
    if (check === 'random')
      for (const arm of arms) expect(linesOf(lines, 'Better', 'passed')[0]?.text.split(', ') ?? []).not.toContain(arm);
});

test('without findings nothing was checked, and what failed is said', () => {
  const [paper] = papers as readonly [JudgedCard, ...JudgedCard[]];
  expect(checksOf(paper, { arms: [], findings: [], voids: [], decidedOn: 0 }).map(({ state }) => state)).toEqual(Array(11).fill('not run'));
  const voids = [{ check: 'seeds' as const, text: 'Not every run gave a number: a.' }];
  const lines = checksOf(paper, { arms: [], findings: [], voids, decidedOn: 0 });
  expect(lines.filter(({ state }) => state === 'failed').map(({ text }) => text)).toEqual([voids[0]!.text]);
  expect(lines.filter(({ state }) => state === 'passed')).toEqual([]);
});

test('a check that failed is not listed as passed as well; parameters without a count are not equal', () => {
  const paper = papers.find(({ id }) => id === 'P033')!;
  const voids = [{ check: 'steps' as const, text: 'a has 1 steps, b has 2: more than 10 % apart.' }];
  const lines = checksOf(paper, { arms: armsOfCard(paper, null), findings: [finding], voids, decidedOn: 2 });
  expect(linesOf(lines, 'Equal steps', 'passed')).toEqual([]);
  expect(linesOf(lines, 'Equal steps', 'failed')).toHaveLength(1);
  expect(linesOf(lines, 'Equal parameters', 'passed')).toEqual([]);
  expect(linesOf(lines, 'Equal parameters', 'not run')).toHaveLength(1);
});

test('a rival is not finished, competent or below the ceiling unless the numbers for it are there', () => {
  const card = papers.find(({ id }) => id === 'P035')!; // "as good as" two learners
  const paper = { ...card, arms: card.arms.map(({ competent: _, ...arm }) => arm) };
  const lines = checksOf(paper, result(armsOfCard(paper)));
  expect(linesOf(lines, 'The rival has finished', 'passed')).toEqual([]);
  expect(linesOf(lines, 'The rival is competent', 'not run')[0]?.text).toContain('ippo');
  const mansa = papers.find(({ id }) => id === 'P033')!;
  const better: JudgedCard = { ...mansa, scale: { better: 'more' } };
  expect(linesOf(checksOf(better, result(armsOfCard(better))), 'The rival alone', 'not run')).toHaveLength(1);
});

test('beside a verdict stand unequal parameters with their reason, and arms that ended alike', () => {
  const paper = papers.find(({ id }) => id === 'P042')!;
  const arms = armsOfCard(paper).map((arm, k) => ({ ...arm, parameters: 10 + 10 * k, config: `${k}`.repeat(12) }));
  const said = besideVerdict(paper, result(arms));
  expect(said[0]).toContain('the plan is one more layer');
  expect(said.some((text) => text.includes('bit for bit, on 2 of 2 seeds'))).toBe(true);
  expect(said[0]).toMatch(/^Unequal parameters \(\w[^,]* 10, /); // few: one by one
  const many = papers.find(({ id }) => id === 'P058')!;
  const counted = armsOfCard(many).map((arm, k) => ({ ...arm, parameters: 10 + 10 * k }));
  const of = many.exempt.find(({ check }) => check === 'parameters')!.arms.length;
  expect(besideVerdict(many, result(counted))[0]).toMatch(
    new RegExp(`^Unequal parameters \\(from 10 in [\\w-]+ to ${10 * of} in [\\w-]+, ${of} arms\\): `),
  );
  const apart = arms.map((arm, k) => ({ ...arm, parameters: 10, parameterHashes: [`${k}`, `${k}`] }));
  expect(besideVerdict(paper, result(apart))).toEqual([]);
});

test('cells are worlds of their own: parameters are unequal within one, never between them', () => {
  const paper = papers.find(({ id }) => id === 'P012')!;
  const said = (of: { readonly [arm: string]: number }) =>
    besideVerdict(
      paper,
      result(armsOfCard(paper).map((arm) => ({ ...arm, config: arm.id, parameters: of[arm.id] ?? 10, parameterHashes: [] }))),
    );
  expect(said({ 'bump-ppo': 500, 'bump-sac': 500 })).toEqual([]);
  expect(said({ 'bump-ppo': 500, 'bump-sac': 600 })[0]).toMatch(/^Unequal parameters \(bump-ppo 500, bump-sac 600\): /);
});

test('both bounds of the rivals of the main contrast are asked for, also of an arm that the card takes out of a check', () => {
  const card = papers.find(({ id }) => id === 'P111')!; // "more than by loss", whose random level is exempt
  const known = { steps: 100, parameters: 10, trials: 1, random: 0.1, ceiling: 1 };
  const unknownOf = (loss: object) => roomUnknown(card, { answers: known, loss: { ...known, ...loss }, random: known });
  expect(unknownOf({})).toEqual([]);
  expect(unknownOf({ random: undefined })).toEqual(['what random play gets (loss)']);
  expect(unknownOf({ ceiling: undefined })).toEqual(['the best possible score (loss)']);
  const [main] = card.contrasts;
  const bar = { ...card, contrasts: [{ id: main.id, kind: 'level', arm: 'answers', claim: 'above', none: 0.5 }] as const };
  expect(roomUnknown(bar, { answers: known })).toEqual([]); // no rival
});
