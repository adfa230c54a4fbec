/** What a recurrent actor says of its actions while it learns is what it acted by, over things too. */
import { expect, it } from 'vitest';
import { createWasmEngine } from '#core/engine/wasm/engine.ts';
import { getEnv } from '#core/envs/all.ts';
import { loadBody } from '#core/nets/body.ts';
import { Rng } from '#math/rng.ts';
import { shareNetworks } from '../sharing.ts';
import { createRecurrentActor } from './recurrent-actor.ts';

it.each([{ kind: 'dense' } as const, { kind: 'entities', units: 8, heads: 2, blocks: 1 } as const])('body %j', async (body) => {
  await loadBody({ body });
  const engine = await createWasmEngine();
  const meta = getEnv('base-stations').meta({});
  const network = shareNetworks(meta, 'grouped').networks[0]!;
  const options = { hidden: [6], activation: 'tanh', layerNorm: false, body } as const;
  const [steps, rows, S] = [4, 3, 5];
  const memory = { kind: 'gru', units: S, sequence: steps } as const;
  const actor = createRecurrentActor(engine.group('actor'), network, false, options, memory, Rng.from(1));
  expect(actor.stateSize).toBe(S);
  const act = engine.compile({ obs: [rows, network.inputs], state: [rows, S] }, (x, g) => actor.outputs(x, g));
  const learn = engine.compile(
    { obs: [steps * rows, network.inputs], state: [rows, S], starts: [steps * rows], action: [steps * rows] },
    (x, g) => ({ logProb: actor.evaluate(x, x.action, g).logProb }),
  );
  const rng = Rng.from(2);
  for (let i = 0; i < learn.in.obs.length; i++) learn.in.obs[i] = rng.uniform() - 0.5;
  for (let i = 0; i < rows * S; i++) learn.in.state[i] = act.in.state[i] = rng.uniform() - 0.5;
  learn.in.starts[2 * rows + 1] = 1; // the second row begins an episode with its third step
  learn.in.action.fill(3);
  learn.run();
  for (let t = 0; t < steps; t++) {
    act.in.obs.set(learn.in.obs.subarray(t * act.in.obs.length, (t + 1) * act.in.obs.length));
    if (t === 2) act.in.state.fill(0, S, 2 * S);
    act.run();
    const { logProbs, state } = act.out as { readonly [name: string]: Float32Array };
    for (let row = 0; row < rows; row++) expect(learn.out.logProb[t * rows + row]).toBeCloseTo(logProbs![row * network.choices + 3]!, 5);
    act.in.state.set(state!);
  }
  engine.dispose();
});
