import { expect, test } from 'vitest';
import { type AgentAttribution, defaultQuestion } from '#contract/explain/explain.ts';
import { apart, csv, findings, provenance, withWidth } from './explain-words.ts';

const answer = (value: number[], halfWidth: number[]): AgentAttribution => {
  const n = value.length;
  return {
    question: defaultQuestion,
    scheme: 'exact',
    players: value.map((_, agent) => ({ agent, name: `agent ${agent}` })),
    value,
    halfWidth,
    differenceHalfWidth: Array.from({ length: n * n }, (_, at) => Math.hypot(halfWidth[at % n]!, halfWidth[Math.floor(at / n)]!)),
    vEmpty: 1,
    vEmptyHalfWidth: 0.1,
    vGrand: 1 + value.reduce((a, b) => a + b, 0),
    vGrandHalfWidth: 0.1,
    efficiencyGap: 0,
    draws: 100,
    episodes: 800,
    steps: 20_000,
    table: null,
    banzhaf: null,
    interactions: null,
    end: 'budget',
  };
};

test('the one that is clearly first is named, with the digits its interval supports', () => {
  expect(findings(answer([5.554, 2, 0.02], [0.12, 0.1, 0.1]))).toEqual([
    'Agent 0 contributes most: 5.55 ± 0.12, 73\u00a0% of what the team brings.',
    'Agent 2: 0 lies inside the interval, so perhaps nothing at all.',
    'With no agent acting, the team’s return is 1; with all agents, 8.57.',
  ]);
});

test('agents without a visible difference are not ranked', () => {
  const close = answer([5, 4.9, 1], [0.2, 0.2, 0.2]);
  expect(apart(close, 0, 1)).toBe(false);
  expect(apart(close, 0, 2)).toBe(true);
  expect(findings(close)[0]).toBe('Agent 0 and agent 1 contribute most, with no visible difference between them.');
  expect(findings(answer([5, 4.9], [0.2, 0.2]))[0]).toContain('No difference between');
});

test('with more agents a difference must be larger to count', () => {
  const wide = [0.2, 0.2, 0.2, 0.2, 0.2, 0.2];
  // 0.33 is above the interval of one difference, 0.28, and below that of all fifteen
  expect(apart(answer([1.33, 1], [0.2, 0.2]), 0, 1)).toBe(true);
  expect(apart(answer([1.33, 1, 1.1, 1.1, 1.1, 1.1], wide), 0, 1)).toBe(false);
  expect(apart(answer([1.5, 1, 1.1, 1.1, 1.1, 1.1], wide), 0, 1)).toBe(true);
});

test('an agent in the way is said to be', () => {
  expect(findings(answer([3, -1], [0.2, 0.2])).at(-2)).toBe('Agent 1 makes it worse: the team does better when that agent does nothing.');
});

test('before there are intervals nothing is claimed', () => {
  expect(findings(answer([3, 1], [Number.POSITIVE_INFINITY, 1]))).toEqual([]);
  expect(withWidth(3, Number.POSITIVE_INFINITY)).toBe('3');
  expect(withWidth(-2, 0)).toBe('−2');
});

test('how it was found, and the table', () => {
  expect(provenance(answer([1, 2], [0.1, 0.1]))).toMatch(
    /^all coalitions, 100 draws, 800 episodes, .* an absent agent does nothing; sum check 0$/,
  );
  expect(csv(answer([1, 2], [0.1, 0.2]))).toBe('agent,name,value,half_width_95,banzhaf\n0,agent 0,1,0.1,\n1,agent 1,2,0.2,\n');
});
