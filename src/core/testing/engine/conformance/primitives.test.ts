import { describe, expect, test } from 'vitest';
import { createEngine } from '#core/engine/index.ts';
import type { Engine } from '#core/engine/types.ts';
import { createWasmEngine } from '#core/engine/wasm/engine.ts';
import { SIZES } from '../fuzz.ts';
import { judge } from './check.ts';
import { type Suite, suites } from './suites.ts';

async function expectAll(engine: Engine, { cases: make, tolerance }: Suite): Promise<void> {
  const cases = make();
  for (const c of cases) {
    const { error, where, repeatable } = await judge(engine, c);
    expect(error, `${c.name}, ${where}`).toBeLessThan(tolerance);
    expect(repeatable, `${c.name} run twice`).toBe(true);
  }
  expect(cases.length).toBeGreaterThan(0);
}

describe('wasm, unused memory full of NaN', () => {
  test.each(Object.entries(suites(SIZES)))('%s', async (_, suite) => {
    const engine = await createWasmEngine({ poison: true });
    await expectAll(engine, suite);
    engine.dispose();
  });
});

describe('tfjs-cpu', () => {
  test.each(Object.entries(suites([1, 2, 3, 5, 17])))('%s', async (_, suite) => {
    const engine = await createEngine('tfjs-cpu');
    await expectAll(engine, suite);
    engine.dispose();
  });
});
