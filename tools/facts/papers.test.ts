import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { claimFacts, paperFacts } from './papers.ts';

const project = mkdtempSync(join(tmpdir(), 'rl-facts-'));
afterAll(() => rmSync(project, { recursive: true }));

test('facts of full results only, by id; arms that are the same runs share a policy; none where nothing was run', () => {
  expect(paperFacts(project)).toEqual({});
  const folder = join(project, 'public/results/papers');
  mkdirSync(folder, { recursive: true });
  const learner = { algo: { id: 'ppo' }, config: 'one' };
  const arms = [
    { id: 'learned', ...learner },
    { id: 'alike', ...learner },
    { id: 'beside', ...learner, config: 'two' },
    { id: 'script', algo: null, config: 'one' },
  ];
  const result = { outcome: 'mixed', decidedOn: 5, coreMinutes: 12.5, arms };
  writeFileSync(join(folder, 'P033.json'), JSON.stringify({ ...result, id: 'P033', quick: false }));
  writeFileSync(join(folder, 'P042.json'), JSON.stringify({ ...result, id: 'P042', quick: true }));
  writeFileSync(join(folder, 'sarsa-cliff.json'), JSON.stringify({ ...result, id: 'sarsa-cliff', quick: false }));
  mkdirSync(join(project, 'public/results/policies'));
  for (const name of ['P033-learned.policy', 'P033-beside.rounded.policy', 'P042-follow.policy'])
    writeFileSync(join(project, 'public/results/policies', name), '{}');
  const policies = { learned: 'P033-learned.policy', alike: 'P033-learned.policy', beside: 'P033-beside.rounded.policy' };
  expect(paperFacts(project)).toEqual({
    P033: { outcome: 'mixed', confirmed: null, outdated: false, decidedOn: 5, coreMinutes: 12.5, policies },
  });
});

test('claims: judged on fresh seeds, or decided by a paper', () => {
  const folder = join(project, 'public/results/papers');
  for (const id of ['P033', 'sarsa-cliff', 'a2c-cartpole'])
    writeFileSync(join(folder, `${id}.json`), JSON.stringify({ id, quick: false, outcome: 'mixed', seeds: [1001, 1005], arms: [] }));
  const fresh = { outcome: 'mixed', outdated: false, paper: null, seeds: [1001, 1005] };
  expect(claimFacts(project)).toEqual({
    'a2c-cartpole': fresh,
    ...Object.fromEntries(['', '-always', '-never', '-random'].map((arm) => [`mansa-coin${arm}`, { ...fresh, paper: 'P033' }])),
    'sarsa-cliff': fresh,
  });
});
