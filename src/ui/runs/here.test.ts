import { expect, test } from 'vitest';
import { runConfigSchema } from '#contract/config.ts';
import type { Origin } from '#contract/origin.ts';
import type { RunGroup } from '#stores/types.ts';
import { runsHere } from './here.ts';

const config = runConfigSchema.parse({ env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: { steps: 1000 } });

function run(id: string, origin?: Origin): RunGroup {
  const rest = { hash: 'h', colour: 0, dash: 0, createdAt: 0, visible: true, note: '', parent: null, executorReason: '' };
  return { id, name: id, config, seeds: [], ...rest, ...(origin !== undefined && { origin }) };
}
const lesson = (id: string, step: number): Origin => ({
  kind: 'lesson',
  title: `${id}, step ${step}`,
  address: `#/lessons/${id}?step=${step}`,
});
const groups = [
  run('mine', { kind: 'own', title: '' }),
  run('older'),
  run('opened', { kind: 'link', title: '' }),
  run('two', lesson('bandit', 2)),
  run('five', lesson('bandit', 5)),
  run('cliff', lesson('cliff', 2)),
  run('arm', { kind: 'paper', title: 'P058, dqn', address: '#/papers/P058' }),
];
const names = (activeId: string | null, at: string | null) => runsHere(groups, activeId, at).map(({ id }) => id);

test('own runs stand without those of lessons and papers', () => {
  expect(names(null, null)).toEqual(['mine', 'older', 'opened']);
  expect(names('mine', null)).toEqual(['mine', 'older', 'opened']);
});

test('beside an active run of a lesson or a paper stand the others from there', () => {
  expect(names('two', null)).toEqual(['mine', 'older', 'opened', 'two', 'five']);
  expect(names('arm', null)).toEqual(['mine', 'older', 'opened', 'arm']);
});

test('in a lesson only its own runs stand, whatever was active before', () => {
  expect(names('mine', 'bandit')).toEqual(['two', 'five']);
  expect(names(null, 'dilemma')).toEqual([]);
});
