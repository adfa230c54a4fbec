/** The step of target networks towards the online ones, as a program of any executor that compiles graphs. */
import { add, mul, reshape, sub } from './ops.ts';
import type { Engine, ParamGroup, PolyakProgram } from './types.ts';

/** target = (1 - tau) target + tau source, for parameters of the same name; others stay. Input `tau` [1]. */
export function compilePolyak(compile: Engine['compile'], target: ParamGroup, source: ParamGroup): PolyakProgram {
  return compile({ tau: [1] }, (inputs, g) => {
    const tau = reshape(inputs.tau, []);
    for (const p of target.params) {
      const from = source.params.find((q) => q.name === p.name);
      if (from !== undefined) g.assign(p, add(mul(sub(1, tau), g.read(p)), mul(tau, g.read(from))));
    }
    return {};
  });
}
