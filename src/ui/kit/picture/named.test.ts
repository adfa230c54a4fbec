import { expect, test } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { encodeLink } from '#contract/link/link.ts';
import { draftStore } from '#stores/draft.ts';
import { namedPicture } from './named.ts';

test('before the catalogue is here the address names the world whose picture stands', () => {
  const pictures = [
    'cartpole-standard',
    'bandit-11-arms',
    'mountain-car-standard',
    'mountain-car-continuous-standard',
    'taxi-dry',
    'taxi-rainy',
  ];
  expect(namedPicture('#/lab', pictures)).toBe('cartpole-standard'); // the first experiment
  expect(namedPicture('#env=mountain-car&algo=dqn', pictures)).toBe('mountain-car-standard');
  expect(namedPicture('#algo=ucb1&env=bandit', pictures)).toBe('bandit-11-arms');
  expect(namedPicture('#env=taxi', pictures)).toBe(''); // which of the two is not known yet
  expect(namedPicture('#c=AAECAw', pictures)).toBe('');
  expect(namedPicture('#/lessons/cliff', pictures)).toBe('');
  expect(namedPicture('#env=mountain-car&env.gravity=0.001', pictures)).toBe(''); // none is stored of that one
  const linkTo = (config: JsonObject): string =>
    encodeLink({ ...draftStore.getState().config, env: { id: 'mountain-car', version: 1, config } }, { env: {}, algo: {} });
  expect(namedPicture(linkTo({ gravity: 0.001 }), pictures)).toBe('');
  const packed = linkTo({});
  expect(namedPicture(packed, pictures)).toBe('mountain-car-standard');
  expect(namedPicture(packed.slice(0, -2), pictures)).toBe(''); // cut off: who opens it says so
});
