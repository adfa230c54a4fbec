import { expect, test } from 'vitest';
import { type AgentAttribution, defaultQuestion } from '#contract/explain/explain.ts';
import { escapeHtml, type ReportData, reportPage, trainingCsv } from './report.ts';

const agents = (value: number[]): AgentAttribution => ({
  question: defaultQuestion,
  scheme: 'exact',
  players: value.map((_, agent) => ({ agent, name: `agent_${agent}<b>` })),
  value,
  halfWidth: value.map(() => 0.1),
  differenceHalfWidth: value.flatMap(() => value.map(() => 0.15)),
  vEmpty: 0,
  vEmptyHalfWidth: 0.1,
  vGrand: value.reduce((a, b) => a + b, 0),
  vGrandHalfWidth: 0.1,
  efficiencyGap: 0,
  draws: 50,
  episodes: 400,
  steps: 10_000,
  table: null,
  banzhaf: null,
  interactions: null,
  end: 'budget',
});
const data: ReportData = {
  title: 'Who & what',
  made: '2026-01-02T03:04:05Z',
  about: 'seed 1 at step 10',
  config: { env: 'x</pre><script>alert(1)</script>' },
  curve: { title: 'return', lines: [{ name: 'seed 1', x: [0, 10], y: [Number.NaN, 2] }] },
  agents: agents([5, 1]),
  training: [
    { step: 100, answer: agents([1, 1]) },
    { step: 5000, answer: agents([5, 1]) },
  ],
  features: null,
  whatIf: null,
  picture: null,
};

test('a report says what the numbers say, and makes no request', () => {
  const page = reportPage(data);
  expect(page).toContain('Agent 0&lt;b&gt; contributes most: 5.00 ± 0.10, 83\u00a0% of what the team brings.');
  expect(page).toContain('From step 100 to 5');
  expect(page).toContain("default-src 'none'");
  expect(page).not.toMatch(/(src|href)="(?!data:)/);
  expect(page).not.toContain('<script');
  expect(page.match(/<svg/g)).toHaveLength(3);
  expect(page).not.toContain('NaN ');
});

test('data travel along', () => {
  const page = reportPage(data);
  const json = decodeURIComponent(page.match(/data:application\/json;charset=utf-8,([^"]+)"/)![1]!);
  expect((JSON.parse(json) as { agents: { value: number[] } }).agents.value).toEqual([5, 1]);
  expect(trainingCsv(data.training).split('\n')[1]).toBe('100,0,"agent_0<b>",1,0.1,0,2');
  expect(escapeHtml('<a href="x">&')).toBe('&lt;a href=&quot;x&quot;&gt;&amp;');
});

test('what was not asked is left out', () => {
  const page = reportPage({ ...data, agents: null, training: [], curve: null });
  expect(page).not.toContain('Over training');
  expect(page).not.toContain('<svg');
});
