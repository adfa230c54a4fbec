import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { experiments } from '#experiments/index.ts';
import { writeResultsPage } from './results-page.ts';

test('the head of the results page says how returns are measured, for drawn actions too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rl-results-'));
  try {
    writeResultsPage(folder);
    const head = readFileSync(join(folder, 'docs/results.md'), 'utf8');
    expect(head).not.toContain('100 greedy episodes');
    expect(head).toContain('FOLLOW with `sampled`');
    // what the sentence is about: claims that evaluate on fewer episodes
    const counts = experiments.map(({ config }) => (config.run as { evalEpisodes?: number } | undefined)?.evalEpisodes);
    expect(counts.some((count) => count !== undefined && count !== 100)).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
