/** Which policies of a paper are kept: of the typical seed of the published runs, no scripts, each run once, none beyond the room. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { definePaper } from '#claims/define.ts';
import { decodePolicyFile, encodePolicyFile } from '#contract/files/files.ts';
import type { PaperResult } from '#contract/papers/results.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { Rng } from '#math/rng.ts';
import { typical } from '../kit/kept-policy.ts';
import { completeArm } from './arm-config.ts';
import { rounded, writePolicies } from './policies.ts';

const root = mkdtempSync(join(tmpdir(), 'rl-policies-'));
afterAll(() => rmSync(root, { recursive: true }));

test('the typical seed is the one nearest to the IQM of those that have a score', () => {
  expect(typical([null, 1, 5, 6, 7, 100])).toBe(3);
  expect(typical([null])).toBeNull();
});

test('rounded numbers are the nearest with a short fraction', () => {
  const given = Float32Array.from([0, 1, -1, 1.001, 1.003, -0.33333, 3e38, 1e-40]);
  const out = rounded(given);
  expect(Array.from(out.subarray(0, 3))).toEqual([0, 1, -1]);
  expect(out[3]).toBe(1);
  expect(out[4]).toBe(1.00390625);
  given.forEach((value, i) => {
    expect(Math.abs(out[i]! - value)).toBeLessThanOrEqual(Math.abs(value) / 512 + 1e-39);
  });
  expect(Array.from(rounded(out))).toEqual(Array.from(out));
});

const lr = (value: number) => ({ algo: { config: { lr: value } } });
const paper = definePaper({
  id: 'P999',
  claim: 'One is more than the other.',
  source: { guess: { searches: ['its title, among public code'] } },
  differs: ['all of it'],
  title: 'A test',
  authors: 'Doe',
  year: 2026,
  link: '',
  question: 'Is it?',
  idea: 'It is.',
  equation: '',
  config: { v: 1, env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: { steps: 1000 } },
  arms: [
    { id: 'beside', title: 'beside', trials: 0, differs: lr(0.1) },
    { id: 'large', title: 'large', trials: 0, differs: lr(0.2) },
    { id: 'small', title: 'small', trials: 0, differs: lr(0.3) },
    { id: 'again', title: 'again', trials: 0, differs: lr(0.3) },
    { id: 'other', title: 'other', trials: 0, differs: lr(0.4) },
    { id: 'script', title: 'script', trials: 0, script: 'expert' },
  ],
  quantity: { title: 'q', of: 'evalReturn' },
  contrasts: [{ id: 'd', kind: 'order', arms: ['large', 'small', 'script'], claim: 'above', size: 1 }],
  scale: { better: 'more' },
  scaledDown: '',
  dishonest: '',
  next: '',
});
const seeds = [1001, 1002];

/** Keeps policies of so many weights; answers what became of each arm and the files. */
function keep(weights: Readonly<Record<string, number>>) {
  const project = mkdtempSync(join(root, 'project-'));
  const arms = paper.arms.map((arm) => {
    const folder = join(project, arm.id);
    const rng = Rng.from(1);
    for (const seed of seeds) {
      const at = join(folder, `seed-${seed}`);
      mkdirSync(at, { recursive: true });
      const w = Float32Array.from({ length: weights[arm.id] ?? 10 }, () => 2 * rng.uniform() - 1);
      const ref = { id: 'x', version: 1, config: {} };
      const saved = { meta: {}, arrays: { w } };
      const policy = { kind: 'policy', version: 1, env: ref, algo: ref, seed, step: 1, executor: 'wasm', saved } as const;
      writeFileSync(join(at, 'policy.json'), encodePolicyFile(policy));
      const numbers = { finalReturn: 1, evalReturn: 1, evalLoops: 0, perAgent: [], steps: 1, seconds: 1, stepsPerSecond: 1 };
      writeFileSync(join(at, 'result.json'), JSON.stringify({ seed, ...numbers, parameterHash: `${arm.id} ${seed}` }));
    }
    return { arm, config: completeArm(paper, arm, false), folder, rival: undefined };
  });
  const folder = join(project, 'public/results/policies');
  mkdirSync(folder, { recursive: true });
  for (const name of ['P999-old.json', 'P998-other.policy']) writeFileSync(join(folder, name), '');
  const result = {
    arms: arms.map(({ arm, config }) => ({
      scores: [null, 7],
      config: configHash(config),
      // The run of "other" is not the one that was published.
      parameterHashes: [arm.id === 'other' ? 'published' : `${arm.id} 1002`],
    })),
  } as unknown as PaperResult;
  const told = writePolicies(project, { paper, arms, seeds }, result).map(({ arm, state }) => `${arm}: ${state}`);
  const read = (name: string) => decodePolicyFile(gunzipSync(readFileSync(join(folder, name))).toString());
  return { told, files: readdirSync(folder).sort(), read };
}

test('policies fit into 360 kB, arms of contrasts first, each run once; what was there before goes', () => {
  const { told, files, read } = keep({ beside: 250_000, large: 15_000, small: 5000 });
  expect(files).toEqual(['P998-other.policy', 'P999-large.policy', 'P999-small.policy']);
  expect(read('P999-small.policy').seed).toBe(1002);
  expect(told).toEqual([
    'large: kept',
    'small: kept',
    'beside: no room',
    'again: the same run as another arm',
    'other: no policy of the published run',
  ]);
});

test('where more arms fit with rounded weights, all are rounded', () => {
  const { told, files, read } = keep({ beside: 70_000, large: 18_000, small: 5000 });
  expect(files).toEqual(['P998-other.policy', 'P999-beside.rounded.policy', 'P999-large.rounded.policy', 'P999-small.rounded.policy']);
  expect(told.slice(0, 3)).toEqual(['large: kept, rounded', 'small: kept, rounded', 'beside: kept, rounded']);
  const { w } = read('P999-small.rounded.policy').saved.arrays;
  if (!(w instanceof Float32Array)) throw new Error('not single precision');
  expect(Array.from(w)).toEqual(Array.from(rounded(Float32Array.from(w))));
});
