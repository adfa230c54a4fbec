/** The extension of docs/adding-an-extension.md, taken out of the page: type-checked like the core, and trained in the loops that it fits. */
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { Extension, Stand } from '#core/algos/api/extension.ts';
import { openWalkthrough } from './walkthrough.ts';

const listed = vi.hoisted((): { all: readonly unknown[] } => ({ all: [] }));

vi.mock('#core/algos/extensions/index.ts', async (original) => {
  const { standing } = await import('#core/algos/api/standing.ts');
  const extensionsOf = (stand: Stand) => standing(listed.all as readonly Extension[], stand);
  return Object.fromEntries(Object.keys(await original<object>()).map((list) => [list, extensionsOf]));
});

const page = openWalkthrough('docs/adding-an-extension.md', 'src/core/algos/extensions/gradient-noise');
// Methods ask for their extensions when they are loaded: here anew, and again for the files behind this one.
vi.resetModules();
listed.all = [((await page.load('extension')) as { readonly gradientNoise: Extension }).gradientNoise];
const asListed = (): void => {
  vi.doUnmock('#core/algos/extensions/index.ts');
  vi.resetModules();
};
afterAll(asListed);
const { trained, getAlgo, getEnv } = await (async () => {
  try {
    return {
      ...(await import('#core/testing/trained.ts')),
      ...(await import('#core/algos/all.ts')),
      ...(await import('#core/envs/all.ts')),
    };
  } catch (error) {
    asListed();
    throw error;
  }
})();

test('is there in full and type-checks with the settings of the core', () => {
  expect(page.paths).toEqual(['src/core/algos/extensions/gradient-noise/extension.ts']);
  expect(() => page.typeCheck()).not.toThrow();
}, 120_000);

describe.each(['ppo', 'dqn', 'sac', 'td3'])('%s', (id) => {
  const algo = getAlgo(id);
  const { env, steps, config = {} } = algo.trial;
  const task = (setting: object) => ({ algo, env: getEnv(env), config: { ...config, ...setting }, steps });

  test('learns otherwise with it, the same with a scale of 0, and goes on after a pause with the same bits', async () => {
    const [plain, none, noisy] = [
      await trained(task({})),
      await trained(task({ gradientNoise: { kind: 'layer-wise', scale: 0 } })),
      await trained(task({ gradientNoise: { kind: 'layer-wise', scale: 0.1 } })),
    ];
    expect(none.hash).toBe(plain.hash);
    expect(noisy.hash).not.toBe(plain.hash);
    const half = await trained(task({ gradientNoise: { kind: 'layer-wise', scale: 0.1 } }), { stopAt: steps / 2 });
    const after = await trained(task({ gradientNoise: { kind: 'layer-wise', scale: 0.1 } }), { resume: half.saved });
    expect(after.hash).toBe(noisy.hash);
  });

  test('shows its setting in the form, and its own when it is chosen', () => {
    expect(JSON.stringify(algo.schema.properties?.gradientNoise)).toContain('scale of the noise');
  });
});

test('a method that stands in none of these loops has no such setting', () => {
  expect(() => getAlgo('a2c').parse({ gradientNoise: { kind: 'layer-wise' } })).toThrow('no setting');
});
