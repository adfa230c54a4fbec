/** Action values of continuous actions: Q(s, a) by a network over the observation and the action side by side. */
import { concat } from '#core/engine/ops.ts';
import type { ParamGroup, Tensor } from '#core/engine/types.ts';
import { column, mlp } from '#core/nets/mlp.ts';
import type { Rng } from '#math/rng.ts';

/** obs [M, O'], action [M, D] -> [M]. ReLU, torch's initialisation. */
type Critic = (obs: Tensor, action: Tensor) => Tensor;

export function critic(group: ParamGroup, name: string, rng: Rng, inputs: number, hidden: readonly number[]): Critic {
  const net = mlp(group, name, rng, [inputs, ...hidden, 1], { act: 'relu', init: 'torch' });
  return (obs, action) => column(net(concat([obs, action], 1)));
}

/** Two critics that differ in their first weights only; the smaller of their values counts. */
export function criticPair(
  group: ParamGroup,
  rng: Rng,
  inputs: number,
  hidden: readonly number[],
): (obs: Tensor, action: Tensor) => [Tensor, Tensor] {
  const first = critic(group, 'q1', rng, inputs, hidden);
  const second = critic(group, 'q2', rng, inputs, hidden);
  return (obs, action) => [first(obs, action), second(obs, action)];
}
