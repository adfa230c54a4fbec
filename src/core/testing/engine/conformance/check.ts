/**
 * Holds an executor to the float64 interpreter: values within a tolerance, the same bits when run twice, inputs left alone.
 * Errors are absolute, relative to the largest element where that is above 1.
 */
import { present } from '#contract/kit/errors.ts';
import { gradients } from '#core/engine/autodiff.ts';
import { createGraph } from '#core/engine/graph.ts';
import * as ops from '#core/engine/ops.ts';
import type { Engine, Graph, Tensor } from '#core/engine/types.ts';
import type { Rng } from '#math/rng.ts';
import { interpret } from '../interpreter.ts';

export interface Case {
  readonly name: string;
  readonly build: (g: Graph) => { [name: string]: Tensor };
  readonly feeds: { readonly [name: string]: Float32Array };
}

export interface Verdict {
  /** Largest error and the output it was found in. */
  readonly error: number;
  readonly where: string;
  /** Both runs gave the same bits, and inputs are as they were. */
  readonly repeatable: boolean;
}

export const sameBits = (a: Float32Array, b: Float32Array): boolean =>
  a.length === b.length && a.every((x, i) => Object.is(x, b[i]) || (Number.isNaN(x) && Number.isNaN(b[i]!)));

/** Adds a loss that every output has a part in, and its gradient by every input except indices (named i...). */
export function withGradients(build: Case['build']): Case['build'] {
  return (g) => {
    const outputs = build(g);
    const loss = Object.values(outputs)
      .map((y) => ops.mean(ops.mul(y, ops.add(ops.scale(y, 0.3), 0.5))))
      .reduce((a, b) => ops.add(a, b));
    const wrt = g.nodes.flatMap((t) => (t.op === 'input' && !t.attrs.name.startsWith('i') ? [t] : []));
    const all: { [name: string]: Tensor } = { ...outputs, loss };
    gradients(loss, wrt).forEach((d, i) => {
      all[`d_${wrt[i]!.attrs.name}`] = d;
    });
    return all;
  };
}

export async function judge(engine: Engine, { build, feeds }: Case): Promise<Verdict> {
  const graph = createGraph();
  const outputs = build(graph);
  const exact = interpret(Object.values(outputs), { inputs: feeds });
  const program = engine.compile(build);
  for (const [name, data] of Object.entries(feeds)) program.in[name]?.set(data);
  await program.run();
  const first = new Map(Object.keys(outputs).map((name) => [name, program.out[name]!.slice()]));
  for (const out of Object.values(program.out)) out.fill(Number.NaN);
  await program.run();
  let error = 0;
  let where = '';
  let repeatable = true;
  for (const [name, t] of Object.entries(outputs)) {
    const got = program.out[name]!;
    const expected = exact.get(t)!;
    const size = expected.reduce((m, x) => Math.max(m, Math.abs(x)), 1);
    expected.forEach((x, i) => {
      const e = Object.is(got[i], Math.fround(x)) ? 0 : Math.abs(got[i]! - x) / size;
      if (!(e <= error)) {
        error = Number.isNaN(e) ? Number.POSITIVE_INFINITY : e;
        where = `${name}[${i}]: ${got[i]} instead of ${x}`;
      }
    });
    if (!sameBits(got, first.get(name)!)) repeatable = false;
  }
  for (const [name, data] of Object.entries(feeds)) {
    const kept = program.in[name];
    if (kept !== undefined && !sameBits(kept, data)) repeatable = false;
  }
  program.dispose();
  return { error, where, repeatable };
}

/** How far outputs move, relative to their size, when every input moves by one float32 rounding: sin of a large number magnifies errors. */
export function sensitivity({ build, feeds }: Pick<Case, 'build' | 'feeds'>, rng: Rng): number {
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
      const before = present(a.get(t), 'the value of an output');
      const after = present(b.get(t), 'the value of an output');
      const size = before.reduce((m, x) => Math.max(m, Math.abs(x)), 1);
      return before.reduce((m, x, i) => Math.max(m, Math.abs(x - after[i]!) / size), 0);
    }),
  );
}
