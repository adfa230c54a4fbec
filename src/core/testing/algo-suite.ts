/** What every method must hold, listed or not: asked of all in the registry and of the one that docs/adding-an-algorithm.md builds. */
import { describe, expect, it } from 'vitest';
import { kindsOf } from '#contract/catalog/variants.ts';
import type { AlgoEntry } from '../algos/api/types.ts';
import { getEnv } from '../envs/all.ts';
import { probesById } from './probes.ts';
import { expectSameArrays } from './same-numbers.ts';
import { type Task, trained } from './trained.ts';

export function algoSuite(algo: AlgoEntry): void {
  describe(algo.id, () => {
    describeCard(algo);
    const { env, ...rest } = algo.trial;
    const trial: Task = { algo, env: getEnv(env), ...rest };

    it('repeats its trial, resumes it bit for bit, and its snapshot acts like the run', async () => {
      const whole = await trained(trial);
      expect(whole.snapshotReturn).toBe(whole.evalReturn);
      // The stage says “always its best action” of every other method.
      if (whole.drawn) expect(algo.mixed).toBeTruthy();
      const half = await trained(trial, { stopAt: whole.steps / 2 });
      expect(half.steps).toBeLessThan(whole.steps);
      const rest = await trained(trial, { resume: half.saved });
      expect([...half.rows, ...rest.rows]).toEqual(whole.rows);
      expect([rest.hash, rest.evalReturn, rest.snapshotReturn]).toEqual([whole.hash, whole.evalReturn, whole.evalReturn]);
      expectSameArrays(rest.saved.arrays, whole.saved.arrays, 'of the last state');
      // Methods that learn from samples learn something else from others.
      if (algo.probes.length > 0) expect((await trained({ ...trial, seed: 2 })).hash).not.toBe(whole.hash);
    }, 60_000);

    it.each(algo.probes.flatMap(({ on, ...task }) => on.map((id) => ({ id, ...task }))))(
      'solves probe $id in $steps steps',
      async ({ id, steps, config, atLeast = 1 }) => {
        const env = probesById[id];
        const { evalReturn } = await trained({ algo, env, config: { ...algo.probeConfig, ...config }, steps });
        expect(evalReturn).toBeGreaterThanOrEqual(atLeast - 1e-6);
      },
      60_000,
    );
  });
}

function describeCard(algo: AlgoEntry): void {
  it('has a complete source and fields that explain themselves', () => {
    expect(algo.source.authors).not.toBe('');
    expect(algo.source.year).toBeGreaterThan(1900);
    const fields = Object.entries(algo.schema.properties ?? {});
    const inner = fields.flatMap(([key, field]) =>
      kindsOf(field).flatMap((kind) => Object.entries(kind.fields).map(([name, own]) => [`${key}.${name}`, own] as const)),
    );
    for (const [name, field] of [...fields, ...inner]) {
      expect(field.title, `${algo.id}.${name}`).toBeTruthy();
      expect(field.description, `${algo.id}.${name}`).toMatch(/\.$/);
      expect(field.default, `${algo.id}.${name}`).not.toBe(undefined);
    }
  });

  it('has presets with titles that parse and differ from the defaults', () => {
    expect(algo.parse(algo.parse({}))).toEqual(algo.parse({}));
    for (const preset of algo.presets) {
      expect(preset.title).not.toBe('');
      expect(algo.parse(preset.config)).not.toEqual(algo.parse({}));
    }
  });

  it('describes every metric', () => {
    for (const metric of algo.metrics) expect(metric.description).toMatch(/[.!]$/);
    expect(new Set(algo.metrics.map((m) => m.id)).size).toBe(algo.metrics.length);
  });
}
