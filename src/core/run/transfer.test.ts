import { expect, test } from 'vitest';
import { getEnv } from '../envs/all.ts';
import { checkTransfer } from './transfer.ts';

const meta = (id: string, config: object = {}) => getEnv(id).meta(config);

test('physics may change, shapes may not', () => {
  expect(() => checkTransfer(meta('cartpole'), meta('cartpole', { gravity: 30 }))).not.toThrow();
  expect(() => checkTransfer(meta('minigrid-empty'), meta('minigrid-empty', { width: 12, height: 12 }))).not.toThrow();
  expect(() => checkTransfer(meta('mpe-simple-spread'), meta('mpe-simple-spread', { agents: 5 }))).toThrow(/3 agents, here there are 5/);
  expect(() => checkTransfer(meta('minigrid-empty'), meta('minigrid-empty', { viewSize: 5 }))).toThrow(/numbers per observation/);
  expect(() => checkTransfer(meta('mpe-simple-spread'), meta('mpe-simple-spread', { continuousActions: true }))).toThrow(
    /discrete actions/,
  );
});
