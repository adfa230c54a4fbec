import { expect, it } from 'vitest';
import { getAlgo } from '#core/algos/all.ts';
import { getEnv } from '#core/envs/all.ts';
import { fitting, setDespite } from './needs.ts';

const { schema, parse } = getAlgo('ippo');
const seenIn = (id: string) => ({ obs: getEnv(id).meta({}).agents[0]!.obs });
const shown = (id: string, config: unknown = {}): readonly string[] =>
  Object.keys(fitting(schema, seenIn(id), setDespite(schema, parse(config))).properties ?? {});

it('a body of entities is offered where observations are made of things', () => {
  for (const id of ['mpe-simple-spread', 'mpe-simple-tag', 'level-based-foraging']) expect(shown(id), id).toContain('body');
  expect(shown('overcooked')).not.toContain('body');
  expect(shown('overcooked')).toContain('lr');
  expect(Object.keys(fitting(schema, null, '').properties ?? {})).not.toContain('body');
});

it('one that is set is shown anywhere, so that it can be taken back', () => {
  expect(shown('overcooked', { body: 'entities' })).toContain('body');
});
