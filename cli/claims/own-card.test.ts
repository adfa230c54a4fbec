/** An own card on the command line, from its file and from its link. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ownPaper } from '#claims/own.ts';
import { encodeCard, type OwnCard } from '#contract/link/card.ts';
import { ruleHash } from '#contract/papers/papers.ts';

const home = mkdtempSync(join(tmpdir(), 'rl-card-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const CARD: OwnCard = {
  title: 'More tries',
  question: 'Does a bandit that explores earn more than one that does not?',
  config: { env: { id: 'bandit' }, algo: { id: 'ucb1' }, run: { steps: 200, evalEpisodes: 1 } },
  arms: [
    { id: 'ucb', title: 'UCB' },
    { id: 'greedy', title: 'greedy', differs: { algo: { id: 'epsilon-greedy', config: {} } } },
  ],
  quantity: { title: 'return', of: 'finalReturn' },
  contrasts: [{ id: 'ucb above greedy', kind: 'difference', arm: 'ucb', over: 'greedy', claim: 'above', size: 0.01 }],
  better: 'more',
  looks: [5],
  firstSeed: 3001,
};

const claims = (...args: readonly string[]): string =>
  execFileSync(process.execPath, [resolve('tools/rl.mjs'), 'claims', ...args], {
    cwd: resolve('.'),
    env: { ...process.env, INIT_CWD: home },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

test('a card is run on its own seeds and judged by its rule, its file and its link alike', () => {
  writeFileSync(join(home, 'tries.card.json'), JSON.stringify(CARD));
  expect(claims('--card', 'tries.card.json')).toContain('our question:');
  const result = JSON.parse(readFileSync(join(home, 'tries.result.json'), 'utf8'));
  expect(result).toMatchObject({
    rule: ruleHash(ownPaper(CARD)),
    seeds: [3001, 3002, 3003, 3004, 3005],
    tested: { label: 'our question' },
  });
  const line = claims('--card', `https://example.org/#/papers/card?c=${encodeCard(CARD)}`, '--json')
    .trim()
    .split('\n')
    .at(-1);
  expect(JSON.parse(line ?? '')).toMatchObject({ outcome: result.outcome, findings: result.findings });
}, 120_000);
