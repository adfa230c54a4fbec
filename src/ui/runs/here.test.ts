import { expect, test } from 'vitest';
import { runConfigSchema } from '#contract/run/config.ts';
import type { Origin } from '#contract/run/origin.ts';
import { activeIn, newSeed } from '#stores/runs.ts';
import type { RunGroup } from '#stores/types.ts';
import { inWorld, runAt, runsHere } from './here.ts';

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

test('in the laboratory of one world no curve of another world stands, whichever run is active', () => {
  const there = runConfigSchema.parse({ env: { id: 'cliff-walking' }, algo: { id: 'q-learning' }, run: { steps: 1000 } });
  const arm = { ...run('arm', { kind: 'paper', title: 'P058, dqn', address: '#/papers/P058' }), config: there };
  const hidden = { ...run('hidden'), visible: false };
  const ids = (list: readonly RunGroup[]): readonly string[] => list.map(({ id }) => id);
  const here = inWorld([arm, run('mine'), hidden], 'arm', 'cartpole', null);
  expect([ids(here.alike), ids(here.visible), here.elsewhere]).toEqual([['mine', 'hidden'], ['mine'], 1]);
  expect(ids(inWorld([arm, run('mine')], 'mine', 'cliff-walking', null).visible)).toEqual(['arm']);
  expect(inWorld([arm], 'arm', 'pendulum', null)).toEqual({ alike: [], visible: [], elsewhere: 1 });
  // a lesson's own reward makes another id of the same world
  expect(ids(inWorld([arm, run('mine')], 'arm', 'cartpole', 'reward').visible)).toEqual(['arm']);
});

test('the active run counts as none in another world', () => {
  const groups = [run('mine')];
  expect(activeIn({ groups, activeId: 'mine' }, 'cartpole')?.id).toBe('mine');
  expect(activeIn({ groups, activeId: 'mine' }, 'pendulum')).toBeNull();
});

test('a run that is over is not shown in another world; one that goes on can be paused there', () => {
  const at = (state: 'done' | 'running', env: string): string | undefined =>
    runAt({ groups: [{ ...run('mine'), seeds: [{ ...newSeed(1), state }] }], activeId: 'mine' }, env)?.id;
  expect([at('done', 'cartpole'), at('running', 'cartpole'), at('running', 'pendulum')]).toEqual(['mine', 'mine', 'mine']);
  expect(at('done', 'pendulum')).toBeUndefined();
});
