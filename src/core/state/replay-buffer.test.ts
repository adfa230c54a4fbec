import { describe, expect, it } from 'vitest';
import { nStep } from '#math/returns.ts';
import { Rng } from '#math/rng.ts';
import { linear } from '#math/schedules.ts';
import golden from './golden/algo-dqn.json' with { type: 'json' };
import { Priorities } from './priorities.ts';
import { type ReplayBatch, ReplayBuffer } from './replay-buffer.ts';

function find<T>(name: string): T {
  const found = golden.cases.find((c) => c.name === name);
  if (found === undefined) throw new Error(`no case ${name}`);
  return found as unknown as T;
}

function batch(rows: number, obsSize: number): ReplayBatch {
  const f = (n: number) => new Float32Array(n);
  return { obs: f(rows * obsSize), action: f(rows), reward: f(rows), discount: f(rows), nextObs: f(rows * obsSize) };
}

/** `count` steps of `rows` copies; transition t carries the numbers 10 t (obs), 10 t + 1 (next obs), t (reward). */
function filled(capacity: number, rows: number, count: number, ended: (t: number) => 0 | 1 | 2): ReplayBuffer {
  const memory = new ReplayBuffer({ capacity, obsSize: 1, maskSize: 0, rows });
  for (let t = 0; t < count * rows; t += rows) {
    const column = (value: (id: number) => number) => Array.from({ length: rows }, (_, row) => value(t + row));
    memory.add({
      obs: Float32Array.from(column((id) => 10 * id)),
      action: Int32Array.from(column((id) => id % 4)),
      reward: Float32Array.from(column((id) => id)),
      nextObs: Float32Array.from(column((id) => 10 * id + 1)),
      terminated: Uint8Array.from(column((id) => (ended(id) === 1 ? 1 : 0))),
      truncated: Uint8Array.from(column((id) => (ended(id) === 2 ? 1 : 0))),
    });
  }
  return memory;
}

describe('replay memory', () => {
  it('keeps the newest transitions over many chunks and draws only those', () => {
    const memory = filled(3000, 1, 9000, () => 0);
    expect([memory.oldest, memory.size, memory.total]).toEqual([6000, 3000, 9000]);
    const rng = Rng.from(1);
    const out = batch(1, 1);
    let low = Number.POSITIVE_INFINITY;
    let high = 0;
    for (let i = 0; i < 20_000; i++) {
      const id = memory.draw(rng);
      memory.read(id, 0, 1, 0.9, out);
      expect(out.obs[0]).toBe(10 * id);
      expect(out.nextObs[0]).toBe(10 * id + 1);
      low = Math.min(low, id);
      high = Math.max(high, id);
    }
    expect([low, high]).toEqual([6000, 8999]);
    for (let slot = 0; slot < 3000; slot += 37) {
      expect(memory.numberAt(slot) % 3000).toBe(slot);
      expect(memory.numberAt(slot)).toBeGreaterThanOrEqual(6000);
    }
  });

  it('n-step windows equal those of the plain recursion, copy by copy', () => {
    const rows = 3;
    const ended = (id: number): 0 | 1 | 2 => (id % 7 === 6 ? 1 : id % 11 === 10 ? 2 : 0);
    const memory = filled(5000, rows, 60, ended);
    const out = batch(1, 1);
    for (let row = 0; row < rows; row++) {
      const ids = Array.from({ length: 60 }, (_, i) => i * rows + row);
      const flags = (kind: number) => Uint8Array.from(ids, (id) => (ended(id) === kind ? 1 : 0));
      const want = nStep(Float64Array.from(ids), flags(1), flags(2), 0.9, 3);
      ids.forEach((id, t) => {
        memory.read(id, 0, 3, 0.9, out);
        expect(out.reward[0]).toBeCloseTo(want.rewardSum[t]!, 3);
        expect(out.discount[0]).toBeCloseTo(want.discount[t]!, 6);
        expect(out.nextObs[0]).toBe(10 * ids[want.last[t]!]! + 1);
      });
    }
  });

  it('keeps a team: columns side by side, windows per reward, masks before and after', () => {
    const memory = new ReplayBuffer({ capacity: 100, rows: 2, obsSize: 2, actionSize: 2, rewardSize: 2, maskSize: 4, currentMask: true });
    for (let t = 0; t < 6; t++) {
      const wide = (n: number, base: number) => Float32Array.from({ length: 2 * n }, (_, i) => base + 100 * t + i);
      memory.add({
        obs: wide(2, 0),
        action: wide(2, 10),
        reward: wide(2, 20),
        nextObs: wide(2, 30),
        terminated: Uint8Array.of(0, 0),
        truncated: Uint8Array.of(t === 1 ? 1 : 0, 0),
        mask: Uint8Array.of(1, 0, 0, 1, t % 2, 1, 1, 0),
        nextMask: Uint8Array.of(0, 1, 1, 0, 1, 1, 0, 0),
      });
    }
    const saved = memory.save();
    const copy = new ReplayBuffer(memory.shape);
    copy.load(saved);
    const f = (n: number) => new Float32Array(n);
    const out = { obs: f(2), action: f(2), reward: f(2), discount: f(1), nextObs: f(2), mask: f(4), nextMask: f(4) };
    for (const from of [memory, copy]) {
      from.read(3, 0, 2, 0.5, out); // copy 1 at t = 1, then t = 2
      expect([...out.obs, ...out.action]).toEqual([102, 103, 112, 113]);
      expect([...out.reward]).toEqual([122 + 0.5 * 222, 123 + 0.5 * 223]);
      expect([...out.nextObs, out.discount[0]]).toEqual([232, 233, 0.25]);
      expect([...out.mask, ...out.nextMask]).toEqual([1, 1, 1, 0, 1, 1, 0, 0]);
      from.read(2, 0, 2, 0.5, out); // copy 0 was cut off at t = 1: bootstrap from there
      expect([...out.reward, ...out.nextObs, out.discount[0]]).toEqual([120, 121, 130, 131, 0.5]);
    }
  });

  it('saves chunks, names those that are finished, and loads them again', () => {
    const memory = filled(3000, 1, 5000, () => 0);
    const saved = memory.save();
    const sealed = saved.meta.sealed as string[];
    expect(sealed).toContain('replay#1.obs');
    expect(sealed).not.toContain('replay#2.obs');
    const later = filled(3000, 1, 5100, () => 0).save();
    for (const name of sealed) expect(later.arrays[name]).toEqual(saved.arrays[name]);
    const copy = new ReplayBuffer(memory.shape);
    copy.load(saved);
    const [a, b] = [batch(1, 1), batch(1, 1)];
    for (let id = memory.oldest; id < memory.total; id += 13) {
      memory.read(id, 0, 3, 0.9, a);
      copy.read(id, 0, 3, 0.9, b);
      expect(b).toEqual(a);
    }
  });
});

describe('priorities', () => {
  it.each(['per_alpha0.6_beta0.4', 'per_alpha0_is_uniform'])('%s', (name) => {
    const { input, expected } = find<{
      input: { td_error: number[]; alpha: number; beta: number };
      expected: { probs: number[]; weights: number[] };
    }>(name);
    const n = input.td_error.length;
    const priorities = new Priorities(n, input.alpha);
    input.td_error.forEach((delta, id) => {
      priorities.update(id, delta);
    });
    const weights = input.td_error.map((_, id) => priorities.weight(id, n, input.beta));
    const top = Math.max(...weights);
    expected.probs.forEach((p, id) => {
      expect(priorities.probability(id)).toBeCloseTo(p, 9);
      expect(weights[id]! / top).toBeCloseTo(expected.weights[id]!, 9);
    });
  });

  it('draws in proportion, and its sums are exact whatever the order of updates', () => {
    const n = 5;
    const a = new Priorities(n, 1);
    const b = new Priorities(n, 1);
    const size = [0.1, 3, 0.7, 1.1, 0.3];
    for (let round = 0; round < 100; round++) for (let id = 0; id < n; id++) a.update(id, size[(id + round) % n]!);
    for (let id = n - 1; id >= 0; id--) b.update(id, size[(id + 99) % n]!);
    expect(a.total).toBe(b.total);
    const counts = new Array<number>(n).fill(0);
    const rng = Rng.from(2);
    for (let i = 0; i < 50_000; i++) counts[a.find(a.total * rng.uniform())]!++;
    counts.forEach((count, id) => {
      expect(Math.abs(count / 50_000 - a.probability(id))).toBeLessThan(0.01);
    });
    const c = new Priorities(n, 1);
    c.unpack(a.pack());
    expect(c.total).toBe(a.total);
    expect(c.largest).toBe(a.largest);
  });
});

it('exploration falls in a straight line', () => {
  const { input, expected } = find<{
    input: { start: number; end: number; duration: number; steps: number[] };
    expected: { epsilon: number[] };
  }>('epsilon_linear');
  input.steps.forEach((step, i) => {
    expect(linear(input.start, input.end, input.duration, step)).toBeCloseTo(expected.epsilon[i]!, 12);
  });
});
