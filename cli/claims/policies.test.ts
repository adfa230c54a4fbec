/** Which policies of a paper are kept: of the typical seed of the published runs, no scripts, each run once, none beyond the room. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { configHash } from '#contract/config-hash.ts';
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
      { id: 'beside', title: 'beside', trials: 0, differs: { algo: { config: { lr: 0.1 } } } },
      { id: 'large', title: 'large', trials: 0, differs: { algo: { config: { lr: 0.2 } } } },
      { id: 'small', title: 'small', trials: 0, differs: { algo: { config: { lr: 0.3 } } } },
      { id: 'again', title: 'again', trials: 0, differs: { algo: { config: { lr: 0.3 } } } },
      { id: 'other', title: 'other', trials: 0, differs: { algo: { config: { lr: 0.4 } } } },
      { id: 'script', title: 'script', trials: 0, script: 'expert' },
    ],
    quantity: { title: 'q', of: 'evalReturn' },
    contrasts: [{ id: 'd', kind: 'order', arms: ['large', 'small', 'script'], claim: 'above' }],
    scale: { better: 'more' },
    scaledDown: '',
    dishonest: '',
    next: '',
  });
  // Bytes that gzip cannot make fewer.
  const noise = (bytes: number): Buffer =>
    Buffer.concat(Array.from({ length: bytes / 20 }, (_, i) => createHash('sha1').update(`${i}`).digest()));
  const bytes: Record<string, number> = { beside: 60_000, large: 90_000, small: 20_000, again: 20_000, other: 20_000, script: 20 };
  const seeds = [1001, 1002];
  const arms = paper.arms.map((arm) => {
    const folder = join(project, arm.id);
    for (const seed of seeds) {
      const at = join(folder, `seed-${seed}`);
      mkdirSync(at, { recursive: true });
      writeFileSync(join(at, 'policy.json'), Buffer.concat([Buffer.from(`${seed} `), noise(bytes[arm.id]!)]));
      writeFileSync(join(at, 'result.json'), JSON.stringify({ seed, parameterHash: `${arm.id} ${seed}` }));
    }
    return { arm, config: completeArm(paper, arm, false), folder, rival: undefined };
  });
  const kept = join(project, 'public/results/policies');
  mkdirSync(kept, { recursive: true });
  for (const name of ['P999-old.json', 'P998-other.policy']) writeFileSync(join(kept, name), '');
  const result = {
    arms: arms.map(({ arm, config }) => ({
      scores: [null, 7],
      config: configHash(config),
      // The run of "other" is not the one that was published.
      parameterHashes: [arm.id === 'other' ? 'published' : `${arm.id} 1002`],
    })),
  } as unknown as PaperResult;
  const told = writePolicies(project, { paper, arms, seeds }, result);
  expect(readdirSync(kept).sort()).toEqual(['P998-other.policy', 'P999-large.policy', 'P999-small.policy']);
  expect(gunzipSync(readFileSync(join(kept, 'P999-small.policy'))).toString('latin1')).toMatch(/^1002 /);
  expect(told.map(({ arm, state }) => `${arm}: ${state}`)).toEqual([
    'large: kept',
    'small: kept',
    'beside: no room',
    'again: the same run as another arm',
    'other: no policy of the published run',
  ]);
});
