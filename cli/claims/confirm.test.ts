/** The second block of a result: what both blocks say together, which results may have one, and a whole one on a tiny paper. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { definePaper } from '#claims/define.ts';
import { decide } from '#claims/judge.ts';
import { FIRST_CONFIRMING_SEED, FIRST_REPORTED_SEED } from '#contract/papers/papers.ts';
import { type PaperResult, paperResultSchema } from '#contract/papers/results.ts';
import { createSession } from '#core/run/loaded.ts';
import { seedFolder } from '../kit/seed-folder.ts';
import type { BatchOptions } from '../train/batch.ts';
import type { Job, SeedOutcome } from '../train/seeds.ts';
import { judgedAgain } from './again.ts';
import { blockArms, confirmPaper, withConfirmation } from './confirm.ts';
import { paperResult } from './result.ts';
import { type RunOptions, runPapers } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'rl-confirm-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What a thread of the built command line does, in this one: the bundle is not there in a unit test. */
async function trained({ config, seed }: Job): Promise<SeedOutcome> {
  for await (const event of createSession({ config, seed, now: () => performance.now() })) {
    if (event.kind === 'state' && event.error) throw new Error(event.error.message);
    if (event.kind === 'result') return { ...event.result, parameters: PAYS.length } as unknown as SeedOutcome;
  }
  throw new Error('A session ended without a result.');
}

const runHere: NonNullable<BatchOptions['run']> = async (jobs, onMessage) => {
  const outcomes: SeedOutcome[] = [];
  for (const [index, job] of jobs.entries()) {
    mkdirSync(seedFolder(job.folder, job.seed), { recursive: true });
    const outcome = await trained(job);
    outcomes.push(outcome);
    onMessage({ kind: 'done', seed: job.seed, outcome }, index);
  }
  return { outcomes, failures: [], interrupted: false };
};

/** A bandit: who explores little finds the payments that are high, who always explores draws evenly. */
const PAYS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
const paper = definePaper({
  id: 'tiny-bandit',
  title: 'A tiny comparison',
  authors: 'Doe',
  year: 2026,
  link: 'https://example.org',
  question: 'Does learning pay?',
  idea: 'It does.',
  equation: '',
  config: {
    v: 1,
    env: { id: 'bandit', config: { meanRewards: PAYS } },
    algo: { id: 'q-learning', config: { alpha: 0.2, gamma: 1, epsilon: 0.1 } },
    run: { steps: 500, evalEpisodes: 1 },
  },
  arms: [
    { id: 'learns', title: 'explores little', trials: 0 },
    { id: 'tosses', title: 'explores in every step', trials: 0, differs: { algo: { config: { epsilon: 1 } } } },
  ],
  quantity: { title: 'return of the last 100 episodes', of: 'finalReturn' },
  contrasts: [{ id: 'learning pays', kind: 'difference', arm: 'learns', over: 'tosses', claim: 'above', size: 0.2 }],
  tenSeeds: true,
  scale: { better: 'more', random: 0.5, ceiling: 1 },
  exempt: [{ check: 'random', arms: ['learns', 'tosses'], why: 'it draws evenly' }],
  scaledDown: '',
  dishonest: '',
  next: '',
});

const options: RunOptions = {
  cache: folder,
  commit: 'abc',
  threads: 1,
  quick: false,
  run: runHere,
  progress: () => undefined,
  warn: (text) => {
    throw new Error(text);
  },
};
const machine = { cpu: 'x', cores: 2, os: 'o', runtime: 'r' };
const about = { commit: 'abc', machine, date: new Date(0) };

let first: PaperResult;
beforeAll(async () => {
  const [ran] = await runPapers([paper], options, () => false);
  first = paperResult(ran!, { ...about, data: [], quick: false });
}, 60_000);

/** A block whose scores are those of `first` with the arms' places as given. */
const blockOf = (swapped: boolean): PaperResult => {
  const [learns, tosses] = first.arms;
  const arms = swapped
    ? [
        { ...learns!, scores: tosses!.scores },
        { ...tosses!, scores: learns!.scores },
      ]
    : first.arms;
  const decided = decide(paper, arms);
  return { ...first, arms, ...decided, first: decided.outcome, seeds: first.seeds.map((seed) => seed + 6000) };
};

describe('the second block', () => {
  test('that says the same leaves the outcome, and is stored beside the first', () => {
    const both = withConfirmation(first, blockOf(false));
    expect(both).toMatchObject({ outcome: 'shown', first: 'shown', because: '', confirm: { outcome: 'shown' } });
    expect(both.arms).toEqual(first.arms);
    expect(both.seeds).toEqual(first.seeds);
    expect(both.confirm?.seeds[0]).toBe(FIRST_CONFIRMING_SEED);
    expect(paperResultSchema.parse(JSON.parse(JSON.stringify(both)))).toEqual(both);
  });

  test('that says another thing makes the outcome open, and both are said', () => {
    const both = withConfirmation(first, blockOf(true));
    expect(both).toMatchObject({ outcome: 'open', first: 'shown', confirm: { outcome: 'reversed' } });
    expect(both.because).toContain('“shown”');
    expect(both.because).toContain('“reversed”');
    // judged anew it stays so, and a later block that agrees takes the sentence away
    expect(judgedAgain(paper, both, [])).toEqual(both);
    expect(withConfirmation(both, blockOf(false))).toMatchObject({ outcome: 'shown', because: '' });
  });

  test('keeps why the first is open', () => {
    const open: PaperResult = { ...first, outcome: 'open', first: 'open', because: 'A check failed: it did.' };
    const block: PaperResult = { ...blockOf(false), outcome: 'open', first: 'open' };
    expect(withConfirmation(open, block)).toMatchObject({ outcome: 'open', because: 'A check failed: it did.' });
  });

  test('reads of an arm only its own scores: an arm that the block lacks is left out', () => {
    const { confirm } = withConfirmation(first, blockOf(true));
    const arms = blockArms(first.arms, confirm!.arms.slice(0, 1));
    expect(arms.map(({ id }) => id)).toEqual(['learns']);
    expect(arms[0]).toMatchObject({ title: 'explores little', scores: first.arms[1]!.scores, trials: 0 });
  });
});

describe('a second block is run', () => {
  test('on seeds from 7001, by the same rule, and leaves what is published', async () => {
    const both = await confirmPaper(paper, first, { ...options, commit: 'def' }, about);
    const { confirm } = both;
    expect(first.seeds[0]).toBe(FIRST_REPORTED_SEED);
    expect(confirm?.seeds).toEqual(first.seeds.map((_, i) => FIRST_CONFIRMING_SEED + i));
    expect(confirm?.arms.map(({ id, config }) => [id, config])).toEqual(first.arms.map(({ id, config }) => [id, config]));
    for (const [k, arm] of (confirm?.arms ?? []).entries()) {
      expect(arm.scores).not.toEqual(first.arms[k]!.scores);
      expect(arm.parameterHashes).not.toEqual(first.arms[k]!.parameterHashes);
    }
    expect(both).toMatchObject({ outcome: 'shown', first: 'shown', rule: first.rule, confirm: { outcome: 'shown', commit: 'def' } });
    expect(both.arms).toEqual(first.arms);
    expect(judgedAgain(paper, both, [])).toEqual(both);
  });

  test.each<readonly [string, (stored: PaperResult) => PaperResult | undefined]>([
    ['has no result to confirm', () => undefined],
    ['has changed since its result', (stored) => ({ ...stored, rule: '0'.repeat(12) })],
    ['What tiny-bandit ran has changed', (stored) => ({ ...stored, outdated: ['bandit 2'] })],
    ['they confirm nothing', (stored) => ({ ...stored, seeds: [FIRST_CONFIRMING_SEED] })],
  ])('and not where it %s', async (message, change) => {
    await expect(confirmPaper(paper, change(first), options, about)).rejects.toThrow(message);
  });
});
