import { expect, it } from 'vitest';
import { asTasks } from './context-tasks.ts';
import type { Contexts } from './contexts.ts';

const order = { by: 'blocks', steps: 100 } as const;

it.each<[string, Contexts, Contexts]>([
  ['a range: its two ends', { draw: { mass: { from: 1, to: 3 } }, tell: true }, { list: [{ mass: 1 }, { mass: 3 }], order, tell: true }],
  [
    'a range beside a longer list: the high end stays',
    { draw: { mass: { from: 1, to: 3 }, force: [5, 10, 20] } },
    {
      list: [
        { mass: 1, force: 5 },
        { mass: 3, force: 10 },
        { mass: 3, force: 20 },
      ],
      order,
    },
  ],
  ['tasks that are there get the order', { list: [{ mass: 1 }, { mass: 2 }] }, { list: [{ mass: 1 }, { mass: 2 }], order }],
  ['one value is no sequence', { draw: { mass: [1] } }, { draw: { mass: [1] } }],
  ['a field within another stays drawn', { draw: { 'body.mass': { from: 1, to: 3 } } }, { draw: { 'body.mass': { from: 1, to: 3 } } }],
])('%s', (_, contexts, tasks) => {
  expect(asTasks(contexts, order)).toEqual(tasks);
});
