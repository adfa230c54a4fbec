import { expect, test } from 'vitest';
import { embeddedCard, routeOf } from '#stores/route.ts';
import { cardEmbedCode, embedCode, message, originOf, readCommand } from './embed-protocol.ts';

test('only the four commands of this version are read', () => {
  const command = { to: 'rl-workbench', version: 1, type: 'start' };
  expect(readCommand(command)).toBe('start');
  for (const other of [
    null,
    'start',
    { type: 'start' },
    { ...command, to: 'other' },
    { ...command, version: 2 },
    { ...command, type: 'eval' },
    { ...command, type: 'toString' },
    { ...command, type: ['start'] },
  ])
    expect(readCommand(other)).toBeNull();
});

test('what goes out names itself and its version', () => {
  expect(message({ type: 'ready', title: 'a' })).toEqual({ from: 'rl-workbench', version: 1, type: 'ready', title: 'a' });
});

test('an origin is one, or there is none', () => {
  expect(originOf(undefined)).toBe('*');
  expect(originOf('https://course.example')).toBe('https://course.example');
  for (const wrong of ['https://course.example/path', 'course.example', 'javascript:alert(1)', 'null', '*', ''])
    expect(originOf(wrong)).toBeNull();
});

test('the code to paste names the same link and cannot break out of its attributes', () => {
  const code = embedCode('https://lab.example/x/#1.abc_-.Zz', '"><script>');
  expect(code).not.toContain('<script>');
  const source = /src="([^"]+)"/.exec(code)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(routeOf(source.slice(source.indexOf('#')))).toEqual({ page: 'embed', id: '1.abc_-.Zz', query: { title: '"><script>' } });
});

test('a typed link stands in an embed address too; the page without a link is an address of its own', () => {
  expect(routeOf('#/embed/env=cartpole&algo=ppo?origin=https%3A%2F%2Fa.example')).toEqual({
    page: 'embed',
    id: 'env=cartpole&algo=ppo',
    query: { origin: 'https://a.example' },
  });
  expect(routeOf('#/embed')).toMatchObject({ page: 'embed', id: null });
  expect(() => routeOf(`#/embed/${'a'.repeat(5000)}`)).toThrow();
});

test('the frame of a card is found by its address, and no experiment is taken for one', () => {
  const code = cardEmbedCode('https://lab.example/x/', 'card', { c: '1.abc_-.Zz' }, '"><script>');
  expect(code).not.toContain('<script>');
  const source = /src="([^"]+)"/.exec(code)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const route = routeOf(source.slice(source.indexOf('#')));
  expect(route).toEqual({ page: 'embed', id: 'card', query: { c: '1.abc_-.Zz' } });
  expect(route !== null && embeddedCard(route)).toBe(true);
  const experiment = routeOf('#/embed/env=cartpole&algo=ppo?origin=https%3A%2F%2Fa.example');
  expect(experiment !== null && embeddedCard(experiment)).toBe(false);
});
