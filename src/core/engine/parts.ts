/**
 * Updates in parts: each run of a program that learns adds its gradient to a sum, and after so many runs one optimiser step is taken on the
 * sum, which is zero again then. Where the loss is a sum over rows this is the step of all rows, with the memory of one part. Clipping is that of
 * the sum. Made of programs that any executor compiles.
 */
import { gradients } from './autodiff.ts';
import { builderOf } from './graph.ts';
import { add, mul, stopGradient, sum } from './ops.ts';
import { sizeOf } from './shapes.ts';
import { type Build, compileWith } from './trace.ts';
import type { CompileOptions, Engine, Graph, Param, ParamGroup, Program, Tensor } from './types.ts';

/** A step on what was summed: input `lr` [1], output `gradNorm` [1]. */
type Step = Program<{ readonly lr: Float32Array }, { readonly gradNorm: Float32Array }>;

class Sums {
  private readonly at = new Map<Param, Param>();
  private readonly steps = new Map<string, Step>();
  private readonly engine: Engine;
  /** Runs since the last step. */
  runs = 0;

  constructor(engine: Engine, group: ParamGroup) {
    this.engine = engine;
    const sums = engine.group(`${group.name} sums`);
    for (const param of group.params) this.at.set(param, sums.param(param.name, param.shape, new Float32Array(sizeOf(param.shape))));
  }

  /** When the program of this graph has run, the gradient of `loss` is in the sum. */
  add(g: Graph, loss: Tensor): void {
    const read = [...this.at].flatMap(([param, to]) => {
      const node = builderOf(g).params.get(param);
      return node === undefined ? [] : [{ node, to }];
    });
    const found = gradients(
      loss,
      read.map(({ node }) => node),
    );
    read.forEach(({ to }, i) => {
      const gradient = found[i];
      if (gradient !== undefined) g.assign(to, add(g.read(to), gradient));
    });
  }

  /** The loss whose gradient by a parameter is its sum. */
  stepWith(options: CompileOptions): Step {
    const { group, with: optimiser } = options;
    if (group === undefined || optimiser === undefined) throw new Error('minimising needs a parameter group and an optimiser');
    const { clipApart, decays } = options;
    const key = JSON.stringify([optimiser, options.maxGradNorm]);
    const known = clipApart === undefined && decays === undefined ? this.steps.get(key) : undefined;
    if (known !== undefined) return known;
    const made = this.engine.compile(
      {},
      (_, g) => {
        let loss = g.constant(0);
        for (const [param, to] of this.at) {
          loss = add(loss, sum(mul(g.read(param), stopGradient(g.read(to)))));
          g.assign(to, mul(g.read(to), 0));
        }
        return { loss };
      },
      { ...options, minimise: 'loss', group, with: optimiser, name: `${options.name ?? group.name} step` },
    );
    this.steps.set(key, made);
    return made;
  }
}

/** Awaits what is awaited elsewhere; nothing on an executor that is synchronous. */
const after = (pending: Promise<void> | undefined, next: () => Promise<void> | undefined): Promise<void> | undefined =>
  pending === undefined ? next() : pending.then(next);

/**
 * `compile` of an engine whose programs that learn take a step at every `parts`-th run, of all programs over one group together, with the `lr`
 * and the optimiser of the last one; `gradNorm` is that of the last step. Parameters are kept between the steps, so nothing is saved there.
 * One part: the engine itself. Throws RangeError for fewer.
 */
export function inParts(engine: Engine, parts: number): Pick<Engine, 'compile'> {
  if (!(Number.isInteger(parts) && parts >= 1)) throw new RangeError(`an update has ${parts} parts: give a whole number from 1`);
  if (parts === 1) return engine;
  const groups = new Map<ParamGroup, Sums>();

  const learning = (build: Build, options: CompileOptions, group: ParamGroup, minimise: string): Program => {
    const sums = groups.get(group) ?? new Sums(engine, group);
    groups.set(group, sums);
    const { name } = options;
    const part = engine.compile(
      (g) => {
        const outputs = build(g);
        const loss = outputs[minimise];
        if (loss === undefined) throw new Error(`${name ?? 'program'}: there is no output "${minimise}" to minimise`);
        sums.add(g, loss);
        return outputs;
      },
      { ...(name !== undefined && { name }) },
    );
    const step = sums.stepWith(options);
    const lr = new Float32Array(1);
    const gradNorm = new Float32Array(1);
    // views of the part are made anew when memory grows, so they are looked up behind these two
    const feeds: Program['in'] = Object.assign(Object.create(part.in), { lr });
    const fetches: Program['out'] = Object.assign(Object.create(part.out), { gradNorm });
    return {
      ...part,
      in: feeds,
      out: fetches,
      run: (how) =>
        after(part.run(how), () => {
          sums.runs = (sums.runs + 1) % parts;
          if (sums.runs > 0) return undefined;
          step.in.lr[0] = lr[0]!;
          return after(step.run(), () => {
            gradNorm[0] = step.out.gradNorm[0]!;
            return undefined;
          });
        }),
      read: () => part.read(),
      derive: (change) => part.derive(change),
      dispose: () => part.dispose(),
    };
  };

  return {
    compile: compileWith((build, options) =>
      options.minimise === undefined || options.group === undefined
        ? engine.compile(build, options)
        : learning(build, options, options.group, options.minimise),
    ),
  };
}
