/** What keeps the first task of the lesson while the second is learned: ten seeds each, none of which a setting was chosen on. */
import { expect, it } from 'vitest';
import { type JsonObject, mergeJson } from '#contract/kit/json.ts';
import { getAlgo } from '#core/algos/all.ts';
import { getEnv } from '#core/envs/all.ts';
import { completeRun } from '#core/run/loaded.ts';
import { createSession } from '#core/run/session.ts';
import { forgets } from './forgets.ts';

const SEEDS = 10;

/** Greedy returns of both tasks behind the first block and at the end. */
async function returns(forgetting: JsonObject, seed: number, own: JsonObject = {}): Promise<readonly (readonly number[])[]> {
  const change = { algo: { config: { forgetting } }, run: { seeds: 1, evalEpisodes: 1 } };
  const config = completeRun(mergeJson(mergeJson({ v: 1, ...forgets.config }, own), change));
  const found: (readonly number[])[] = [];
  for await (const event of createSession({ config, env: getEnv('frozen-lake'), algo: getAlgo('dqn'), seed, now: () => 0 })) {
    if (event.kind !== 'metrics') continue;
    const width = event.columns.length + 1;
    const at = [0, 1].map((task) => event.columns.indexOf(`task.${task}`) + 1);
    for (let row = 0; row < event.rows.length; row += width) {
      const scores = at.map((column) => event.rows[row + column]!);
      if (scores.every(Number.isFinite)) found.push(scores);
    }
  }
  return found;
}

/** How many seeds do the first task behind its block, the first at the end, the second at the end, both at the end. */
async function counted(forgetting: JsonObject, own: JsonObject = {}) {
  const all = await Promise.all(Array.from({ length: SEEDS }, (_, i) => returns(forgetting, 101 + i, own)));
  const count = (does: (behind: readonly number[], end: readonly number[]) => boolean) =>
    all.filter(([behind, end]) => does(behind!, end!)).length;
  return {
    learned: count((behind) => behind[0] === 1),
    kept: count((_, end) => end[0] === 1),
    second: count((_, end) => end[1] === 1),
    both: count((_, end) => end[0] === 1 && end[1] === 1),
  };
}

it('plain training learns both and loses the first', { timeout: 120_000 }, async () => {
  const { learned, kept, second } = await counted({ kind: 'none' });
  expect([learned, second]).toEqual([SEEDS, SEEDS]);
  expect(kept).toBeLessThanOrEqual(2);
});

it.each([
  { kind: 'EWC', title: '@night EWC' },
  { kind: 'online EWC', title: '@night online EWC' },
])('$title keeps the first on more than half of the seeds, and the second is learned', async ({ kind }) => {
  const { learned, kept, second } = await counted({ kind });
  expect([learned, second]).toEqual([SEEDS, SEEDS]);
  expect(kept).toBeGreaterThanOrEqual(6);
});

it.each([
  { title: 'alone @night', cloning: 0 },
  { title: 'with their values cloned @night', cloning: 0.1 },
])('250 transitions of both tasks keep both, $title', { timeout: 120_000 }, async ({ cloning }) => {
  expect((await counted({ kind: 'rehearsal', capacity: 250, cloning })).both).toBe(SEEDS);
});

/** The pupil’s own runs, which are told the task. */
const TOLD = forgets.steps.at(-1)!.own![0]!.config;

it.each([
  { kind: 'none', title: '@night being told alone loses the first on most seeds', least: 0, most: 4 },
  { kind: 'heads', title: '@night heads keep both on more than half of the seeds', least: 6, most: SEEDS },
  { kind: 'packed masks', title: '@night packed masks keep both', least: 9, most: SEEDS },
])('told which task it is: $title', async ({ kind, least, most }) => {
  const { learned, both } = await counted({ kind }, TOLD);
  expect(learned).toBe(SEEDS);
  expect(both).toBeGreaterThanOrEqual(least);
  expect(both).toBeLessThanOrEqual(most);
});
