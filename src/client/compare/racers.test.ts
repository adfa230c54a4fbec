import { expect, test } from 'vitest';
import { canRace, racers } from './racers.ts';

test('three methods take over sizes and start of a run, and nothing of its loss', () => {
  const own = { width: 32, cloning: { kind: 'on', steps: 46 }, entropyCoef: 0.05, averaging: 'sum', prompts: 8 };
  const all = racers(own);
  expect(all.map(({ title }) => title)).toEqual(['GRPO', 'Dr. GRPO', 'RAFT']);
  for (const { config } of all) {
    expect(config).toMatchObject({ width: 32, prompts: 8, cloning: own.cloning });
    expect(config).not.toHaveProperty('entropyCoef');
  }
});

test('a run from nothing gets a cloned start for all three, one from pretrained weights keeps them', () => {
  for (const { config } of racers({ cloning: { kind: 'off' }, pretrained: { kind: 'not used' } }))
    expect(config.cloning).toEqual({ kind: 'on', steps: 60 });
  for (const { config } of racers({ cloning: { kind: 'off' }, pretrained: { kind: 'stories' } }))
    expect(config.cloning).toEqual({ kind: 'off' });
  expect(canRace({ id: 'group-rl' })).toBe(true);
  expect(canRace({ id: 'dpo' })).toBe(false);
});
