import { expect, test } from 'vitest';
import type { AlgoCard, Catalog, EnvCard } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { RunGroup } from '#stores/types.ts';
import { add, show } from '#text/text.ts';
import { runNames, valueText, wordsOf } from './names.ts';

const algoCard = (id: string, title: string): AlgoCard =>
  ({
    id,
    title,
    schema: {
      type: 'object',
      properties: { lr: { type: 'number', title: 'learning rate' }, standardise: { type: 'boolean', title: 'standardise advantages' } },
    },
  }) as unknown as AlgoCard;
const envCard = (id: string, title: string): EnvCard => ({ id, title, schema: { type: 'object', properties: {} } }) as unknown as EnvCard;
const catalog = {
  algos: [algoCard('ppo', 'PPO'), algoCard('dqn', 'DQN')],
  envs: [envCard('cartpole', 'CartPole'), envCard('acrobot', 'Acrobot')],
} as unknown as Catalog;

let made = 0;
function group(name: string, algo: string, settings: JsonObject, env = 'cartpole'): RunGroup {
  const config = runConfigSchema.parse({ env: { id: env }, algo: { id: algo, config: settings }, run: { steps: 1000 } });
  const hash = JSON.stringify(config);
  const rest = { colour: 0, dash: 0, visible: true, note: '', parent: null, executorReason: '', seeds: [] };
  return { id: `${made}`, name, config, hash, createdAt: made++, ...rest };
}
const names = (groups: readonly RunGroup[], within: 'all' | 'alike') => [...runNames(groups, catalog, within).values()];

test('a run is called by what differs from its neighbours, whatever the page had called it', () => {
  const on = group('PPO on CartPole', 'ppo', { lr: 0.1, standardise: true });
  const off = group('PPO on CartPole 2', 'ppo', { lr: 0.1, standardise: false });
  const other = group('PPO on Acrobot', 'ppo', { lr: 0.1, standardise: true }, 'acrobot');
  expect(names([on, off], 'all')).toEqual(['standardise advantages: on', 'standardise advantages: off']);
  expect(names([on, off, other], 'alike')).toEqual(['standardise advantages: on', 'standardise advantages: off', 'PPO on Acrobot']);
  expect(names([on, other], 'all')).toEqual(['CartPole', 'Acrobot']);
});

test('what most runs have goes without saying', () => {
  const usual = { lr: 0.1, standardise: true };
  const three = [usual, { ...usual, lr: 0.2 }, { ...usual, standardise: false }].map((settings) =>
    group('PPO on CartPole', 'ppo', settings),
  );
  expect(names(three, 'all')).toEqual([
    'learning rate: 0.1, standardise advantages: on',
    'learning rate: 0.2',
    'standardise advantages: off',
  ]);
});

test('a name that a person gave stays, and a run alone keeps the one it has', () => {
  const mine = group('the good one', 'ppo', { lr: 0.1 });
  const plain = group('PPO on CartPole', 'ppo', { lr: 0.0003 });
  const other = group('PPO on CartPole 2', 'ppo', { lr: 0.01 });
  expect(names([mine, plain, other], 'all')).toEqual(['the good one', 'learning rate: 3e-4', 'learning rate: 0.01']);
  // one that is alone among named ones need not list what it has otherwise
  expect(names([mine, plain], 'all')).toEqual(['the good one', 'PPO on CartPole']);
  expect(names([plain], 'all')).toEqual(['PPO on CartPole']);
});

test('runs of the same config are numbered as they were started', () => {
  const a = group('PPO on CartPole', 'ppo', { lr: 0.1 });
  const again = group('PPO on CartPole 2', 'ppo', { lr: 0.1 });
  const other = group('PPO on CartPole 3', 'ppo', { lr: 0.2 });
  expect(names([other, again, a], 'all')).toEqual(['learning rate: 0.2', 'learning rate: 0.1 (run 2)', 'learning rate: 0.1 (run 1)']);
  expect(names([a, again], 'all')).toEqual(['PPO on CartPole', 'PPO on CartPole 2']);
});

test('runs whose values read alike are numbered too', () => {
  const long = (last: string): RunGroup => group('PPO on CartPole', 'ppo', { note: `a value of more than two dozen letters, ${last}` });
  expect(names([long('a'), long('b')], 'all')).toEqual([
    'note: a value of more than tw… (run 1)',
    'note: a value of more than tw… (run 2)',
  ]);
});

test('values are short', () => {
  const none = { schema: null };
  expect([true, null, 0.0003, 300_000, [64, 64], undefined].map((value) => valueText(value, none))).toEqual([
    'on', 'auto', '3e-4', '300\u202fk', '64, 64', '–',
  ]); // biome-ignore format: one line
  expect(valueText(null, { schema: { empty: 'off' } })).toBe('off');
  const of = (value: number, unit: string): string => valueText(value, { schema: { unit } });
  expect([of(1, 'cells'), of(2, 'cells'), of(1, 'critic updates'), of(1, 'tries')]).toEqual([
    '1 cell',
    '2 cells',
    '1 critic update',
    '1 try',
  ]);
  expect([of(1, 's'), of(1, 'm/s'), of(1, 'per step'), of(1, 'm, rad/s')]).toEqual(['1 s', '1 m/s', '1 per step', '1 m, rad/s']);
});

test('the ends of a range that is drawn from are called by the setting', () => {
  const poleMass = { type: 'number', title: 'mass of the pole', unit: 'kg' } as const;
  const card: EnvCard = { ...envCard('cartpole', 'CartPole'), schema: { type: 'object', properties: { poleMass } } };
  const within: Catalog = { ...catalog, envs: [card] };
  const { config } = group('PPO on CartPole', 'ppo', {});
  const words = (field: string) => wordsOf(field, config, within);
  expect(words('env.contexts.draw.poleMass.from')).toMatchObject({ title: 'mass of the pole, from', schema: { unit: 'kg' } });
  expect(words('env.contexts.draw.poleMass.scale')).toEqual({ title: 'mass of the pole, scale', schema: null });
  expect(words('env.contexts.draw.poleMass').title).toBe('mass of the pole, drawn');
});

test('a name that the page gave is in the language of the page, its number with it; one that a person gave is not touched', async () => {
  await add('es', { '{algo} on {env}': '{algo} en {env}' });
  const [first, mine] = [group('PPO on CartPole 2', 'ppo', {}), group('PPO on my pole', 'ppo', {})];
  try {
    show('es');
    expect([...runNames([first], catalog, 'all').values(), ...runNames([mine], catalog, 'all').values()]).toEqual([
      'PPO en CartPole 2',
      'PPO on my pole',
    ]);
  } finally {
    show('en');
  }
  expect([...runNames([first], catalog, 'all').values()]).toEqual(['PPO on CartPole 2']);
});
