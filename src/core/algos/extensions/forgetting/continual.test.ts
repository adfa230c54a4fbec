import { describe, expect, it } from 'vitest';
import { gradients } from '#core/engine/autodiff.ts';
import { linear, mean, mul, square, sub, sum } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import { createWasmEngine } from '#core/engine/wasm/engine.ts';
import { mlp } from '#core/nets/mlp.ts';
import { ReplayBuffer } from '#core/state/replay-buffer.ts';
import { Rng } from '#math/rng.ts';
import { keepWeights } from './ewc.ts';
import { LossJump } from './loss-jump.ts';
import { Rehearsal, Reservoir } from './rehearsal.ts';
import { dormancy, dormantUnits, resetting, stackedLayers, startAnew } from './resets.ts';

const SIZE = 4;

/** A network that is only its weights: the log-likelihood of a sample x is -1/2 sum (theta - x)^2, so its gradient is x - theta. */
async function gaussian(kind: 'EWC' | 'online EWC', decay?: number) {
  const engine = await createWasmEngine();
  const group = engine.group('net');
  const theta = group.param('w', [SIZE], new Float32Array(SIZE));
  const kept = keepWeights(engine, group, { kind, strength: 3, samples: 2, ...(decay !== undefined && { decay }) });
  // the program reads the parameter through the graph of its input
  const { sample, consolidate } = kept.programs({ x: [SIZE] }, (input) => mul(sum(square(sub(input.x, input.x.graph.read(theta)))), -0.5));
  const look = engine.compile({}, (_, g) => {
    const penalty = kept.penalty(g);
    return { penalty, slope: gradients(penalty, [g.read(theta)])[0]! };
  });
  return {
    engine,
    /** Ends a task at these weights, with these samples. */
    end(weights: readonly number[], samples: readonly (readonly number[])[]) {
      engine.write(theta, Float32Array.from(weights));
      for (const x of samples) {
        sample.in.x.set(x);
        sample.run();
      }
      consolidate();
    },
    at(weights: readonly number[]) {
      engine.write(theta, Float32Array.from(weights));
      look.run();
      return { penalty: look.out.penalty[0]!, slope: [...look.out.slope] };
    },
  };
}

/** Mean of squared gradients, in float64. */
const fisher = (weights: readonly number[], samples: readonly (readonly number[])[]): number[] =>
  weights.map((w, i) => samples.reduce((all, x) => all + (x[i]! - w) ** 2, 0) / samples.length);

const TASKS = [
  {
    weights: [1, -0.5, 2, 0],
    samples: [
      [2, 0, 2, 1],
      [1, 1, 2, -1],
    ],
  },
  {
    weights: [0.5, 0.25, -1, 3],
    samples: [
      [0, 0, -1, 3],
      [2, 0.25, 1, 3],
    ],
  },
  {
    weights: [0, 2, 1, 1],
    samples: [
      [1, 2, 1, 0],
      [-1, 2, 1, 4],
    ],
  },
] as const;

describe('elastic weight consolidation', () => {
  it('costs nothing before a task has ended', async () => {
    const net = await gaussian('EWC');
    expect(net.at([5, 5, 5, 5])).toEqual({ penalty: 0, slope: [0, 0, 0, 0] });
  });

  it('after several tasks pulls as the sum of the penalties of each', async () => {
    const net = await gaussian('EWC');
    for (const { weights, samples } of TASKS) net.end(weights, samples);
    const at = [0.3, 0.7, -0.2, 1.5];
    const wanted = at.map((w, i) =>
      TASKS.reduce((all, { weights, samples }) => all + 3 * fisher(weights, samples)[i]! * (w - weights[i]!), 0),
    );
    const { slope } = net.at(at);
    wanted.forEach((value, i) => {
      expect(slope[i]).toBeCloseTo(value, 4);
    });
  });

  it('online: older importance fades, the newest weights are the anchor', async () => {
    const net = await gaussian('online EWC', 0.5);
    for (const { weights, samples } of TASKS) net.end(weights, samples);
    const [a, b, c] = TASKS.map(({ weights, samples }) => fisher(weights, samples));
    const at = [0.3, 0.7, -0.2, 1.5];
    const { penalty } = net.at(at);
    const wanted = at.reduce((all, w, i) => all + 1.5 * (0.25 * a![i]! + 0.5 * b![i]! + c![i]!) * (w - TASKS[2].weights[i]!) ** 2, 0);
    expect(penalty).toBeCloseTo(wanted, 4);
  });
});

describe('a reservoir', () => {
  it('keeps each of all transitions with the same chance: chi-square over ten tenths', () => {
    const [capacity, offered, times] = [20, 200, 400];
    const counts = new Float64Array(10);
    for (let time = 0; time < times; time++) {
      const reservoir = new Reservoir({ capacity, obsSize: 1, actionCount: 1 });
      const rng = Rng.from(time);
      const slots = new Int32Array(capacity);
      for (let id = 0; id < offered; id++) {
        const slot = reservoir.place(rng);
        if (slot >= 0) slots[slot] = id;
      }
      for (const id of slots) counts[Math.floor((10 * id) / offered)]!++;
    }
    const wanted = (capacity * times) / 10;
    const chiSquare = counts.reduce((all, n) => all + (n - wanted) ** 2 / wanted, 0);
    expect(chiSquare).toBeLessThan(27.9); // 0.999 of nine degrees of freedom
  });
});

/** A buffer whose transition t has the observation t and the reward t. */
function filled(count: number, capacity: number): ReplayBuffer {
  const replay = new ReplayBuffer({ capacity, rows: 1, obsSize: 1, maskSize: 0 });
  for (let t = 0; t < count; t++)
    replay.add({
      obs: Float32Array.of(t),
      action: Int32Array.of(t % 2),
      reward: Float32Array.of(t),
      nextObs: Float32Array.of(t + 1),
      terminated: Uint8Array.of(0),
      truncated: Uint8Array.of(0),
    });
  return replay;
}

describe('rehearsal', () => {
  const settings = { capacity: 30, obsSize: 1, actionCount: 2, share: 0.5, nStep: 3, gamma: 0.5 };
  const batchOf = (size: number) => ({
    obs: new Float32Array(size).fill(-1),
    action: new Float32Array(size),
    reward: new Float32Array(size),
    discount: new Float32Array(size),
    nextObs: new Float32Array(size),
    kept: new Float32Array(2 * size),
    again: new Float32Array(size),
  });

  it('keeps whole n-step windows with the values of then, and puts them in the last rows of a minibatch', async () => {
    const memory = new Rehearsal(settings, Rng.from(1));
    await memory.offer(filled(20, 100), async (obs, values) => values.set([obs[0]!, -obs[0]!]));
    const batch = batchOf(8);
    memory.mix(batch, 8);
    expect([...batch.obs.subarray(0, 4)]).toEqual([-1, -1, -1, -1]);
    expect([...batch.again]).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
    for (let k = 4; k < 8; k++) {
      const t = batch.obs[k]!;
      expect(t).toBeLessThan(18); // the last two windows are not whole
      expect(batch.reward[k]).toBe(t + 0.5 * (t + 1) + 0.25 * (t + 2));
      expect([batch.discount[k], batch.nextObs[k], batch.action[k]]).toEqual([0.125, t + 3, t % 2]);
      expect([batch.kept[2 * k], batch.kept[2 * k + 1]]).toEqual([t, -t]);
    }
  });

  it('keeps what the buffer has dropped, and goes on after a load with the same draws', async () => {
    const memory = new Rehearsal(settings, Rng.from(2));
    for (let t = 10; t <= 400; t += 10) await memory.offer(filled(t, 20), null);
    const copy = new Rehearsal(settings, Rng.from(3));
    copy.load(memory.save());
    const [a, b] = [batchOf(64), batchOf(64)];
    memory.mix(a, 64);
    copy.mix(b, 64);
    expect(b).toEqual(a);
    const ages = [...a.obs.subarray(32)];
    expect(Math.min(...ages)).toBeLessThan(100);
    expect(Math.max(...ages)).toBeGreaterThan(300);
  });

  it('refuses what another size has saved', async () => {
    const memory = new Rehearsal(settings, Rng.from(2));
    await memory.offer(filled(50, 100), null);
    const other = new Rehearsal({ ...settings, capacity: 40 }, Rng.from(2));
    expect(() => other.load(memory.save())).toThrow('another size');
  });
});

describe('a jump of the loss', () => {
  /** Updates at which a jump is found, of losses by update. */
  const found = (count: number, lossAt: (update: number) => number): number[] => {
    const jumps = new LossJump(5);
    return Array.from({ length: count }, (_, update) => update).filter((update) => jumps.add(lossAt(update)));
  };

  it('is found once, within two blocks', () => {
    const rng = Rng.from(7);
    const at = found(4000, (update) => (update < 2000 ? 0.01 : 0.2) * (0.5 + rng.uniform()));
    expect(at).toHaveLength(1);
    expect(at[0]).toBeGreaterThanOrEqual(2000);
    expect(at[0]).toBeLessThan(2080);
  });

  it('is none where the loss only varies, falls, or has no 20 blocks before it', () => {
    const rng = Rng.from(8);
    expect(found(20_000, () => 0.01 * (0.2 + 2 * rng.uniform()))).toEqual([]);
    expect(found(4000, (update) => 1 / (1 + update))).toEqual([]);
    expect(found(800, (update) => (update < 600 ? 0.01 : 1))).toEqual([]);
  });

  it('is found at the same update after a load', () => {
    const loss = (update: number): number => (update < 2000 ? 0.01 : 0.2);
    const [whole, half] = [new LossJump(5), new LossJump(5)];
    for (let update = 0; update < 1511; update++) whole.add(loss(update));
    half.unpack(whole.pack());
    for (let update = 1511; update < 2100; update++) expect(half.add(loss(update))).toBe(whole.add(loss(update)));
  });
});

describe('resets', () => {
  it('call a unit dormant by its share of the activation of its layer, all of them in a silent layer', () => {
    expect([...dormancy([0, 1, 3, 0, -1, 3], 3)]).toEqual([0, 0.75, 2.25]);
    expect(dormantUnits([0, 0.75, 2.25], 0.75)).toEqual([0, 1]);
    expect(dormantUnits(dormancy([0, 0, 0, 0], 2), 0)).toEqual([0, 1]);
  });

  it('draw what comes into a unit, silence what goes out, and leave the others', async () => {
    const engine = await createWasmEngine();
    const group = engine.group('q');
    const params = [
      group.param('q.0.w', [2, 3], Float32Array.of(1, 2, 3, 4, 5, 6)),
      group.param('q.0.b', [3], Float32Array.of(7, 8, 9)),
      group.param('q.1.w', [3, 2], Float32Array.of(1, 2, 3, 4, 5, 6)),
      group.param('q.1.b', [2], Float32Array.of(1, 2)),
    ] as const;
    engine.compile({ x: [1, 2] }, (x, g) => ({ y: linear(x.x, g.read(params[0]), g.read(params[1])) }));
    await startAnew(engine, stackedLayers(group), 0, [1], Rng.from(1));
    const [w, b, out, last] = await Promise.all(params.map(async (param) => [...(await engine.read(param))]));
    expect([w![0], w![2], w![3], w![5], b![0], b![2]]).toEqual([1, 3, 4, 6, 7, 9]);
    for (const drawn of [w![1]!, w![4]!, b![1]!]) expect(Math.abs(drawn)).toBeLessThanOrEqual(Math.SQRT1_2);
    expect(out).toEqual([1, 2, 0, 0, 5, 6]);
    expect(last).toEqual([1, 2]);
  });

  it.each(['orthogonal', 'torch'] as const)(
    'start silent units anew as a layer that is %s was drawn, moments cleared, others to the bit',
    async (init) => {
      const engine = await createWasmEngine();
      const group = engine.group('q');
      const [inputs, units] = [12, 64];
      const net = mlp(group, 'q', Rng.from(3), [inputs, units, 2], { act: 'relu', init });
      const layers = stackedLayers(group);
      const learn = engine.compile({ x: [8, inputs] }, ({ x }) => ({ loss: mean(square(sub(net(x), 1))) }), {
        minimise: 'loss',
        group,
        with: adam({ eps: 1e-5 }),
      });
      const rng = Rng.from(5);
      const row = (into: Float32Array): void => void into.set(Float32Array.from({ length: into.length }, () => rng.uniform() - 0.5));
      const resets = resetting(engine, [{ layers, act: 'relu', init, inputs: (_, fed) => fed }], inputs, 0.001, Rng.from(7));
      for (let update = 0; update < 5; update++) {
        row(learn.in.x);
        learn.in.lr[0] = 0.01;
        await learn.run();
      }
      const dead = [3, 20, 41];
      const bias = (await engine.read(layers[0]!.b)).slice();
      bias.fill(3);
      for (const unit of dead) bias[unit] = -100;
      engine.write(layers[0]!.b, bias);
      const before = (await engine.save()).arrays;
      expect(await resets.renew((_, into) => row(into))).toBe(dead.length / units);
      const after = (await engine.save()).arrays;
      expect(await resets.renew((_, into) => row(into))).toBe(0);
      const [w, moment] = [after['q/q.0.w'] as Float32Array, after['q/q.0.w#mean'] as Float32Array];
      let power = 0;
      for (let k = 0; k < inputs; k++)
        for (let unit = 0; unit < units; unit++) {
          const at = k * units + unit;
          if (!dead.includes(unit)) expect([w[at], moment[at]]).toEqual([before['q/q.0.w']![at], before['q/q.0.w#mean']![at]]);
          else {
            expect(moment[at]).toBe(0);
            power += w[at]! ** 2 / dead.length;
          }
        }
      // twelve rows of 64 with orthonormal rows times sqrt 2: 2 * 12 / 64 on average; U(+-1/sqrt 12): 12 / 36
      const expected = init === 'torch' ? 1 / 3 : 24 / 64;
      expect(power).toBeGreaterThan(expected / 2);
      expect(power).toBeLessThan(expected * 2);
      for (const unit of dead) {
        const biasNow = (after['q/q.0.b'] as Float32Array)[unit]!;
        if (init === 'torch') expect(Math.abs(biasNow)).toBeLessThanOrEqual(1 / Math.sqrt(inputs));
        else expect(biasNow).toBe(0);
        expect([...(after['q/q.1.w'] as Float32Array).subarray(2 * unit, 2 * unit + 2)]).toEqual([0, 0]);
        expect([...(after['q/q.1.w#square'] as Float32Array).subarray(2 * unit, 2 * unit + 2)]).toEqual([0, 0]);
      }
      expect(after['q/q.1.b']).toEqual(before['q/q.1.b']);
    },
  );
});
