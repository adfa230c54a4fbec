import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { paperFacts } from './paper-facts.ts';

const project = mkdtempSync(join(tmpdir(), 'rl-facts-'));
afterAll(() => rmSync(project, { recursive: true }));

test('facts of full results only, by id; none where nothing was run', () => {
  expect(paperFacts(project)).toEqual({});
  const folder = join(project, 'public/results/papers');
  mkdirSync(folder, { recursive: true });
  const result = { verdict: 'partly', decidedOn: 5, coreMinutes: 12.5, arms: [] };
  writeFileSync(join(folder, 'P033.json'), JSON.stringify({ ...result, id: 'P033', quick: false }));
  writeFileSync(join(folder, 'P042.json'), JSON.stringify({ ...result, id: 'P042', quick: true }));
  writeFileSync(join(folder, 'sarsa-cliff.json'), JSON.stringify({ ...result, id: 'sarsa-cliff', quick: false }));
  mkdirSync(join(project, 'public/results/policies'));
  for (const name of ['P033-learned.json', 'P042-follow.json']) writeFileSync(join(project, 'public/results/policies', name), '{}');
  expect(paperFacts(project)).toEqual({ P033: { verdict: 'partly', decidedOn: 5, coreMinutes: 12.5, policies: ['learned'] } });
});
