import { expect, test } from 'vitest';
import { LabError } from '../kit/errors.ts';
import { decodeLink } from '../link/link.ts';
import { runConfigSchema } from './config.ts';
import { readPath, setAt, writePath } from './paths.ts';

const config = runConfigSchema.parse({
  env: { id: 'grid', config: { map: ['SF', 'FG'], end: { rule: 'goal' } } },
  algo: { id: 'ppo', config: { lr: 0.001 } },
});

test('fields are read and written by name, into objects and lists, without touching the original', () => {
  expect(readPath(config, 'algo.lr')).toBe(0.001);
  expect(readPath(config, 'env.end.rule')).toBe('goal');
  expect(readPath(config, 'env.map.1')).toBe('FG');
  expect(readPath(config, 'run.steps')).toBe(500_000);
  expect(readPath(config, 'env.none.deeper')).toBeUndefined();
  const next = writePath(writePath(writePath(config, 'env.map.1', 'HG'), 'env.end.rule', 'time'), 'run.steps', 7);
  expect(next.env.config).toEqual({ map: ['SF', 'HG'], end: { rule: 'time' } });
  expect(next.run.steps).toBe(7);
  expect(next.algo).toBe(config.algo);
  expect(config.env.config.map).toEqual(['SF', 'FG']);
  expect(writePath(config, 'algo.lr', undefined).algo.config).toEqual({});
});

test('names outside the three rooms are refused', () => {
  for (const path of ['lr', 'worker.lr', 'env.', 'env..x', '']) expect(() => writePath(config, path, 1)).toThrow(LabError);
});

test('typed links, edits and forms set parts the same way: lists stay lists, what is missing becomes an object', () => {
  expect(setAt({ map: [1, 2] }, ['map', '2'], 3)).toEqual({ map: [1, 2, 3] });
  expect(setAt({ map: [1, 2] }, ['map', '5'], 3)).toEqual({ map: [1, 2] });
  expect(setAt({ a: 1 }, ['a', 'b', 'c'], 3)).toEqual({ a: { b: { c: 3 } } });
  expect(decodeLink('#env=grid&algo=ppo&env.map=[1,2]&env.map.1=7&algo.net.hidden=8')?.config).toMatchObject({
    env: { config: { map: [1, 7] } },
    algo: { config: { net: { hidden: 8 } } },
  });
});

test('a kind that was set by its name alone keeps its kind beside its fields, whichever comes first, in links and in edits', () => {
  const link = (text: string) => decodeLink(`#env=cartpole&algo=ppo&${text}`)?.config;
  expect(link('algo.noise=on&algo.noise.scale=0.1')).toMatchObject({ algo: { config: { noise: { kind: 'on', scale: 0.1 } } } });
  expect(link('algo.bonus=counts&algo.bonus.weight=0.5')).toMatchObject({ algo: { config: { bonus: { kind: 'counts', weight: 0.5 } } } });
  expect(link('algo.noise.scale=0.1&algo.noise=on')).toEqual(link('algo.noise=on&algo.noise.scale=0.1'));
  expect(writePath(writePath(config, 'algo.noise.scale', 0.1), 'algo.noise', 'on').algo.config.noise).toEqual({ kind: 'on', scale: 0.1 });
  const edited = writePath(writePath(config, 'algo.noise', 'on'), 'algo.noise.scale', 0.1);
  expect(edited.algo.config.noise).toEqual({ kind: 'on', scale: 0.1 });
  expect(writePath(writePath(config, 'algo.noise', 'on'), 'algo.noise.kind', 'off').algo.config.noise).toEqual({ kind: 'off' });
});
