/** What a sandbox says may be anything: only whole, bounded messages are read. */
import { expect, it } from 'vitest';
import { toBase64 } from './bytes.ts';
import { LONGEST_MESSAGE, readEpisode, readSaid } from './sandbox.ts';

const floats = (...numbers: readonly number[]): string => toBase64(new Uint8Array(Float32Array.from(numbers).buffer));
const points = { kind: 'points', count: 1, bounds: [0, 0, 1, 1], names: [], groups: [{ name: 'disc', count: 1, shape: 'disc' }] };
const grid = { kind: 'grid', width: 1, height: 1, agents: 0, headings: false, looks: ['wall'], colours: ['red'], view: 0, teams: [] };
const episode = { layout: grid, frames: floats(0, 0, 0, 0, 0, 0), rewards: floats(1), ended: 'cut' };
const played = (changes: object): string => JSON.stringify({ kind: 'played', id: 1, episode: { ...episode, ...changes } });
const ready = (changes: object): string =>
  JSON.stringify({
    kind: 'ready',
    world: {
      id: 'own-1',
      title: 'A',
      about: 'B',
      layout: points,
      settings: [],
      actions: ['left'],
      sees: '1 number',
      maxSteps: 5,
      fps: 8,
      methods: [],
      recommended: { algo: 'ppo', steps: 1 },
      ...changes,
    },
  });

it('reads its own messages', () => {
  expect(readSaid(ready({}))?.kind).toBe('ready');
  const said = readSaid(played({}));
  expect(said?.kind === 'played' && readEpisode(said.episode)?.frames.length).toBe(6);
});

it.each([
  ['no text', 5],
  ['an object', { kind: 'ready' }],
  ['no JSON', '{'],
  ['an unknown kind', '{"kind":"eval","code":"1"}'],
  ['one that says more', '{"kind":"progress","id":1,"step":1,"return":1,"stepsPerSecond":1,"html":"<b>"}'],
  ['a prototype', '{"kind":"progress","id":1,"step":1,"return":1,"stepsPerSecond":1,"__proto__":{"polluted":1}}'],
  ['a step that is no number', '{"kind":"progress","id":1,"step":"1","return":1,"stepsPerSecond":1}'],
  ['a step below nothing', '{"kind":"progress","id":1,"step":-1,"return":1,"stepsPerSecond":1}'],
  ['a number that is too large for JSON', '{"kind":"progress","id":1,"step":1e999,"return":1,"stepsPerSecond":1}'],
  ['a text without end', JSON.stringify({ kind: 'refused', failure: { message: 'x'.repeat(5000), fix: '' }, line: null })],
  ['a message of more characters', `"${'x'.repeat(LONGEST_MESSAGE)}"`],
  ['a title without end', ready({ title: 'x'.repeat(1000) })],
  ['a picture of a billion points', ready({ layout: { ...points, count: 1e9, groups: [{ name: 'disc', count: 1e9, shape: 'disc' }] } })],
  ['groups that do not add up', ready({ layout: { ...points, count: 5 } })],
  ['a view without width', ready({ layout: { ...points, bounds: [0, 0, 0, 1] } })],
  ['a board of a million cells', ready({ layout: { ...grid, width: 1000, height: 1000 } })],
  ['a shape that is none', ready({ layout: { ...points, groups: [{ name: 'a', count: 1, shape: 'script' }] } })],
  ['a picture of another kind', ready({ layout: { kind: 'bodies', parts: [], extra: [], bounds: [0, 0, 0, 1, 1, 1] } })],
  ['pictures without end in a second', ready({ fps: 1e9 })],
  ['ten thousand methods', ready({ methods: Array.from({ length: 10_000 }, () => ({ id: 'a', title: 'a' })) })],
  ['a finding of another verdict', '{"kind":"checked","id":1,"findings":[{"id":"a","title":"a","verdict":"<img>","words":""}]}'],
])('does not read %s', (_, text) => {
  expect(readSaid(text)).toBeNull();
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

it.each([
  ['frames that are no numbers', { frames: '!!!' }],
  ['frames that end within a number', { frames: toBase64(new Uint8Array(5)) }],
  ['frames of another size', { frames: floats(1, 2, 3, 4) }],
  ['no frames', { frames: '', rewards: '' }],
  ['rewards for other steps', { rewards: floats(1, 2, 3) }],
])('refuses an episode with %s', (_, changes) => {
  const said = readSaid(played(changes));
  expect(said?.kind === 'played' && readEpisode(said.episode)).toBeNull();
});

it('shows numbers that are not finite as 0', () => {
  const said = readSaid(played({ frames: floats(Number.NaN, Infinity, 2, 0, 0, 0) }));
  expect(said?.kind === 'played' && [...(readEpisode(said.episode)?.frames ?? [])]).toEqual([0, 0, 2, 0, 0, 0]);
});
