import { expect, test } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import { decodeLink } from '#contract/link/link.ts';
import { hashOf, type Route, routeOf } from './route.ts';
import { wayOut } from './way-out.ts';

const ROUTES: readonly (readonly [string, Route])[] = [
  ['#/lessons', { page: 'lessons', id: null, query: {} }],
  ['#/lessons/cliff', { page: 'lessons', id: 'cliff', query: {} }],
  ['#/lessons?topic=swarms&q=mean+field', { page: 'lessons', id: null, query: { topic: 'swarms', q: 'mean field' } }],
  ['#/papers/p033', { page: 'papers', id: 'p033', query: {} }],
  ['#/lessons/cliff?arm=a%3Db', { page: 'lessons', id: 'cliff', query: { arm: 'a=b' } }],
];

test.each(ROUTES)('%s is a page and written back the same', (hash, route) => {
  expect(routeOf(hash)).toEqual(route);
  expect(hashOf(route)).toBe(hash);
});

test.each(['', '#', '#/'])('"%s" is the front page', (hash) => {
  expect(routeOf(hash)).toEqual({ page: 'home', id: null, query: {} });
});

test('a paper’s number is found as it is printed', () => {
  expect(routeOf('#/papers/P113')).toEqual({ page: 'papers', id: 'p113', query: {} });
});

test.each(['#/lab', '#env=cartpole', '#1.abc.def', '#stage', '#env=/lessons'])('"%s" is no page', (hash) => {
  expect(routeOf(hash)).toBeNull();
});

test.each(['#/nowhere', '#/lessons/../x', '#/lessons/Cliff/x', '#/constructor', '#/LESSONS'])('%s is refused with a way on', (hash) => {
  expect(() => routeOf(hash)).toThrow(LabError);
  expect(() => routeOf(hash)).toThrow(/There is no page at/);
});

test('an address of a page that is too long says so', () => {
  expect(() => routeOf(`#/write?code=${'x'.repeat(3_000)}`)).toThrow(/It is too long: ask for a file instead/);
});

test('empty values are left out, odd characters survive', () => {
  const hash = hashOf({ page: 'lessons', id: null, query: { q: 'α & β = #1', topic: '' } });
  expect(routeOf(hash)?.query).toEqual({ q: 'α & β = #1' });
});

test('no link of an experiment starts like a page', () => {
  expect(() => decodeLink('#/lessons?env=cartpole')).toThrow(LabError);
  expect(decodeLink('#env=cartpole')).not.toBeNull();
});

test('an unknown page names the pages most like it', () => {
  const meant = (hash: string): string => {
    try {
      routeOf(hash);
    } catch (error) {
      if (error instanceof LabError) return wayOut(error.failure.message, error.failure.fix);
    }
    return '';
  };
  expect(meant('#/paper')).toBe('Did you mean #/papers?');
  expect(meant('#/paper/P133')).toBe('Did you mean #/papers/P133?');
  expect(meant('#/learn')).toBe('Did you mean #/lessons?');
  expect(meant('#/results')).toBe('Did you mean #/scores?');
  expect(meant('#/zzzzzz')).toMatch(/Worlds, Learn, Papers and My runs/);
  expect(wayOut('The file is cut short.', 'Export it again.')).toBe('Export it again.');
});
