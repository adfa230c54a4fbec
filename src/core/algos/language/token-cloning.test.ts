import { expect, it } from 'vitest';
import { createEngine } from '#core/engine/index.ts';
import { getEnv } from '#core/envs/all.ts';
import { Rng } from '#math/rng.ts';
import { compileNextToken, networks } from './token-cloning.ts';

const tools = getEnv('t-tools');
const meta = tools.meta(tools.parse({ form: 'apart' }));
const [plans, grounds] = meta.tokens!.roles as [number, number];
const size = { width: 8, layers: 1, heads: 2 } as const;
const places = meta.obsSize;

/** Two rows that differ in whose they are: begin, role, a few tokens. */
const obs = Float32Array.from({ length: 2 * places }, (_, i) => [1, i < places ? plans : grounds, 14, 15][i % places] ?? 0);

it('each row is written by the network of its role', async () => {
  const engine = await createEngine('wasm');
  const nets = networks(engine, meta, { ...size, modules: 'roles' }, Rng.from(1));
  expect(nets).toHaveLength(2);
  const logitsOf = async (asked: typeof nets): Promise<readonly (readonly number[])[]> => {
    const program = compileNextToken(engine, meta, asked, 2);
    program.in.obs.set(obs);
    const pending = program.run();
    if (pending) await pending;
    const { logits } = program.out;
    return [0, 1].map((row) => [...logits.subarray((row * logits.length) / 2, ((row + 1) * logits.length) / 2)]);
  };
  const both = await logitsOf(nets);
  for (const [i, net] of nets.entries()) expect(both[i]).toEqual((await logitsOf([net]))[i]);
  expect(both[0]).not.toEqual((await logitsOf([nets[1]!]))[0]);
  engine.dispose();
});

it('one network is asked for where a task has no roles, or one is wanted', async () => {
  const engine = await createEngine('wasm');
  expect(networks(engine, meta, { ...size, modules: 'one' }, Rng.from(1))).toHaveLength(1);
  engine.dispose();
});
