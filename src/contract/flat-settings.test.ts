import { expect, it } from 'vitest';
import { flatConfig, nestedConfig, nestedPath } from './flat-settings.ts';

const flat = { lr: 0.1, bonus: 'RND', bonusWeight: 0.5, bonusGamma: 0.9, bonusFeatures: 8, hashBits: 32 };

it('flat names become a variant, whose fields wait for its schema, and come back', () => {
  const nested = nestedConfig('ppo', flat);
  expect(nested).toEqual({ lr: 0.1, bonus: { kind: 'RND', idle: { weight: 0.5, gamma: 0.9, features: 8, bits: 32 } } });
  expect(flatConfig('ppo', nested)).toEqual(flat);
  expect(flatConfig('ppo', { lr: 0.1, bonus: { kind: 'RND', weight: 0.5, gamma: 0.9, features: 8 } }, true)).toEqual(flat);
  expect(flatConfig('ppo', { bonus: { weight: 0.5 } })).toEqual({ bonusWeight: 0.5 });
});

it('switches are the kinds on and off', () => {
  expect(nestedConfig('dqn', { noisy: true })).toEqual({ noisy: { kind: 'on', idle: {} } });
  expect(flatConfig('dqn', { noisy: { kind: 'off' } }, true)).toEqual({ noisy: false, noisySigma: 0.5 });
});

it('a flat name beside the variant counts, in both directions', () => {
  const both = { bonus: { kind: 'RND', weight: 0.5 }, bonusWeight: 0.2 };
  expect(nestedConfig('ppo', both)).toEqual({ bonus: { kind: 'RND', idle: { weight: 0.2 } } });
  expect(flatConfig('ppo', both)).toEqual({ bonus: 'RND', bonusWeight: 0.2 });
});

it('other methods, and configs without such names, are as they are', () => {
  const config = { lr: 1 };
  for (const id of ['ppo', 'sarsa', 'constructor']) {
    expect(nestedConfig(id, config)).toBe(config);
    expect(flatConfig(id, config, true)).toBe(config);
  }
});

it('paths of old edits, locks and sweeps lead to the fields of today', () => {
  expect(nestedPath('ppo', 'algo.bonusWeight')).toBe('algo.bonus.weight');
  expect(nestedPath('ppo', 'algo.lr')).toBe('algo.lr');
  expect(nestedPath('sarsa', 'algo.bonusWeight')).toBe('algo.bonusWeight');
  expect(nestedPath('ppo', 'env.bonusWeight')).toBe('env.bonusWeight');
});
