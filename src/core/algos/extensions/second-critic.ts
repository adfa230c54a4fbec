/** A value network beside the policy's own, for an extension of the loop `rollout`. */
import { mean, mul, square, sub } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import { convFront } from '#core/nets/conv.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { column, mlp } from '#core/nets/mlp.ts';
import type { Rng } from '#math/rng.ts';
import type { RolloutHost } from '../api/extension.ts';

/** What to expect of a second stream of numbers: a network of its own, so that the policy's stays as it is. Steps are learned from in minibatches of `size` rows. */
export function secondCritic({ engine, meta, rows, size, config }: RolloutHost, what: string, rng: Rng) {
  const { hidden, activation, filters, adamEps, maxGradNorm } = config;
  const space = meta.agents[0]!.obs;
  const group = engine.group(`${what} critic`);
  const front = convFront(space, filters, { act: activation })?.(group, 'front', rng, encodedSize(space));
  const net = mlp(group, 'critic', rng, [front?.size ?? encodedSize(space), ...hidden, 1], { act: activation, outGain: 1 });
  const valuesOf = (count: number) =>
    engine.compile(
      { obs: [count, meta.obsSize] },
      ({ obs }, g) => {
        const encoded = encode(g, obs, space);
        return { value: column(net(front?.net(encoded) ?? encoded)) };
      },
      { name: `${what} values` },
    );
  const [many, few] = [valuesOf(size), rows === size ? null : valuesOf(rows)];
  const learn = engine.compile(
    { obs: [size, meta.obsSize], target: [size] },
    ({ obs, target }, g) => {
      const encoded = encode(g, obs, space);
      return { loss: mul(mean(square(sub(column(net(front?.net(encoded) ?? encoded)), target))), 0.5) };
    },
    { minimise: 'loss', group, with: adam({ eps: adamEps }), maxGradNorm, name: `${what} learn` },
  );
  const ask = async (program: typeof many, obs: Float32Array): Promise<Float32Array> => {
    program.in.obs.set(obs);
    const pending = program.run();
    if (pending) await pending;
    return program.out.value;
  };
  return {
    values: (obs: Float32Array) => ask(many, obs),
    lastValues: (obs: Float32Array) => ask(few ?? many, obs),
    async learn(feed: (into: { readonly obs: Float32Array; readonly target: Float32Array }) => void, lr: number): Promise<void> {
      feed(learn.in);
      learn.in.lr[0] = lr;
      const pending = learn.run({ read: false });
      if (pending) await pending;
    },
  };
}
