/**
 * A traced program on a tfjs backend. Feeds are plain arrays uploaded at run(); outputs stay on the device until read().
 * Everything a run makes is disposed with it or with the next one, so memory stays flat.
 */

import * as tf from '@tensorflow/tfjs-core';
import { present } from '#contract/kit/errors.ts';
import type { Slot } from '../optimisers.ts';
import { lastSize, sizeOf } from '../shapes.ts';
import type { Trace } from '../trace.ts';
import type { CompileOptions, Param, Program, Tensor } from '../types.ts';
import type { Backend } from './backend.ts';
import { Evaluation, type Leaf } from './evaluate.ts';
import { step } from './optimise.ts';
import type { GroupStore } from './store.ts';

const FREE: ReadonlySet<string> = new Set(['const', 'input', 'param', 'reshape', 'broadcast', 'stopGradient']);

function flopsOf(node: Tensor): number {
  return node.op === 'matmul' ? 2 * sizeOf(node.shape) * lastSize('matmul', node.inputs[0]!.shape) : 0;
}

/** What a run leaves behind. */
interface Made {
  readonly results: tf.Tensor[];
  readonly slots: Map<Slot, tf.Tensor>;
  readonly blocks: Map<GroupStore, tf.Tensor>;
}

export class TfjsProgram implements Program {
  readonly in: { [name: string]: Float32Array } = {};
  readonly out: { [name: string]: Float32Array } = {};
  readonly stats: Program['stats'];
  readonly derive: Program['derive'];
  private readonly trace: Trace;
  private readonly options: CompileOptions;
  private readonly backend: Backend;
  private readonly storeOf: (param: Param) => GroupStore;
  /** Every group this program reads or changes. */
  private readonly stores: readonly GroupStore[];
  /** The group that is minimised over. */
  private readonly trained: GroupStore | undefined;
  private readonly constants = new Map<Tensor, tf.Tensor>();
  private results: readonly tf.Tensor[] = [];

  constructor(trace: Trace, options: CompileOptions, backend: Backend, storeOf: (param: Param) => GroupStore, derive: Program['derive']) {
    this.derive = derive;
    this.trace = trace;
    this.options = options;
    this.backend = backend;
    this.storeOf = storeOf;
    const params = [
      ...trace.nodes.flatMap((t) => (t.op === 'param' ? [t.attrs.param] : [])),
      ...trace.assigns.map((a) => a.param),
      ...trace.gradients.keys(),
    ];
    this.stores = [...new Set(params.map(storeOf))];
    this.trained = options.minimise === undefined ? undefined : this.stores.find((s) => s.group === options.group);
    for (const [name, t] of trace.inputs) this.in[name] = new Float32Array(sizeOf(t.shape));
    for (const [name, t] of trace.outputs) this.out[name] = new Float32Array(sizeOf(t.shape));
    if (options.minimise !== undefined) {
      this.in.lr = new Float32Array(1);
      this.out.gradNorm = new Float32Array(1);
    }
    const work = trace.nodes.filter((t) => !FREE.has(t.op));
    this.stats = {
      kernels: work.length,
      arenaBytes: work.reduce((n, t) => n + 4 * sizeOf(t.shape), 0),
      flops: work.reduce((n, t) => n + flopsOf(t), 0),
    };
  }

  async run(options: { readonly read?: boolean } = {}): Promise<void> {
    const wait = this.backend.activate();
    if (wait) await wait;
    this.execute();
    if (options.read !== false) await this.read();
  }

  async read(): Promise<void> {
    const wait = this.backend.activate();
    if (wait) await wait;
    const names = Object.keys(this.out);
    const data = await this.backend.guard(Promise.all(this.results.map((t) => t.data())));
    data.forEach((values, i) => {
      this.out[names[i]!]!.set(values as Float32Array);
    });
  }

  private leaf(node: Leaf): tf.Tensor {
    if (node.op === 'param') return this.storeOf(node.attrs.param).view(node.attrs.param);
    // Copied: the cpu backend keeps the very array it is given.
    if (node.op === 'input') return tf.tensor(this.in[node.attrs.name]!.slice(), [...node.shape], 'float32');
    const known = this.constants.get(node);
    if (known !== undefined) return known;
    const made = tf.keep(tf.tensor(node.attrs.data.slice(), [...node.shape], 'float32'));
    this.constants.set(node, made);
    return made;
  }

  /** Nothing asynchronous in here: no other program can come between. */
  private execute(): void {
    for (const s of this.stores) s.flush();
    const made: Made = { results: [], slots: new Map(), blocks: new Map() };
    tf.tidy(() => {
      this.compute(made);
      return [...made.results, ...made.slots.values(), ...made.blocks.values()];
    });
    for (const t of this.results) t.dispose();
    this.results = made.results;
    for (const [store, block] of made.blocks) store.replace(block);
    const { trained } = this;
    if (trained !== undefined) for (const [name, value] of made.slots) trained.replaceSlot(name, value);
  }

  private compute(made: Made): void {
    const { trace, options, trained } = this;
    const evaluation = new Evaluation((node) => this.leaf(node));
    for (const node of trace.nodes) if (!Evaluation.deferred(node)) evaluation.get(node);
    for (const t of trace.outputs.values()) made.results.push(tf.clone(evaluation.get(t)));
    if (trained !== undefined) {
      const parts = [...trace.gradients].map(([p, g]) =>
        g === undefined ? tf.zeros([sizeOf(p.shape)]) : tf.reshape(evaluation.get(g), [sizeOf(p.shape)]),
      );
      trained.t++;
      const next = step(
        trained,
        present(options.with, 'the optimiser'),
        tf.concat(parts, 0),
        present(this.in.lr, 'the input "lr"')[0]!,
        trained.t,
        options,
      );
      made.blocks.set(trained, next.flat);
      made.results.push(tf.clone(next.norm));
      for (const [name, value] of next.slots) made.slots.set(name, value);
    }
    // Assigned parameters go into their groups' blocks, over what the optimiser did.
    const assigned = new Map<Param, tf.Tensor>(trace.assigns.map((a) => [a.param, evaluation.get(a.value)]));
    for (const store of new Set(trace.assigns.map((a) => this.storeOf(a.param))))
      made.blocks.set(store, assemble(store, assigned, made.blocks.get(store) ?? store.all()));
  }

  dispose(): void {
    for (const t of [...this.results, ...this.constants.values()]) t.dispose();
    this.results = [];
    this.constants.clear();
  }
}

/** A group's block with some parameters exchanged. */
function assemble(store: GroupStore, assigned: ReadonlyMap<Param, tf.Tensor>, base: tf.Tensor): tf.Tensor {
  let at = 0;
  const parts = store.group.params.map((p) => {
    const n = sizeOf(p.shape);
    const part = assigned.get(p) ?? tf.slice(base, [at], [n]);
    at += n;
    return tf.reshape(part, [n]);
  });
  return tf.concat(parts, 0);
}
