/** The nine methods on tokens: each is its preset as it stands, and learning by reward begins with the same bits in all of them. */
import { expect, it } from 'vitest';
import { objectOf } from '#contract/kit/json.ts';
import { armConfig } from '#contract/papers/papers.ts';
import { dpo } from '#core/algos/language/dpo.ts';
import { groupRl } from '#core/algos/language/group-rl.ts';
import { tokenPpo } from '#core/algos/language/token-ppo.ts';
import { getEnv } from '#core/envs/all.ts';
import { begun } from '#core/testing/trained.ts';
import { METHODS, nineTokenMethods } from './suites/token-methods.ts';

const ALGOS = { 'group-rl': groupRl, 'token-ppo': tokenPpo, dpo } as const;
const entryOf = (id: string) => ALGOS[id as keyof typeof ALGOS];

it.each(METHODS)('$id is its preset', ({ id, algo, config }) => {
  const { presets } = entryOf(algo);
  expect(config).toEqual(algo === 'group-rl' ? presets.find((preset) => preset.id === id)?.config : {});
});

it('begins with the same weights in all methods, and with others on another seed', async () => {
  const env = getEnv('t-reason');
  const startOf = async (arm: (typeof nineTokenMethods.arms)[number], seed: number): Promise<string> => {
    const { algo, env: world } = armConfig(nineTokenMethods, arm);
    const { id, config } = objectOf(algo);
    const task = {
      algo: entryOf(String(id)),
      config: { ...objectOf(config), cloneSteps: 2 },
      env,
      envConfig: objectOf(objectOf(world).config),
    };
    const { training, end } = begun({ ...task, steps: 100_000, seed });
    await training.next();
    const { arrays } = await (await training.next()).value!.snapshot();
    await end();
    // a critic is PPO's own, and no part of what writes
    const own = Object.entries(arrays).filter(([name]) => !/value|critic|reference/.test(name));
    expect(own.length).toBeGreaterThan(10);
    return JSON.stringify(
      own.map(([name, numbers]) => [name.split('.').slice(1).join('.'), Array.from(numbers as Float32Array).slice(0, 64)]),
    );
  };
  const starts = [];
  for (const arm of nineTokenMethods.arms) starts.push(await startOf(arm, 1001));
  expect(new Set(starts).size).toBe(1);
  expect(await startOf(nineTokenMethods.arms[0]!, 1002)).not.toBe(starts[0]);
});
