import { expect, test } from 'vitest';
import { createWasmEngine } from '#core/engine/wasm/engine.ts';
import { Rng } from '#math/rng.ts';
import { fuzzProgram } from '../fuzz.ts';
import { judge, sensitivity } from './check.ts';

/** Seeds are fixed, so a failure names the program; 600 of them take about 5 s. */
const PROGRAMS = 600;

test('random programs: values, gradients, the same bits twice, inputs left alone', async () => {
  const engine = await createWasmEngine({ poison: true });
  const rng = Rng.from(1);
  for (let seed = 1; seed <= PROGRAMS; seed++) {
    const program = fuzzProgram(seed);
    const { error, where, repeatable } = await judge(engine, { name: `seed ${seed}`, ...program });
    if (error > 2e-5) expect(error, `seed ${seed}, ${where}`).toBeLessThan(20 * sensitivity(program, rng));
    expect(repeatable, `seed ${seed} run twice`).toBe(true);
  }
  engine.dispose();
}, 120_000);
