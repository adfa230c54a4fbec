/** The glossary of the page is that of docs/glossary.md, and every formula can be set, with and without numbers. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { StepNumbers } from '#contract/run/step-numbers.ts';
import { termOfMetric, termOfSetting } from './ids.ts';
import { type MathNode, parseMath, texNumber } from './math.ts';
import { TERMS } from './terms.ts';

const rows = readFileSync('docs/glossary.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| |\|$/g, '').trim()));

const step: StepNumbers = {
  t: 3,
  agent: 0,
  gamma: 0.99,
  lambda: 0.95,
  assumed: [],
  reward: -1.25e-7,
  ended: '',
  kind: 'V',
  value: 2,
  nextValue: 3,
  tdError: 0.97,
  advantage: 1.5,
  target: 3.5,
  discounted: 12,
  undiscounted: 15,
  entropy: 0.6,
  logProb: -0.7,
  oldLogProb: -0.8,
  ratio: 1.1,
  kl: 0.01,
};

test('every term stands in docs/glossary.md with the same meaning', () => {
  for (const { term, meaning } of Object.values(TERMS)) {
    const row = rows.find(([name]) => name === term);
    expect(row, term).toBeDefined();
    expect(row, term).toContain(meaning);
  }
});

test('every formula, symbol and filled formula can be set', () => {
  for (const { tex, symbols, filled } of Object.values(TERMS)) {
    const all = [tex, ...symbols.map(([symbol]) => symbol), filled?.(step) ?? '1'];
    for (const each of all) expect(parseMath(each).children?.length, each).toBeGreaterThan(0);
  }
  expect(TERMS['td-error'].filled?.(step)).toBe('(-1.25 \\cdot 10^{-7}) + 0.99 \\cdot 3 - 2');
});

test('the little TeX becomes MathML', () => {
  const plain = ({ tag, text, children }: MathNode): string => `${tag}(${text ?? children?.map(plain).join(' ')})`;
  expect(plain(parseMath("\\delta = \\frac{1}{2} V(s')"))).toBe('mrow(mi(δ) mo(=) mfrac(mn(1) mn(2)) mi(V) mo(() msup(mi(s) mi(′)) mo()))');
  expect(plain(parseMath('\\sum_{k=0}^T x_t^2'))).toBe('mrow(munderover(mo(∑) mrow(mi(k) mo(=) mn(0)) mi(T)) msubsup(mi(x) mi(t) mn(2)))');
  expect(() => parseMath('\\nosuch')).toThrow(/nosuch/);
  expect(() => parseMath('x_{a')).toThrow(/not closed/);
  expect(texNumber(1234567)).toBe('1234570');
});

test('settings and metrics lead to terms', () => {
  expect(termOfSetting('algo.config.gamma')).toBe('discount');
  expect(termOfSetting('env.config.gamma')).toBeNull();
  expect(termOfMetric('approxKl')).toBe('kl');
  expect(termOfMetric('constructor')).toBeNull();
});
