import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { toFailure } from '../kit/errors.ts';
import { readNpz, writeNpz } from '../kit/npz.ts';
import { encodeSaved } from '../run/saved.ts';
import {
  bestEpisodes,
  checkDatasetFile,
  DATASET_BEGINNING,
  type Dataset,
  decodeDataset,
  encodeDataset,
  episodesAbove,
  mergeDatasets,
  nextObservations,
  selectEpisodes,
} from './dataset.ts';
import { datasetFromNpz, datasetToNpz } from './dataset-npz.ts';

/** Three episodes of 2, 1 and 3 steps of one agent: the first terminated, the others were cut. */
function sample(env = 'cartpole'): Dataset {
  const steps = 6;
  return {
    header: {
      kind: 'dataset',
      version: 1,
      title: 'sample',
      env: { id: env, version: 1, config: {} },
      who: 'script',
      player: 'expert',
      grade: 'expert',
      licence: 'CC0-1.0',
      seed: 1,
      steps,
      episodes: 3,
      agents: 1,
      obsSize: 2,
      actionSize: 1,
      actionCount: 2,
    },
    observations: Float32Array.from({ length: 2 * steps }, (_, i) => i / 2),
    actions: Float32Array.of(0, 1, 1, 0, 1, 0),
    rewards: Float32Array.of(1, 2, 3, 4, 5, 6),
    terminals: Uint8Array.of(0, 1, 0, 0, 0, 0),
    timeouts: Uint8Array.of(0, 0, 1, 0, 0, 1),
    finals: Float32Array.of(-1, -1, -2, -2, -3, -3),
    returns: Float64Array.of(3, 3, 15),
    starts: Uint8Array.of(1, 1, 2, 2, 3, 3),
  };
}

const failure = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return '';
};

describe('a dataset file', () => {
  it('is refused from its first bytes and its size, before the rest is read', () => {
    const bytes = encodeDataset(sample());
    const beginning = bytes.slice(0, DATASET_BEGINNING);
    const check = (first: Uint8Array, size = bytes.length) => failure(() => checkDatasetFile(first, size));
    expect(check(beginning)).toBe('');
    expect(check(beginning, 300_000_000)).toContain('300 MB');
    expect(check(beginning.subarray(0, 10))).toContain('too short');
    expect(check(beginning.map((byte, i) => (i === 0 ? byte + 1 : byte)))).toContain('not written by this workbench');
    const long = beginning.slice();
    new DataView(long.buffer).setUint32(12, 100_000_000, true);
    expect(check(long)).toContain('takes 100000000 bytes');
    expect(check(zipSync({ 'rewards.npy': new Uint8Array(8) }).subarray(0, DATASET_BEGINNING))).toBe(''); // its own reader has its own bounds
  });

  it('comes back as it was, and is the same bytes every time', () => {
    const bytes = encodeDataset(sample());
    expect(encodeDataset(sample())).toEqual(bytes);
    expect(decodeDataset(bytes)).toEqual(sample());
  });

  it('is refused with what is wrong with it', () => {
    const meddled = (change: (data: Dataset) => Partial<Dataset>): Uint8Array => encodeDataset({ ...sample(), ...change(sample()) });
    expect(failure(() => decodeDataset(meddled(() => ({ rewards: new Float32Array(5) }))))).toContain('"rewards" holds 5 numbers, not 6');
    expect(failure(() => decodeDataset(meddled(() => ({ actions: Float32Array.of(0, 1, 2, 0, 1, 0) }))))).toContain(
      'whole numbers below 2',
    );
    expect(failure(() => decodeDataset(meddled(() => ({ rewards: Float32Array.of(1, 2, Number.NaN, 4, 5, 6) }))))).toContain('not finite');
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(failure(() => decodeDataset(meddled(({ finals }) => ({ finals: finals.with(2, bad) }))))).toContain('"finals" holds numbers');
      expect(failure(() => decodeDataset(meddled(({ returns }) => ({ returns: returns.with(1, bad) }))))).toContain(
        '"returns" holds numbers',
      );
      expect(failure(() => datasetFromNpz(datasetToNpz({ ...sample(), returns: sample().returns.with(0, bad) }), 'x', null))).toContain(
        '"returns" holds numbers',
      );
    }
    expect(failure(() => decodeDataset(meddled(() => ({ timeouts: new Uint8Array(6) }))))).toContain('its flags end 1 episodes');
    expect(failure(() => decodeDataset(meddled(({ header }) => ({ header: { ...header, steps: 1e12 } }))))).toContain('"steps"');
    expect(failure(() => decodeDataset(encodeSaved({ meta: { kind: 'checkpoint' }, arrays: {} })))).toContain('header is wrong at "kind"');
    expect(failure(() => decodeDataset(encodeDataset(sample()).subarray(0, 200)))).toContain('checksum');
  });

  it('keeps chosen episodes, and joins others of the same world', () => {
    const part = selectEpisodes(sample(), [2], 'last');
    expect([part.header.steps, part.header.episodes, Array.from(part.rewards), Array.from(part.starts ?? [])]).toEqual([
      3,
      1,
      [4, 5, 6],
      [3, 3],
    ]);
    expect(bestEpisodes(sample(), 0.34)).toEqual([2]);
    expect(bestEpisodes(sample(), 0.6)).toEqual([0, 2]); // of equal ones the first
    expect(episodesAbove(sample(), 4)).toEqual([2]);
    const both = mergeDatasets([part, sample()], 'both');
    expect([both.header.steps, both.header.episodes, both.header.grade, Array.from(both.returns)]).toEqual([
      9,
      4,
      'expert',
      [15, 3, 3, 15],
    ]);
    expect(decodeDataset(encodeDataset(both))).toEqual(both);
    expect(failure(() => mergeDatasets([sample(), sample('acrobot')], 'both'))).toContain('the same environment');
  });
});

describe('.npz with the names of D4RL', () => {
  it('comes back whole, and says what followed each step', () => {
    expect(datasetFromNpz(datasetToNpz(sample()), 'x.npz', null)).toEqual(sample());
    expect(Array.from(nextObservations(sample()))).toEqual([1, 1.5, -1, -1, -2, -2, 4, 4.5, 5, 5.5, -3, -3]);
  });

  it('is read from other programs, whose cut episodes lose the step of which nothing followed', () => {
    const { observations, actions, rewards, terminals, timeouts } = sample();
    const file = writeNpz({
      observations: { shape: [6, 2], data: Float64Array.from(observations) },
      actions: { shape: [6], data: Int32Array.from(actions) },
      rewards: { shape: [6], data: rewards },
      terminals: { shape: [6], data: terminals, bool: true },
      timeouts: { shape: [6], data: timeouts, bool: true },
    });
    const { env, agents, obsSize, actionSize, actionCount } = sample().header;
    const found = datasetFromNpz(file, 'theirs.npz', { env, agents, obsSize, actionSize, actionCount });
    expect([found.header.who, found.header.episodes, Array.from(found.returns), found.starts]).toEqual(['import', 2, [3, 9], undefined]);
    expect(Array.from(found.finals.subarray(2))).toEqual([5, 5.5]);
    expect(failure(() => datasetFromNpz(file, 'theirs.npz', null))).toContain('does not say which environment');
    expect(failure(() => datasetFromNpz(file, 'theirs.npz', { env, agents, obsSize: 3, actionSize, actionCount }))).toContain(
      '2 numbers of observations',
    );
  });

  it('no changed byte of it changes what is read', () => {
    const file = datasetToNpz(sample());
    for (let i = 0; i < file.length; i++) {
      const flipped = file.slice();
      flipped[i]! ^= 1 << (i & 7);
      let read: Dataset | null = null;
      try {
        read = datasetFromNpz(flipped, 'x.npz', null);
      } catch (error) {
        expect(toFailure(error).id, `byte ${i}`).toBe('file-invalid');
      }
      if (read !== null) expect(read, `byte ${i}`).toEqual(sample());
    }
  });

  it('refuses what is too short for an array, and a header that is too long, by name', () => {
    const short = zipSync({ 'rewards.npy': Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0) });
    expect(failure(() => readNpz(short, ['rewards'], 1e6))).toContain('the header of "rewards" is cut short');
    const long = zipSync({ 'rl_workbench_header.npy': new Uint8Array(30_000_000) });
    expect(long.length).toBeLessThan(100_000);
    expect(failure(() => datasetFromNpz(long, 'x.npz', null))).toContain('"rl_workbench_header" takes 30000000 bytes');
  });

  it('unpacks no more than it may', () => {
    const file = writeNpz({ rewards: { shape: [1000], data: new Float32Array(1000) } });
    expect(readNpz(file, ['rewards'], 1e6).get('rewards')?.shape).toEqual([1000]);
    expect(failure(() => readNpz(file, ['rewards'], 4000))).toContain('larger than');
    const lying = file.slice();
    new DataView(lying.buffer).setUint32(file.length - 22 - 46 - 'rewards.npy'.length + 24, 0xffff_fff0, true); // size in the directory
    expect(failure(() => readNpz(lying, ['rewards'], 1e6))).toContain('take more than');
    expect(failure(() => readNpz(file.slice(0, 100), ['rewards'], 1e6))).toContain('cut short');
  });
});
