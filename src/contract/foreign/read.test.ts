import { describe, expect, test } from 'vitest';
import { curvesToCsv } from '../files/curves-csv.ts';
import { LabError } from '../kit/errors.ts';
import { readForeign } from './read.ts';
import { maskedCrc } from './tensorboard.ts';
import { scalarRecord, textRecord, versionRecord } from './tensorboard-write.ts';

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const read = (bytes: Uint8Array, name: string) => readForeign(bytes, new TextDecoder().decode(bytes), name);
const one = (content: string, name = 'progress.csv') => read(text(content), name)?.[0];
const problem = (bytes: Uint8Array, name = 'x'): string => {
  try {
    read(bytes, name);
  } catch (error) {
    if (error instanceof LabError) return error.failure.message;
    throw error;
  }
  return 'opened';
};

// Protocol buffers by hand, so that the reader is not tested by a writer of ours.
const join = (...parts: readonly (readonly number[] | Uint8Array)[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));
const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))]);
const field = (number: number, content: Uint8Array): Uint8Array => join([number * 8 + 2, ...varint(content.length)], content);
const float32 = (value: number): Uint8Array => new Uint8Array(Float32Array.of(value).buffer);
const simple = (tag: string, value: number): Uint8Array => field(1, join(field(1, text(tag)), [2 * 8 + 5], float32(value)));
const tensor = (tag: string, content: Uint8Array): Uint8Array => field(1, join(field(1, text(tag)), field(8, content)));
const event = (step: number, ...values: readonly Uint8Array[]): Uint8Array => join([2 * 8, ...varint(step)], field(5, join(...values)));
const u32 = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer);
function record(data: Uint8Array): Uint8Array {
  const length = new Uint8Array(BigUint64Array.of(BigInt(data.length)).buffer);
  return join(length, u32(maskedCrc(length)), data, u32(maskedCrc(data)));
}

describe('TensorBoard event files', () => {
  const version = record(join([1 * 8 + 1], new Uint8Array(8), field(3, text('brain.Event:2'))));
  const file = join(
    version,
    record(event(64, simple('charts/episodic_return', 1.5), simple('losses/value_loss', 0.25))),
    record(event(300, tensor('charts/episodic_return', join([1 * 8, 1], field(5, float32(2.5)))))),
    record(event(500, tensor('charts/episodic_return', join([1 * 8, 2], field(4, new Uint8Array(Float64Array.of(3.5).buffer)))))),
    record(event(600, tensor('hyperparameters', join([1 * 8, 7], field(8, text('| a | b |')))))),
  );

  test('the checksum is that of TFRecord', () => {
    // CRC-32C of "123456789" is e3069283 (RFC 3720, appendix B.4 names the polynomial)
    const crc = 0xe3069283;
    expect(maskedCrc(text('123456789'))).toBe((((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0);
  });

  test('scalars as simple values and as tensors of one number; texts are left out', () => {
    const [run] = read(file, 'runs/CartPole-v1__ppo__3__1700000000/events.out.tfevents.1700000000.host.1.0') ?? [];
    expect(run).toMatchObject({ name: 'CartPole-v1__ppo', seed: 3, source: 'TensorBoard' });
    expect(run?.columns.map(({ metric }) => metric)).toEqual(['episodicReturn', 'losses/value_loss']);
    const [returns] = run?.columns ?? [];
    expect([...(returns?.steps ?? [])]).toEqual([64, 300, 500]);
    expect([...(returns?.values ?? [])]).toEqual([1.5, 2.5, 3.5]);
  });

  test('a last record that is cut off is left out; a damaged one is left out and named, and the others are read', () => {
    const torn = read(file.subarray(0, file.length - 3), 'x');
    expect(torn).toHaveLength(1);
    expect(torn?.[0]?.notes).toEqual([expect.stringContaining('1 record left out, cut off at the end of the file: record 5')]);
    const damaged = file.slice();
    damaged[version.length + 20] = damaged[version.length + 20]! ^ 1;
    const [run] = read(damaged, 'x') ?? [];
    expect(run?.notes).toEqual([
      `1 record left out, damaged (the checksum of its data does not match): record 2 at byte ${version.length}.`,
    ]);
    expect([...(run?.columns[0]?.steps ?? [])]).toEqual([300, 500]);
    const length = file.slice();
    length[version.length] = 7;
    expect(problem(length)).toMatch(/Nothing of this event file can be read.*record 2 at byte/);
  });

  test('lengths that lie, and files without scalars', () => {
    const huge = new Uint8Array(BigUint64Array.of(2n ** 60n).buffer);
    expect(problem(join(version, huge, u32(maskedCrc(huge)), [0, 0]))).toContain('cut off at the end of the file');
    expect(problem(version)).toContain('no scalars');
    expect(problem(record(join([5 * 8 + 2, 100], [1])))).toContain('no event');
  });

  test('of more metrics than are kept the first are, and those that every run has; the others are named', () => {
    const many = event(2, ...Array.from({ length: 300 }, (_, i) => simple(`m${i}`, 1)), simple('ray/tune/episode_reward_mean', 7));
    const [run] = read(record(many), 'x') ?? [];
    expect(run?.columns).toHaveLength(201);
    expect(run?.columns.at(-1)).toMatchObject({ metric: 'episodicReturn', values: Float64Array.of(7) });
    expect(run?.notes).toEqual(['100 metrics left out beyond the first 200: "m200", "m201", "m202", "m203" and 96 more.']);
  });
});

describe('tables', () => {
  test('progress.csv of Stable-Baselines3: empty cells were not measured', () => {
    const run = one('rollout/ep_rew_mean,time/total_timesteps,train/loss,time/fps\n12.5,2048,,900\n20,4096,0.5,910\n');
    expect(run).toMatchObject({ name: 'progress', seed: null, source: 'Stable-Baselines3' });
    expect(run?.columns.map(({ metric, steps, values }) => [metric, [...steps], [...values]])).toEqual([
      ['episodicReturn', [2048, 4096], [12.5, 20]],
      ['stepsPerSecond', [2048, 4096], [900, 910]],
      ['train/loss', [4096], [0.5]],
    ]);
  });

  test('monitor.csv: episodes at the steps taken so far', () => {
    const run = one('#{"t_start": 1.0, "env_id": "CartPole-v1"}\nr,l,t\n10.0,10,0.1\n23.0,23,0.2\n', 'monitor.csv');
    expect(run?.name).toBe('CartPole-v1 (monitor)');
    expect(run?.columns[0]).toMatchObject({ metric: 'episodicReturn', steps: Float64Array.of(10, 33), values: Float64Array.of(10, 23) });
  });

  test('a chart of Weights & Biases: one run per name, bounds left out', () => {
    const header =
      '"global_step","CartPole-v1__ppo__1__1700000000 - charts/episodic_return","CartPole-v1__ppo__1__1700000000 - charts/episodic_return__MIN","b - charts/episodic_return"';
    const runs = read(text(`${header}\n"100","9","8","1"\n"200","",,"NaN"\n`), 'wandb.csv') ?? [];
    expect(runs.map(({ name, seed, source }) => [name, seed, source])).toEqual([
      ['CartPole-v1__ppo', 1, 'Weights & Biases'],
      ['b', null, 'Weights & Biases'],
    ]);
    expect(runs[0]?.columns.map(({ metric, values }) => [metric, [...values]])).toEqual([['episodicReturn', [9]]]);
  });

  test('the curves that the page exports come back, every seed by itself', () => {
    const columns = [1, 2].map((seed) => ({
      seed,
      metric: 'episodicReturn',
      steps: Float64Array.of(1, 2),
      values: Float64Array.of(seed, 0.1),
    }));
    const runs = read(text(curvesToCsv('r', columns)), 'mine.csv') ?? [];
    expect(runs.map(({ name, seed, columns: own }) => [name, seed, own])).toEqual(columns.map((c) => ['mine', c.seed, [c]]));
  });

  test('exported curves with seeds or steps that are none are refused', () => {
    const curves = (row: string): string => problem(text(`run,seed,step,metric,value\n${row}\n`));
    expect(curves('r,-3,1,a,2')).toContain('The seed -3');
    expect(curves('r,1.5,1,a,2')).toContain('The seed 1.5');
    expect(curves('r,1,Infinity,a,2')).toContain('has the step Infinity');
  });

  test('what is wrong is named by line and column, and the rest is read', () => {
    expect(problem(text('a,b\n1,2\n'))).toContain('no column of steps: its columns are "a" and "b"');
    expect(problem(text('step,"lo\nss\n'))).toContain('the header, has a quote that does not end');
    expect(problem(text(`step,${'a,'.repeat(40_000)}b\n`))).toContain('columns');
    expect(problem(text('step,a\n'))).toContain('no numbers');
    expect(problem(text('step,a\n1,2'))).toContain('the last one, which has no line end and may be cut off: line 2');
    const notes = (content: string): readonly string[] | undefined => one(content)?.notes;
    expect(notes('step,loss\n1,2\n2,high\n')).toEqual(['1 cell of "loss" left out, no number: the first is in line 3.']);
    expect(notes('step,loss\n1,2\n,3\n')).toEqual(['1 line left out, without a step in the column "step": line 3.']);
    expect(notes('step,loss\n1,2,3\n2,3\n3,4,5\n')).toEqual([
      "2 lines left out, of another number of cells than the header's 2: the first is line 2.",
    ]);
    expect(notes('step,loss\n-1,2\n2,2\n')).toEqual(['1 point left out, with a step below 0 or none: "loss".']);
    expect(one('r,l,t\n1,,2\n5,10,3\n', 'monitor.csv')?.notes).toEqual([
      '1 line left out, without a return ("r") or a length ("l"): line 2.',
      'The steps behind what was left out are too low by its episodes.',
    ]);
    const wide = read(text(`step,${Array.from({ length: 60 }, (_, i) => `r${i} - x`).join(',')}\n1${',1'.repeat(60)}\n`), 'x') ?? [];
    expect(wide).toHaveLength(50);
    expect(wide[0]?.notes).toEqual(['10 runs left out beyond the first 50: "r50", "r51", "r52", "r53" and 6 more.']);
  });

  test('what is no table is left to others; names become one line of text', () => {
    for (const content of ['hello', '{"a":1,"b":2}', '<svg a="1,2">', '[1,2]', '']) expect(read(text(content), 'x')).toBeNull();
    expect(one('step,a\u0000b\u202e<script>\n1,2\n')?.columns[0]?.metric).toBe('a b <script>');
  });
});

describe('our TensorBoard event files', () => {
  const rows = [[64, 1.5, 0.25], [70_000, 2.5, Number.NaN], [5_000_000_000, -3.25, Number.POSITIVE_INFINITY]] as const; // biome-ignore format: a table
  const file = join(
    versionRecord(1_700_000_000.5),
    textRecord(1_700_000_000.5, 'config', '    {"lr": 0.1}'),
    ...rows.map(([step, value, loss]) => scalarRecord(1_700_000_001, step, [['episodicReturn', value], ['valueLoss', loss]])), // biome-ignore format: pairs
  );

  test('are read back: every scalar that is finite at its step, texts left aside', () => {
    const [run] = read(file, 'cartpole-ppo-0123/seed-3/events.out.tfevents.1700000000.rl-workbench.1.0') ?? [];
    expect(run).toMatchObject({ source: 'TensorBoard', name: 'cartpole-ppo-0123', seed: 3 });
    expect(run?.columns.map(({ metric, steps, values }) => [metric, [...steps], [...values]])).toEqual([
      ['episodicReturn', [64, 70_000, 5_000_000_000], [1.5, 2.5, -3.25]],
      ['valueLoss', [64], [0.25]],
    ]);
  });

  test('are the bytes that the format asks for', () => {
    const own = join([8 + 1], new Uint8Array(Float64Array.of(2).buffer), event(300, simple('a', 1.5)));
    expect(scalarRecord(2, 300, [['a', 1.5]])).toEqual(record(own));
    expect(scalarRecord(2, 300, [['a', Number.NaN]])).toHaveLength(0);
    // CRC-32C of RFC 3720, B.4: 32 bytes of zeros are 8A9136AA; masked as record files do.
    const crc = 0x8a9136aa;
    expect(maskedCrc(new Uint8Array(32))).toBe((((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0);
  });
});
