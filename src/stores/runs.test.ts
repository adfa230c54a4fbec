import { expect, test } from 'vitest';
import { runConfigSchema } from '#contract/run/config.ts';
import { applyEvent, changeSeed, findSeed, newSeed, nextLook, runOfHash, runsStore } from './runs.ts';
import type { RunGroup } from './types.ts';

function group(id: string, look: { colour: number; dash: number }): RunGroup {
  return {
    ...look,
    id,
    name: id,
    config: runConfigSchema.parse({ env: { id: 'a' }, algo: { id: 'b' } }),
    hash: '',
    createdAt: 0,
    visible: true,
    note: '',
    parent: null,
    executorReason: '',
    seeds: [newSeed(1), newSeed(2)],
  };
}

test('a run of a config counts from the moment that is given: an earlier one of the same config does not', () => {
  const look = { colour: 0, dash: 0 };
  const groups = [30, 20, 10].map((createdAt) => ({ ...group(String(createdAt), look), hash: 'same', createdAt }));
  expect(runOfHash(groups, 'same')?.id).toBe('30');
  expect(runOfHash(groups, 'same', 30)?.id).toBe('30');
  expect(runOfHash(groups, 'same', 31)).toBeNull();
  expect(runOfHash(groups, 'other')).toBeNull();
});

test('looks are used evenly, and a removed run frees its look without changing the others', () => {
  const groups: RunGroup[] = [];
  for (let i = 0; i < 33; i++) groups.push(group(String(i), nextLook(groups)));
  expect(new Set(groups.slice(0, 32).map((one) => `${one.colour}/${one.dash}`)).size).toBe(32);
  expect(groups.slice(0, 8).map((one) => one.colour)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(groups[32]).toMatchObject({ colour: 0, dash: 0 });
  expect(nextLook(groups.slice(0, 8).filter((one) => one.id !== '3'))).toEqual({ colour: 3, dash: 0 });
});

test('events change exactly their seed', () => {
  runsStore.setState({ groups: [group('x', { colour: 0, dash: 0 }), group('y', { colour: 1, dash: 0 })] });
  const other = runsStore.getState().groups[1];
  changeSeed('x', 2, (run) => applyEvent(run, { kind: 'progress', step: 512, seconds: 2, stepsPerSecond: 256 }));
  expect(findSeed('x', 2)).toMatchObject({ step: 512, seconds: 2, stepsPerSecond: 256 });
  expect(findSeed('x', 1)).toMatchObject({ step: 0 });
  expect(runsStore.getState().groups[1]).toBe(other);
});

test('a failure stays with its state and goes when the seed runs again', () => {
  const error = { id: 'nan-loss', message: 'm', fix: 'f' } as const;
  let run = applyEvent(newSeed(1), { kind: 'state', state: 'failed', step: 9, error });
  expect(run.failure).toEqual(error);
  run = applyEvent(run, { kind: 'mark', step: 9, type: 'warning', text: 't', by: 'system' });
  expect(run.marks).toHaveLength(1);
  expect(applyEvent(run, { kind: 'state', state: 'running', step: 9 }).failure).toBeNull();
});

test('names are never empty, sorting turns on the second press', () => {
  runsStore.setState({ groups: [group('x', { colour: 0, dash: 0 })] });
  const { rename, setSort } = runsStore.getState();
  rename('x', '  ');
  expect(runsStore.getState().groups[0]?.name).toBe('x');
  rename('x', ' better ');
  expect(runsStore.getState().groups[0]?.name).toBe('better');
  setSort('name');
  setSort('name');
  expect(runsStore.getState().sort).toEqual({ column: 'name', down: true });
});
