import { expect, it } from 'vitest';
import { createEngine } from '#core/engine/index.ts';
import { getEnv } from '#core/envs/all.ts';
import { readParams } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { policyNetwork } from '../../lib/network-policy.ts';
import { createAnswers } from './answers.ts';
import { bilevelProducts } from './bilevel.ts';

it('segments that a step along the loss makes likelier have positive products; the policy is left as it was', async () => {
  const meta = getEnv('noisy-bandit').meta({ arms: 5 });
  const engine = await createEngine('wasm');
  const copy = (name: string) => policyNetwork(engine, meta, { hidden: [8], activation: 'tanh', sharedTrunk: false }, Rng.from(1), name);
  const net = copy('policy');
  const products = bilevelProducts(engine, meta, { net, moments: null, copy }, 2);
  const before = await readParams(engine, net.group);
  const answers = createAnswers(meta, 2, 2, 0);
  // Both segments of the first answer are action 0, both of the second action 1.
  for (const k of [0, 1]) answers.add(1, Rng.from(k), (_, __, ___, action, at) => action.fill(k, at, at + 2));
  const found = await products(answers, Float64Array.of(2, 0.5));
  found.forEach((product, i) => {
    expect(product).toBeCloseTo(i < 2 ? 1 : -1, 2);
  });
  expect(await readParams(engine, net.group)).toEqual(before);
  expect(Array.from(await products(answers, Float64Array.of(1, 1)))).toEqual([0, 0, 0, 0]);
  engine.dispose();
});
