/** What a minibatch is trained towards, against plain loops over the networks' own answers. */
import { expect, it } from 'vitest';
import { createEngine } from '#core/engine/index.ts';
import { reshape, sliceAxis, sum } from '#core/engine/ops.ts';
import { radam } from '#core/engine/optimisers.ts';
import type { Program } from '#core/engine/types.ts';
import { getEnv } from '#core/envs/all.ts';
import type { MakeMixer } from '#core/nets/mixing.ts';
import { roles } from '#core/testing/probes.ts';
import { Rng } from '#math/rng.ts';
import { getAlgo } from '../../all.ts';
import type { QLearningTeamConfig } from './q-learning-team.ts';
import { compileLearner, teamNetworks } from './team-q.ts';

const meta = roles.meta({});
const [L, M, A, O, N] = [3, 2, meta.agentCount, meta.obsSize, meta.actionCount];
const rng = Rng.from(3);
const numbers = (n: number) => Float32Array.from({ length: n }, () => 2 * rng.uniform() - 1);
const obs = numbers((L + 1) * M * A * O);
const action = Float32Array.from({ length: L * M * A }, (_, i) => (i % A === 0 ? i % 3 : i % 2));
const mask = Float32Array.from({ length: (L + 1) * M * A * N }, (_, i) =>
  i % N === 2 && Math.floor(i / N) % A === 1 ? 0 : i % 7 === 0 ? 0 : 1,
);
// Piece 0 terminates at its second step and is padded; piece 1 is whole and goes on.
const filled = Float32Array.of(1, 1, 1, 1, 0, 1);
const goesOn = Float32Array.of(1, 1, 0, 1, 1, 1);
const gamma = 0.9;

async function losses(makeMixer: MakeMixer | null, settings: object, pad = 0) {
  const c = getAlgo('vdn').parse({
    hidden: [5],
    recurrent: { kind: 'on', units: 4, sequence: L },
    batchSize: M,
    ...settings,
  }) as unknown as QLearningTeamConfig;
  const engine = await createEngine('wasm');
  const nets = teamNetworks(engine, meta, c, makeMixer, Rng.from(1));
  const team = makeMixer !== null;
  const K = team ? 1 : A;
  const reward = Float32Array.from({ length: L * M * K }, (_, i) => (i % 5) - 2);
  const forward = engine.compile((g) => {
    const seen = reshape(g.input('obs', [L + 1, M, A * O]), [L + 1, M, A, O]);
    return { q: nets.q.sequence(seen), targetQ: nets.targetQ.sequence(seen) };
  });
  const learn: Program = compileLearner(engine, nets, meta, c, radam());
  forward.in.obs!.set(obs);
  await forward.run();
  const [q, targetQ] = [forward.out.q!.slice(), forward.out.targetQ!.slice()];
  const feeds = { obs, action, reward, mask, filled, goesOn };
  for (const [name, data] of Object.entries(feeds)) learn.in[name]!.set(data);
  learn.in.gamma![0] = gamma;
  learn.in.lr![0] = 0;
  // Step 2 of piece 0 is padding: nothing there may count.
  for (let k = 0; k < K; k++) learn.in.reward![2 * M * K + k] = reward[2 * M * K + k]! + pad;
  await learn.run();
  const found = { loss: learn.out.loss![0]!, gradNorm: learn.out.gradNorm![0]! };
  engine.dispose();

  let total = 0;
  let count = 0;
  for (let t = 0; t < L; t++) {
    for (let m = 0; m < M; m++) {
      const values: number[] = [];
      const next: number[] = [];
      for (let a = 0; a < A; a++) {
        const here = ((t * M + m) * A + a) * N;
        const there = (((t + 1) * M + m) * A + a) * N;
        values.push(q[here + action[(t * M + m) * A + a]!]!);
        const choosers = c.double ? q : targetQ;
        let best = -1;
        for (let b = 0; b < N; b++) {
          if (mask[there + b] === 1 && (best < 0 || choosers[there + b]! > choosers[there + best]!)) best = b;
        }
        next.push(targetQ[there + best]!);
      }
      const joint = (list: readonly number[]) => (team ? [list.reduce((x, y) => x + y, 0)] : list);
      const [value, future] = [joint(values), joint(next)];
      for (let k = 0; k < K; k++) {
        const i = t * M + m;
        if (filled[i] === 0) continue;
        const error = value[k]! - (reward[i * K + k]! + gamma * goesOn[i]! * future[k]!);
        total += (error * error) / 2;
        count++;
      }
    }
  }
  return { ...found, want: total / count };
}

const mixers: Record<string, MakeMixer | null> = { each: null, sum: () => (q) => sum(q, -1) };

it.each([
  ['each', { double: false }],
  ['each', { double: true }],
  ['sum', { double: true }],
  ['sum', { double: false, sharing: 'independent' }],
] as const)('%s agent by itself or summed, %j: targets, masks, padding and terminations', async (kind, settings) => {
  const found = await losses(mixers[kind] ?? null, settings);
  expect(found.loss).toBeCloseTo(found.want, 4);
  expect(found.gradNorm).toBeGreaterThan(0);
  const padded = await losses(mixers[kind] ?? null, settings, 1000);
  expect([padded.loss, padded.gradNorm]).toEqual([found.loss, found.gradNorm]);
});

it('a sequence is its steps one by one, with shared and with own networks', async () => {
  for (const sharing of ['grouped', 'independent'] as const) {
    const c = getAlgo('vdn').parse({ hidden: [5], recurrent: { kind: 'on', units: 4 }, sharing }) as unknown as QLearningTeamConfig;
    const engine = await createEngine('wasm');
    const meta3 = getEnv('mpe-simple-tag').meta({});
    const nets = teamNetworks(engine, meta3, c, null, Rng.from(1));
    const [agents, width] = [meta3.agentCount, meta3.obsSize];
    const program = engine.compile((g) => {
      const seen = g.input('obs', [2, 3, agents, width]);
      const at = (t: number) => reshape(sliceAxis(seen, 0, t, 1), [3, agents, width]);
      const first = nets.q.step(at(0), g.constant(0, [3, agents, nets.q.stateSize]));
      const second = nets.q.step(at(1), first.state);
      return { whole: nets.q.sequence(seen), first: first.q, second: second.q };
    });
    program.in.obs!.set(numbers(2 * 3 * agents * width));
    await program.run();
    const { whole, first, second } = program.out;
    [...first!, ...second!].forEach((v, i) => {
      expect(whole![i]).toBeCloseTo(v, 5);
    });
    engine.dispose();
  }
});

it.each([
  ['vdn', 'pendulum', {}, 'env.id', /VDN needs discrete actions/],
  ['iql', 'deep-sea-treasure', {}, 'env.id', /IQL needs one reward/],
  ['pqn', 'cartpole', { minibatches: 7 }, 'algo.minibatches', /512 rows.*7 equal/],
  ['qmix', 'mpe-simple-spread', { bufferSize: 200_000, recurrent: { kind: 'on', sequence: 64 } }, 'algo.bufferSize', /MB/],
] as const)('%s on %s %j says what does not fit', (id, env, settings, field, text) => {
  const algo = getAlgo(id);
  let failure: { readonly field?: string; readonly message: string } | undefined;
  try {
    algo.fits(getEnv(env).meta({}), algo.parse(settings));
  } catch (error) {
    ({ failure } = error as { failure: typeof failure });
  }
  expect(failure?.field).toBe(field);
  expect(failure?.message).toMatch(text);
});

it('fits every team of the particle worlds', () => {
  for (const env of ['mpe-simple-spread', 'mpe-simple-tag', 'mpe-simple-speaker-listener']) {
    for (const id of ['pqn', 'pqn-vdn', 'iql', 'vdn', 'qmix']) {
      const algo = getAlgo(id);
      algo.fits(getEnv(env).meta({}), algo.parse({}));
    }
  }
});
