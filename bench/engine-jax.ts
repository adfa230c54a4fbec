/** The dense network in jax-js: one jitted forward pass, and one jitted training step with its own gradients, clipping and Adam. */
import { defaultDevice, init, jit, numpy as np, tree, valueAndGrad } from '@jax-js/jax';
import { uniform } from './engine-programs.ts';
import type { Peer } from './engine-tfjs.ts';

type Arr = np.Array;
type Params = { w: Arr[]; b: Arr[] };
type State = { p: Params; m: Params; v: Params };

/** The wasm device; throws where jax-js cannot run. */
export async function openJax(): Promise<void> {
  const devices = await init('wasm');
  if (!devices.includes('wasm')) throw new Error('jax-js has no wasm device here');
  defaultDevice('wasm');
}

/** Arrays are reference-counted: passing one gives it away, `.ref` keeps it. */
export function jaxMlp(sizes: readonly number[], rows: number): Peer {
  const make = (scale: number): Params => ({
    w: sizes.slice(1).map((n, i) => np.array(uniform(sizes[i]! * n, scale / Math.sqrt(sizes[i]!))).reshape([sizes[i]!, n])),
    b: sizes.slice(1).map((n) => np.zeros([n])),
  });
  const last = sizes.length - 2;
  const net = (p: Params, x: Arr): Arr =>
    p.w.reduce((h, w, i) => {
      const y = np.matmul(h, w).add(p.b[i]!);
      return i < last ? np.tanh(y) : y;
    }, x);
  const loss = (p: Params, x: Arr): Arr => np.square(net(p, x).sub(0.1)).mean();
  const forward = jit((p: Params, x: Arr) => net(p, x));
  const train = jit((s: State, scalars: Arr, x: Arr): [State, Arr] => {
    const [value, grads] = valueAndGrad(loss)(tree.ref(s.p), x);
    const norm = np.sqrt([...grads.w, ...grads.b].map((g) => np.square(g.ref).sum()).reduce((a, b) => a.add(b)));
    const factor = np.minimum(np.array(1), np.array(0.5).div(norm.add(1e-6)));
    const next: State = { p: { w: [], b: [] }, m: { w: [], b: [] }, v: { w: [], b: [] } };
    for (const k of ['w', 'b'] as const)
      for (let i = 0; i <= last; i++) {
        const g = grads[k][i]!.mul(factor.ref);
        const m = s.m[k][i]!.mul(0.9).add(g.ref.mul(0.1));
        const v = s.v[k][i]!.mul(0.999).add(np.square(g).mul(0.001));
        const root = np.sqrt(v.ref).mul(scalars.ref.slice(1)).add(1e-5);
        next.p[k].push(s.p[k][i]!.sub(m.ref.mul(scalars.ref.slice(0)).div(root)));
        next.m[k].push(m);
        next.v[k].push(v);
      }
    scalars.dispose();
    factor.dispose();
    return [next, value];
  });
  const x = np.array(uniform(rows * sizes[0]!, 1)).reshape([rows, sizes[0]!]);
  let state: State = { p: make(1), m: make(0), v: make(0) };
  let [decay1, decay2] = [1, 1];
  return {
    async forward() {
      await forward(tree.ref(state.p), x.ref).data();
    },
    async train() {
      decay1 *= 0.9;
      decay2 *= 0.999;
      const scalars = np.array(Float32Array.of(1e-5 / (1 - decay1), 1 / Math.sqrt(1 - decay2)));
      const [next, value] = train(state, scalars, x.ref);
      state = next;
      await value.data();
    },
    dispose() {
      tree.dispose(state);
      x.dispose();
      forward.dispose();
      train.dispose();
    },
  };
}
