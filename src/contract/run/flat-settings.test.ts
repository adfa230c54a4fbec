import { expect, it } from 'vitest';
import type { JsonObject } from '../kit/json.ts';
import { flatConfig, nestedConfig, nestedEdit, nestedPath, sameSettings } from './flat-settings.ts';

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
  for (const id of ['ppo', 'a2c', 'constructor']) {
    expect(nestedConfig(id, config)).toBe(config);
    expect(flatConfig(id, config, true)).toBe(config);
  }
});

it('paths of old edits, locks and sweeps lead to the fields of today', () => {
  expect(nestedPath({ algo: 'ppo', env: 'cartpole' }, 'algo.bonusWeight')).toBe('algo.bonus.weight');
  expect(nestedPath({ algo: 'ppo', env: 'cartpole' }, 'algo.lr')).toBe('algo.lr');
  expect(nestedPath({ algo: 'sarsa', env: 'cartpole' }, 'algo.bonusWeight')).toBe('algo.bonusWeight');
  expect(nestedPath({ algo: 'ppo', env: 'cartpole' }, 'env.bonusWeight')).toBe('env.bonusWeight');
});

it('an amount chose the kind where 0 switched something off, and the second of two acted only with the first', () => {
  const moving = { klCoef: 0.1, anchorEvery: 5, kl: 'k1' };
  expect(nestedConfig('group-rl', moving)).toEqual({ reference: { kind: 'moving', idle: { coef: 0.1, every: 5, estimate: 'k1' } } });
  expect(flatConfig('group-rl', nestedConfig('group-rl', moving))).toEqual(moving);
  expect(nestedConfig('group-rl', { klCoef: 0, anchorEvery: 5 })).toEqual({ reference: { kind: 'off', idle: { every: 5 } } });
  expect(flatConfig('group-rl', { reference: { kind: 'fixed', coef: 0.1 } })).toEqual({ klCoef: 0.1, anchorEvery: 0 });
  // a part that says nothing of the first amount leaves the kind open: what it is laid over says it
  expect(nestedConfig('group-rl', { anchorEvery: 5 })).toEqual({ reference: { idle: { every: 5 } } });
  expect(nestedConfig('dpo', { cloning: { kind: 'on', steps: 60, lr: 0.1 }, cloneSteps: 0 })).toEqual({
    cloning: { kind: 'off', idle: { lr: 0.1 } },
  });
  expect(flatConfig('group-rl', { reference: { kind: 'nonsense' } })).toEqual({ reference: { kind: 'nonsense' } });
});

it('a text alone is a kind and a number alone an amount, over what stands beside it', () => {
  expect(nestedConfig('dpo', { cloneSteps: 180, cloning: 'off' })).toMatchObject({ cloning: { kind: 'off' } });
  expect(nestedConfig('dpo', { cloneSteps: 0, cloning: 46 })).toEqual({ cloning: { kind: 'on', idle: { steps: 46 } } });
  expect(flatConfig('dpo', { cloning: 46 })).toEqual({ cloneSteps: 46 });
  expect(nestedPath({ algo: 'dpo', env: 'cartpole' }, 'algo.cloneSteps')).toBe('algo.cloning.steps');
});

it('two worlds are the same whichever way their settings are written', () => {
  const world = (config: JsonObject, id = 'coverage') => ({ id, config });
  const flat = world({ task: 'items', radius: 1, kinds: 4, size: 6 });
  expect(sameSettings(flat, world({ task: { kind: 'items', kinds: 4 }, size: 6 }))).toBe(true);
  expect(sameSettings(flat, world({ task: { kind: 'items', kinds: 3 }, size: 6 }))).toBe(false);
  expect(sameSettings(flat, world({ task: { kind: 'sense' }, size: 6 }))).toBe(false);
  expect(sameSettings(flat, world(flat.config, 'off-switch'))).toBe(false);
});

it('paths of environments lead to the fields of today as well', () => {
  const ids = { algo: 'ppo', env: 't-turns' };
  expect(nestedPath(ids, 'env.secrets')).toBe('env.game.secrets');
  expect(nestedPath(ids, 'env.mistakes')).toBe('env.mistakes');
  expect(nestedPath({ ...ids, env: 't-search' }, 'env.texts')).toBe('env.gaps.texts');
});

it('ends chose the kind: with one that is no null something falls, and what a config leaves out stays as it begins', () => {
  expect(nestedConfig('sarsa', { epsilonFinal: 0.1, decayEpisodes: 20 })).toEqual({
    decay: { kind: 'linear', idle: { alphaFinal: null, epsilonFinal: 0.1, episodes: 20 } },
  });
  expect(nestedConfig('sarsa', { alphaFinal: null, epsilonFinal: null, decayEpisodes: 20 })).toEqual({
    decay: { kind: 'none', idle: { episodes: 20 } },
  });
  expect(nestedConfig('independent-q', { epsilonFinal: 0 })).toEqual({ decay: { kind: 'linear', idle: { epsilonFinal: 0 } } });
  expect(flatConfig('sarsa', { decay: 'linear' })).toEqual({ epsilonFinal: 0.05 });
  expect(flatConfig('sarsa', { decay: { kind: 'none' } }, true)).toEqual({ alphaFinal: null, epsilonFinal: null, decayEpisodes: 5000 });
  const falls = { kind: 'linear', alphaFinal: null, epsilonFinal: 0.1, episodes: 20 };
  expect(nestedConfig('sarsa', { decay: falls, alphaFinal: 0.2 })).toEqual({
    decay: { kind: 'linear', idle: { alphaFinal: 0.2, epsilonFinal: 0.1, episodes: 20 } },
  });
  expect(nestedConfig('sarsa', { decay: falls, epsilonFinal: null })).toEqual({ decay: { kind: 'none', idle: { episodes: 20 } } });
  expect(nestedConfig('sarsa', { decay: falls, decayEpisodes: 5 })).toMatchObject({ decay: { kind: 'linear', idle: { episodes: 5 } } });
  expect(nestedPath({ algo: 'sarsa', env: 'cliff-walking' }, 'algo.decayEpisodes')).toBe('algo.decay.episodes');
});

it('an edit that gives a running method its first end, or takes the last, is one of the whole variant', () => {
  const ids = { algo: 'sarsa', env: 'cliff-walking' };
  const none = { decay: { kind: 'none', idle: { episodes: 20 } } };
  expect(nestedEdit(ids, none, { path: 'algo.epsilonFinal', value: 0.1 })).toEqual({
    path: 'algo.decay',
    value: { kind: 'linear', alphaFinal: null, epsilonFinal: 0.1, episodes: 20 },
  });
  const falls = { decay: { kind: 'linear', alphaFinal: null, epsilonFinal: 0.1, episodes: 20 } };
  expect(nestedEdit(ids, falls, { path: 'algo.epsilonFinal', value: 0.2 })).toEqual({ path: 'algo.decay.epsilonFinal', value: 0.2 });
  expect(nestedEdit(ids, falls, { path: 'algo.epsilonFinal', value: null })).toMatchObject({ path: 'algo.decay', value: { kind: 'none' } });
  expect(nestedEdit(ids, none, { path: 'algo.alpha', value: 0.1 })).toEqual({ path: 'algo.alpha', value: 0.1 });
});
