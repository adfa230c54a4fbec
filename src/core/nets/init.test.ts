import { describe, expect, test } from 'vitest';
import { Rng } from '#math/rng.ts';
import golden from './golden/algo-init.json' with { type: 'json' };
import * as init from './init.ts';

const find = (name: string) => golden.cases.find((c) => c.name === name)! as unknown as { input: never; expected: never };
const close = (a: number, b: number) => expect(Math.abs(a - b)).toBeLessThan(1e-9 * Math.max(1, Math.abs(b)));

describe('golden', () => {
  test.each(['tall', 'wide'])('orthogonal, %s', (name) => {
    const { gaussian, gain } = find(name).input as { gaussian: number[][]; gain: number };
    const { weight } = find(name).expected as { weight: number[][] };
    const out = init.orthonormalise(gaussian.flat(), gaussian.length, gaussian[0]!.length, gain);
    weight.flat().forEach((w, i) => {
      close(out[i]!, w);
    });
  });
  test('bounds and deviations', () => {
    const expected = (name: string) => find(name).expected as Record<string, number>;
    close(init.kaimingBound(64), expected('torch_linear_default').weight_bound!);
    close(init.xavierBound(4, 64), expected('glorot_uniform').bound!);
    close(init.heStd(64), expected('he_normal').std!);
    close(init.lecunStd(64), expected('lecun_normal_trunc').std_before_truncation!);
  });
});

describe('draws', () => {
  test('orthogonal has orthonormal rows or columns at all shapes', () => {
    for (const [rows, cols] of [
      [1, 1],
      [1, 7],
      [7, 1],
      [65, 64],
      [64, 65],
      [4, 64],
    ] as const) {
      const w = init.orthogonal(Rng.from(3), rows, cols, 2);
      const wide = cols > rows;
      const n = Math.min(rows, cols);
      for (let a = 0; a < n; a++)
        for (let b = 0; b < n; b++) {
          let dot = 0;
          for (let i = 0; i < Math.max(rows, cols); i++)
            dot += wide ? w[a * cols + i]! * w[b * cols + i]! : w[i * cols + a]! * w[i * cols + b]!;
          expect(Math.abs(dot - (a === b ? 4 : 0))).toBeLessThan(2e-6);
        }
    }
  });
  test('uniform draws fill their bound and no more; a seed repeats', () => {
    const w = init.xavierUniform(Rng.from(1), 40, 60);
    const bound = init.xavierBound(40, 60);
    const largest = w.reduce((m, x) => Math.max(m, Math.abs(x)), 0);
    expect(largest).toBeLessThanOrEqual(Math.fround(bound));
    expect(largest).toBeGreaterThan(0.99 * bound);
    expect(init.xavierUniform(Rng.from(1), 40, 60)).toEqual(w);
    expect(init.kaimingUniform(Rng.from(2), 64, 5).every((x) => Math.abs(x) <= 0.125)).toBe(true);
  });
  test('normal draws have the deviation they name', () => {
    const std = (w: Float32Array) => Math.sqrt(w.reduce((s, x) => s + x * x, 0) / w.length);
    expect(std(init.heNormal(Rng.from(1), 64, 20000)) / init.heStd(64)).toBeCloseTo(1, 1);
    const cut = init.lecunNormal(Rng.from(1), 64, 20000);
    expect(std(cut) / 0.125).toBeCloseTo(1, 1);
    expect(cut.every((x) => Math.abs(x) <= 2 * init.lecunStd(64))).toBe(true);
  });
  test('constants', () => {
    expect([...init.zeros(2), ...init.constant(2, 3)]).toEqual([0, 0, 3, 3]);
  });
});
