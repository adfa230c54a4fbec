import { expect, test } from 'vitest';
import { addPolicy } from '#client/runs/policies.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { NEWEST, RANDOM } from '#stores/lineup.ts';
import { resolvePlayers } from './lineup.ts';

const snapshot = (seed: number, step: number) => ({ seed, step }) as PolicySnapshot;

test('players become names of the worker, each policy handed over once', async () => {
  const held: string[] = [];
  const hold = async (runId: string, { seed, step }: PolicySnapshot) => {
    held.push(`${runId}/${seed}/${step}`);
    return `${runId}/${seed}/${step}`;
  };
  addPolicy('run', { ...snapshot(2, 100), saved: { meta: {}, arrays: {} } }, true);
  const players = [NEWEST, RANDOM, 'scripted:expert', 'policy:run/2/100', NEWEST, 'policy:gone/1/5'];
  const newest = { runId: 'run', snapshot: snapshot(1, 500) };
  expect(await resolvePlayers(players, newest, hold)).toEqual(['run/1/500', null, 'scripted:expert', 'run/2/100', 'run/1/500', null]);
  expect(held).toEqual(['run/1/500', 'run/2/100']);
  expect(await resolvePlayers([NEWEST], null, hold)).toEqual([null]);
});
