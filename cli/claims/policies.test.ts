/** Which policies of a paper are kept: of the typical seed, no scripts, none beyond the room. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { PaperResult } from '#contract/results.ts';
import { definePaper } from '#papers/define.ts';
import { typical, writePolicies } from './policies.ts';
import { completeArm } from './run.ts';

const project = mkdtempSync(join(tmpdir(), 'rl-policies-'));
afterAll(() => rmSync(project, { recursive: true }));

test('the typical seed is the one nearest to the IQM of those that have a score', () => {
  expect(typical([null, 1, 5, 6, 7, 100])).toBe(3);
  expect(typical([null])).toBeNull();
});

test('policies fit into 150 kB, arms of contrasts first; what was there before goes', () => {
  const paper = definePaper({
    id: 'P999',
    title: 'A test',
    authors: 'Nobody',
    year: 2026,
    link: '',
    question: 'Is it?',
    idea: 'It is.',
    equation: '',
    config: { v: 1, env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: { steps: 1000 } },
    arms: [
      { id: 'beside', title: 'beside', trials: 0 },
      { id: 'large', title: 'large', trials: 0 },
      { id: 'small', title: 'small', trials: 0 },
      { id: 'script', title: 'script', trials: 0, script: 'expert' },
    ],
    quantity: { title: 'q', of: 'evalReturn' },
    contrasts: [{ id: 'd', kind: 'order', arms: ['large', 'small', 'script'], claim: 'above' }],
    scale: { better: 'more' },
    scaledDown: '',
    dishonest: '',
    next: '',
  });
  const bytes: Record<string, number> = { beside: 60_000, large: 90_000, small: 20_000, script: 10 };
  const seeds = [1001, 1002];
  const arms = paper.arms.map((arm) => {
    const folder = join(project, arm.id);
    for (const seed of seeds) {
      mkdirSync(join(folder, `seed-${seed}`), { recursive: true });
      writeFileSync(join(folder, `seed-${seed}`, 'policy.json'), `${seed}`.padEnd(bytes[arm.id]!, ' '));
    }
    return { arm, config: completeArm(paper, arm, false), folder, rival: undefined };
  });
  const kept = join(project, 'public/results/policies');
  mkdirSync(kept, { recursive: true });
  for (const name of ['P999-old.json', 'P998-other.json']) writeFileSync(join(kept, name), '');
  const result = { arms: paper.arms.map(() => ({ scores: [null, 7] })) } as unknown as PaperResult;
  writePolicies(project, { paper, arms, seeds, runs: [] }, result);
  expect(readdirSync(kept).sort()).toEqual(['P998-other.json', 'P999-large.json', 'P999-small.json']);
  expect(readFileSync(join(kept, 'P999-small.json'), 'utf8').trim()).toBe('1002');
});
