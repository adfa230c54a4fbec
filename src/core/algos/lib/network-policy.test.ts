/** Policies answer rows by themselves, in chunks: what a row is told depends neither on how many there are nor on who is left out. */
import { expect, test } from 'vitest';
import { Rng } from '#math/rng.ts';
import { createEngine } from '../../engine/index.ts';
import { getEnv } from '../../envs/all.ts';
import type { Act, Policy } from '../api/types.ts';
import { networkPolicy, policyNetwork } from './network-policy.ts';
import { createActor } from './ppo/networks.ts';
import { shareNetworks, teamPolicy } from './sharing.ts';

async function policies(): Promise<{
  readonly [name: string]: { readonly policy: Policy; readonly agents: number; readonly obsSize: number };
}> {
  const engine = await createEngine('wasm');
  const options = { hidden: [16, 16], activation: 'tanh', sharedTrunk: false } as const;
  const one = getEnv('mpe-simple-spread').meta(getEnv('mpe-simple-spread').parse({}));
  const net = policyNetwork(engine, one, options, Rng.from(1));
  const tag = getEnv('mpe-simple-tag').meta(getEnv('mpe-simple-tag').parse({}));
  const sharing = shareNetworks(tag, 'grouped', true);
  const actors = sharing.networks.map((network, k) =>
    createActor(engine.group(network.name), network, tag.masked, { hidden: [16], activation: 'tanh', layerNorm: false }, Rng.from(k)),
  );
  return {
    network: {
      policy: networkPolicy({ meta: one, compile: (rows) => engine.compile(net.inputs(rows), net.outputs) }),
      agents: 3,
      obsSize: one.obsSize,
    },
    team: {
      policy: teamPolicy({ meta: tag, sharing, compile: (k, rows) => engine.compile(actors[k]!.inputs(rows), actors[k]!.outputs) }),
      agents: tag.agentCount,
      obsSize: tag.obsSize,
    },
  };
}

test('rows get the same bits in any number, alone, or with others left out', async () => {
  for (const [name, { policy, agents, obsSize }] of Object.entries(await policies())) {
    const most = 135;
    const rng = Rng.from(2);
    const obs = Float32Array.from({ length: most * obsSize }, () => 2 * rng.uniform() - 1);
    const agent = Int32Array.from({ length: most }, (_, i) => i % agents);
    const ask = async (from: number, rows: number, unread?: Uint8Array): Promise<Act> => {
      const query = {
        obs: obs.subarray(from * obsSize),
        agent: agent.subarray(from),
        hidden: policy.initial(rows),
        rng: Rng.from(0),
        rows,
      };
      const act = await policy.act({ ...query, greedy: true, ...(unread && { unread, valueless: true }) });
      return { ...act, actions: act.actions.slice(), logits: act.logits!.slice() };
    };
    const whole = await ask(0, most);
    const width = whole.logits!.length / most;
    const same = (act: Act, row: number, of: number): void => {
      expect(act.actions[row], name).toBe(whole.actions[of]);
      expect(act.logits!.slice(row * width, (row + 1) * width), name).toEqual(whole.logits!.slice(of * width, (of + 1) * width));
    };
    for (const rows of [1, 2, 8, 9, 56, 57, 64, 70, 130]) {
      const act = await ask(most - rows, rows);
      for (let row = 0; row < rows; row++) same(act, row, most - rows + row);
    }
    const unread = Uint8Array.from({ length: most }, (_, row) => (row % 3 === 1 || row > 100 ? 1 : 0));
    const some = await ask(0, most, unread);
    for (let row = 0; row < most; row++) if (unread[row] === 0) same(some, row, row);
    expect(some.value, name).toBeUndefined();
    expect((await ask(0, 4, new Uint8Array(4).fill(1))).logits!.length, name).toBe(4 * width);
  }
});
