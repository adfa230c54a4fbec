/** What a sandbox says may be anything: only whole, bounded messages are read. */
import { expect, it } from 'vitest';
import { type FrameLayout, frameSize } from '../game/frames.ts';
import { toBase64 } from '../kit/bytes.ts';
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
      kind: 'world',
      id: 'own-1',
      title: 'A',
      about: 'B',
      layout: points,
      agents: 1,
      agentNames: ['agent'],
      settings: [],
      actions: ['left'],
      sees: '1 number',
      names: ['place'],
      maxSteps: 5,
      fps: 8,
      methods: [],
      recommended: { algo: 'ppo', steps: 1 },
      policies: [],
      seats: false,
      metrics: [],
      ...changes,
    },
  });

const part = { name: 'a', shape: 'box', size: [1, 1, 1], colour: 0 };
const bodies = (changes: object) => ({ kind: 'bodies', parts: [part], extra: [], bounds: [0, 0, 0, 1, 1, 1], ...changes });
const table = (item: object) => ({ kind: 'table', items: [{ x: 0, y: 0, ...item }], bounds: [0, 0, 1, 1] });
const network = {
  kind: 'network',
  nodes: 1,
  links: 0,
  states: [{ name: 'a', colour: 'red' }],
  linkKinds: [{ name: 'a', colour: 'red' }],
  extra: [],
};
const progress = (changes: object): string =>
  JSON.stringify({ kind: 'progress', id: 1, step: 1, return: 1, old: null, metrics: [], stepsPerSecond: 1, ...changes });

it('reads its own messages', () => {
  expect(readSaid(progress({}))?.kind).toBe('progress');
  expect(readSaid(ready({}))?.kind).toBe('ready');
  const said = readSaid(played({}));
  expect(said?.kind === 'played' && readEpisode(said.episode)?.frames.length).toBe(6);
});

it.each([
  ['no text', 5],
  ['an object', { kind: 'ready' }],
  ['no JSON', '{'],
  ['an unknown kind', '{"kind":"eval","code":"1"}'],
  ['one that says more', '{"kind":"progress","id":1,"step":1,"return":1,"old":null,"metrics":[],"stepsPerSecond":1,"html":"<b>"}'],
  ['a prototype', '{"kind":"progress","id":1,"step":1,"return":1,"old":null,"metrics":[],"stepsPerSecond":1,"__proto__":{"polluted":1}}'],
  ['a step that is no number', progress({ step: '1' })],
  ['a step below nothing', progress({ step: -1 })],
  ['a number that is too large for JSON', progress({}).replace('"step":1', '"step":1e999')],
  ['a text without end', JSON.stringify({ kind: 'refused', failure: { message: 'x'.repeat(5000), fix: '' }, line: null })],
  ['a message of more characters', `"${'x'.repeat(LONGEST_MESSAGE)}"`],
  ['a title without end', ready({ title: 'x'.repeat(1000) })],
  ['a picture of a billion points', ready({ layout: { ...points, count: 1e9, groups: [{ name: 'disc', count: 1e9, shape: 'disc' }] } })],
  ['groups that do not add up', ready({ layout: { ...points, count: 5 } })],
  ['a view without width', ready({ layout: { ...points, bounds: [0, 0, 0, 1] } })],
  ['a board of a million cells', ready({ layout: { ...grid, width: 1000, height: 1000 } })],
  ['a shape that is none', ready({ layout: { ...points, groups: [{ name: 'a', count: 1, shape: 'script' }] } })],
  ['a picture of another kind', ready({ layout: { kind: 'html', text: '<img src=x>' } })],
  ['bodies without columns', ready({ layout: { kind: 'bodies', parts: [], extra: [], bounds: [0, 0, 0, 1, 1, 1] } })],
  ['a thousand bodies', ready({ layout: bodies({ parts: Array.from({ length: 1000 }, () => part) }) })],
  ['a body of more sizes', ready({ layout: bodies({ parts: [{ ...part, size: [1, 1, 1, 1] }] }) })],
  ['a body without end', ready({ layout: bodies({ parts: [{ ...part, size: [1e300, 1, 1] }] }) })],
  ['a body in a colour that is code', ready({ layout: bodies({ parts: [{ ...part, colour: 'url(https://example.org)' }] }) })],
  ['a drive of a part that is not there', ready({ layout: bodies({ drive: { part: 7, kind: 'push' } }) })],
  ['a camera on a part that is not there', ready({ layout: bodies({ follow: 7 }) })],
  ['a view inside out', ready({ layout: bodies({ bounds: [1, 1, 1, 0, 0, 0] }) })],
  ['a path of a million points', ready({ layout: bodies({ fixtures: [{ kind: 'path', points: new Array(1e5).fill(0) }] }) })],
  ['a fixture that is none', ready({ layout: bodies({ fixtures: [{ kind: 'script', src: 'x' }] }) })],
  ['rotors without end', ready({ layout: bodies({ rotors: { count: 1e6, hover: 1 } }) })],
  ['payoffs that do not fit', ready({ layout: table({ kind: 'payoff', rows: ['a'], columns: ['b'], payoffs: [] }) })],
  ['a thing on the table that is none', ready({ layout: table({ kind: 'frame', src: 'https://example.org' }) })],
  ['a network of a million nodes', ready({ layout: { ...network, nodes: 1e6 } })],
  ['links of no kind', ready({ layout: { ...network, linkKinds: [] } })],
  ['rays of points that are not there', ready({ layout: { ...points, rays: { agents: 5, count: 1, range: 1 } } })],
  ['a grid without looks', ready({ layout: { ...grid, looks: [] } })],
  ['a kind of code that is none', ready({ kind: 'page' })],
  ['a base that says more', ready({ base: { id: 'cartpole', title: 'CartPole', html: '<b>' } })],
  ['a setting of another part', ready({ settings: [{ name: 'a', of: 'page', title: 'a', about: '', value: 1 }] })],
  ['names without end', ready({ names: Array.from({ length: 100_000 }, () => 'x') })],
  ['curves without end', ready({ metrics: Array.from({ length: 50 }, (_, i) => ({ id: `m${i}`, title: 'm' })) })],
  ['more numbers than it has curves for', progress({ metrics: new Array(50).fill(1) })],
  ['a number of a curve that is none', progress({ metrics: ['<b>'] })],
  ['scores of nobody', '{"kind":"scored","id":1,"scores":[{"who":"mine","returns":[],"old":null}]}'],
  ['scores without end', JSON.stringify({ kind: 'scored', id: 1, scores: [{ who: 'mine', returns: new Array(1000).fill(1), old: null }] })],
  ['a state that is no text', '{"kind":"saved","id":1,"step":1,"state":{"meta":{}}}'],
  ['a state of a step below nothing', '{"kind":"saved","id":1,"step":-1,"state":""}'],
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

it('reads pictures of every kind', () => {
  for (const layout of [points, grid, bodies({}), table({ kind: 'chips', team: 0 }), network])
    expect(readSaid(ready({ layout }))?.kind).toBe('ready');
});

it.each<[string, object, readonly number[], readonly number[]]>([
  ['looks and colours that are not there', grid, [99, -5, 1, 0, 0, 0], [0, 0, 1, 0, 0, 0]],
  ['chips below nothing', table({ kind: 'chips', team: 0 }), [-3, 1e9], [0, 1000]],
  ['faces that are not there', table({ kind: 'card', faces: ['K'] }), [-9, 7], [-2, 0]],
  ['states that are not there', network, [5, 9, -1, -1], [0, 1, 0, 0]],
  ['places beyond all bounds', bodies({}), [1e30, 0, 0, 0, 0, 0, 1], [1e6, 0, 0, 0, 0, 0, 1]],
])('brings %s into range', (_, layout, frames, shown) => {
  const size = frameSize(layout as FrameLayout);
  const said = readSaid(played({ layout, frames: floats(...frames), rewards: floats(...new Array(frames.length / size - 1).fill(0)) }));
  expect(said?.kind === 'played' && [...(readEpisode(said.episode)?.frames ?? [])]).toEqual(shown);
});

it('shows numbers that are not finite as 0', () => {
  const said = readSaid(played({ frames: floats(Number.NaN, Infinity, 2, 0, 0, 0) }));
  expect(said?.kind === 'played' && [...(readEpisode(said.episode)?.frames ?? [])]).toEqual([0, 0, 2, 0, 0, 0]);
});
