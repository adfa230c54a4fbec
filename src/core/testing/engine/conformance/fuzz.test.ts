import { expect, test } from 'vitest';
import { createGraph } from '#core/engine/graph.ts';
import { createWasmEngine } from '#core/engine/wasm/engine.ts';
import { Rng } from '#math/rng.ts';
import { type FuzzProgram, fuzzProgram } from '../fuzz.ts';
import { interpret } from '../interpreter.ts';
import { judge } from './check.ts';

/** Seeds are fixed, so a failure names the program; 600 of them take about 5 s. */
const PROGRAMS = 600;

/** How far outputs move, relative to their size, when every input moves by one float32 rounding: sin of a large number magnifies errors. */
function sensitivity({ build, feeds }: FuzzProgram, rng: Rng): number {
  const outputs = Object.values(build(createGraph()));
  const moved = Object.fromEntries(
    Object.entries(feeds).map(([name, data]) => [
      name,
      name.startsWith('i') ? data : Float64Array.from(data, (x) => x * (1 + (rng.uniform() - 0.5) * 2.4e-7)),
    ]),
  );
  const [a, b] = [interpret(outputs, { inputs: feeds }), interpret(outputs, { inputs: moved })];
  return Math.max(
    ...outputs.map((t) => {
      const size = a.get(t)!.reduce((m, x) => Math.max(m, Math.abs(x)), 1);
      return a.get(t)!.reduce((m, x, i) => Math.max(m, Math.abs(x - b.get(t)![i]!) / size), 0);
    }),
  );
}

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
