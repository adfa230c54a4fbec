/** The smallest thing that learns, for tests of engines: a 3-5-1 network that Adam draws to zero on four rows `x`. */

import { Rng } from '#math/rng.ts';
import { mean, square } from '../../engine/ops.ts';
import { adam } from '../../engine/optimisers.ts';
import type { Engine } from '../../engine/types.ts';
import { mlp } from '../../nets/mlp.ts';

export function smallLearner(engine: Engine) {
  const group = engine.group('net');
  const net = mlp(group, 'm', Rng.from(1), [3, 5, 1]);
  return engine.compile({ x: [4, 3] }, ({ x }) => ({ loss: mean(square(net(x))) }), { minimise: 'loss', group, with: adam() });
}
