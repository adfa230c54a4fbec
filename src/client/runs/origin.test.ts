import { expect, test } from 'vitest';
import { runConfigSchema } from '#contract/run/config.ts';
import { originSchema, originText } from '#contract/run/origin.ts';
import { layoutStore } from '#stores/layout.ts';
import { routeStore } from '#stores/route.ts';
import { openedFrom, originOf } from './origin.ts';

const config = runConfigSchema.parse({ env: { id: 'a' }, algo: { id: 'b' } });

test('a set-up that a link opened is of the link until it is changed; in a lesson a run is of the lesson', () => {
  expect(originOf(config, '#/lab')).toEqual({ kind: 'own', title: '' });
  openedFrom(config, { kind: 'link', title: '', address: '#env=a' });
  expect(originOf(config, '#env=a')).toEqual({ kind: 'link', title: '', address: '#env=a' });
  expect(originOf({ ...config, run: { ...config.run, steps: 7 } }, '#env=a')).toEqual({ kind: 'own', title: '' });
  const route = { page: 'lessons', id: 'cliff', query: { step: '3' } } as const;
  routeStore.setState({ route });
  layoutStore.setState({ lesson: { title: 'Cliff, step 3', allCurves: false, why: false, overlays: [], group: false } });
  expect(originText(originOf(config, '#/lessons/cliff?step=3'))).toBe('lesson: Cliff, step 3');
});

test('an origin leads only into this page', () => {
  expect(originSchema.safeParse({ kind: 'paper', title: 'P058', address: '#/papers/p058' }).success).toBe(true);
  expect(originSchema.safeParse({ kind: 'paper', title: 'P058', address: 'javascript:alert(1)' }).success).toBe(false);
  expect(originText(undefined)).toBe('');
});
