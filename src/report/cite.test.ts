import { expect, test } from 'vitest';
import { algos } from '#core/algos/all.ts';
import { envs } from '#core/envs/all.ts';
import { type Cited, citeAll, citedSources, citeSource } from './cite.ts';

const cartpole: Cited = {
  kind: 'environment',
  id: 'cartpole',
  title: 'CartPole',
  version: 1,
  source: {
    title: 'Neuronlike adaptive elements & more',
    authors: 'Barto, Van Roy and Anderson',
    year: 1983,
    url: 'https://doi.org/10.1109/TSMC.1983.6313077',
  },
};

test('an environment is cited with its version, the workbench and where it comes from', () => {
  const text = citeAll(cartpole, '0.3.0 (a_b)', 2026);
  expect(text.match(/^@\w+{[^,]+,$/gm)).toEqual([
    '@software{rlworkbench,',
    '@misc{rlworkbench-environment-cartpole,',
    '@misc{barto1983-neuronlike-adaptive-elements-more,',
  ]);
  expect(text).toContain('{{CartPole}, the environment cartpole of RL Workbench, version 1}');
  expect(text).toContain('{After Barto, Van Roy and Anderson (1983)}');
  expect(text).toContain('{Barto and {Van Roy} and Anderson}');
  expect(text).toContain('{{Neuronlike adaptive elements \\& more}}');
});

test('what is of this project has no source, and a source stands once', () => {
  const own = { title: 'A world', authors: 'RL Workbench', year: 2026 };
  expect(citeSource(own)).toBe('');
  expect(citedSources([own])).toBe('');
  expect(citedSources([cartpole.source, own, cartpole.source]).match(/^@/gm)).toHaveLength(1);
  expect(citeSource({ title: 'A', authors: 'Schulman et al.', year: 2017 })).toContain('{Schulman and others}');
});

test('every environment and method has entries whose braces close and whose keys are ASCII', () => {
  const keys = new Map<string, string>();
  for (const [kind, all] of [['environment', envs] as const, ['method', algos] as const])
    for (const { id, title, version, source } of all) {
      const text = citeAll({ kind, id, title, version, source }, '1', 2026);
      const bare = text.replaceAll(/\\[{}]/g, '');
      expect([id, bare.split('{').length]).toEqual([id, bare.split('}').length]);
      for (const [, key = ''] of text.matchAll(/^@\w+{(.*),$/gm)) expect([id, key]).toEqual([id, expect.stringMatching(/^[a-z0-9-]+$/)]);
      const key = /^@misc{(.*),$/m.exec(citeSource(source))?.[1];
      if (key === undefined) continue;
      // one key names one source
      const named = source.title.toLowerCase();
      expect([key, keys.get(key) ?? named]).toEqual([key, named]);
      keys.set(key, named);
    }
});
