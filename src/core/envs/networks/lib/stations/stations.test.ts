/** Cases worked out by hand from the published formulas, and what a person may do. */
import { describe, expect, it } from 'vitest';
import { createActions, createBuffers } from '../../../api/buffers.ts';
import { baseStations } from '../../base-stations.ts';
import { createAir, flightPower, PLACES, pathLoss, type Radio, sightChance } from './radio.ts';

const [HOVER, WEST, EAST, SOUTH, NORTH, CHANNEL] = [0, 1, 2, 3, 4, 5];
const RADIO: Radio = {
  stations: 2,
  users: 1,
  surroundings: 'urban',
  side: 1000,
  height: 100,
  frequency: 2,
  power: 10,
  bandwidth: 10,
  noiseFigure: 9,
  channels: 1,
  cap: 30,
};

describe('radio', () => {
  it('sees the ground with chance 1 / (1 + a) where the angle is a, and surely from above', () => {
    expect(sightChance(PLACES.urban, 9.61)).toBeCloseTo(1 / 10.61, 12);
    expect(sightChance(PLACES.urban, 90)).toBeCloseTo(1, 4);
  });

  it('loses 78.47 dB over 100 m at 2 GHz, 1 dB more with sight, and 20 dB more where there is none', () => {
    // 20 log10(4 pi 2e9 100 / 299792458) = 78.468; straight above p = 0.999975, so 1 + 0.000025 * 19
    expect(pathLoss(PLACES.urban, 100, 2, 0)).toBeCloseTo(78.4685 + 1.0005, 3);
    // at 45 degrees p = 1 / (1 + 9.61 exp(-0.16 * 35.39)) = 0.96769, distance 141.42 m: 3.0103 dB more
    expect(pathLoss(PLACES.urban, 100, 2, 100)).toBeCloseTo(78.4685 + 3.0103 + 0.96769 + 0.03231 * 20, 3);
  });

  /** Stations at places on the x axis, the user at 0. */
  const rateOf = (places: readonly number[], more: Partial<Radio> = {}, channels = places.map(() => 0)) => {
    const air = createAir({ ...RADIO, ...more, stations: places.length });
    air.hear(
      places.flatMap((x) => [x, 0]),
      0,
      channels,
      0,
      [0, 0],
      0,
    );
    return { rate: air.heard.rate[0], alone: air.heard.alone[0], server: air.heard.server[0] };
  };

  it('gives Shannon rates: 25.53 dB are 8.49 bit/s/Hz, cut at the highest rate', () => {
    // 10 dBm - 79.469 dB, noise -174 + 70 + 9 = -95 dBm
    expect(rateOf([0]).rate).toBeCloseTo(Math.log2(1 + 10 ** 2.5531), 3);
    expect(rateOf([0], { cap: 7.4 }).rate).toBe(7.4);
  });

  it('of two stations above one user one is noise: less than 1 bit/s/Hz; on two channels half of the band, undisturbed', () => {
    const signal = 10 ** 2.5531;
    expect(rateOf([0, 0]).rate).toBeCloseTo(Math.log2(1 + signal / (1 + signal)), 3);
    expect(rateOf([0, 0]).alone).toBeCloseTo(Math.log2(1 + signal), 3);
    expect(rateOf([0, 0], { channels: 2 }, [0, 1]).rate).toBeCloseTo(Math.log2(1 + 2 * signal) / 2, 3);
  });

  it('the stronger station serves', () => {
    expect(rateOf([300, -120]).server).toBe(1);
    expect(rateOf([300, -120]).rate).toBeLessThan(rateOf([600, -120]).rate ?? 0);
  });

  it('takes 168.5 W to hover, less in slow flight, more in fast one', () => {
    expect(flightPower(0)).toBeCloseTo(79.86 + 88.63, 9);
    // at 10 m/s: 79.86 * 1.02083 + 88.63 * sqrt(3.2370 - 3.0786) + 9.24
    expect(flightPower(10)).toBeCloseTo(126, 0);
    expect(flightPower(20)).toBeCloseTo(178, 0);
  });
});

function world(
  config: object,
  stations: readonly (readonly number[])[],
  users: readonly (readonly number[])[],
  channels?: readonly number[],
) {
  const complete = { stations: stations.length, users: users.length, spots: 1, spread: 0, walk: 0, ...config };
  const env = baseStations.create(complete, 1);
  const buffers = createBuffers(env.meta, 1);
  const state = { stations, users, spots: [[...(users[0] ?? []), 0, 0]], rates: [0, 0], channels: channels ?? stations.map(() => 0) };
  env.load(0, env.meta.state.fromJSON({ ...state, rng: [1, 0, 0, 0] }), buffers);
  const actions = createActions(env.meta, 1);
  return {
    env,
    buffers,
    step(...chosen: readonly number[]) {
      actions.set(chosen);
      env.step(actions, buffers);
      return buffers.reward[0]!;
    },
    json: () => env.meta.state.toJSON(env.save(0)),
  };
}

describe('base-stations', () => {
  it('moves 50 m a step, not beyond the edge', () => {
    const w = world(
      {},
      [
        [0, 0],
        [480, -480],
        [0, 0],
        [0, 0],
      ],
      [[0, 0]],
    );
    w.step(WEST, EAST, SOUTH, NORTH);
    expect(w.json().stations).toEqual([
      [-50, 0],
      [500, -480],
      [0, -50],
      [0, 50],
    ]);
  });

  it('pays who serves, by the user, and takes the flight of each', () => {
    const w = world(
      {},
      [
        [0, 0],
        [400, 400],
      ],
      [
        [0, 0],
        [0, 0],
      ],
    );
    const hover = (0.5 * 168.49 * 2.5) / 1000 / 2;
    expect(w.step(HOVER, HOVER)).toBeCloseTo(7.4 - hover, 4);
    expect(w.buffers.reward[1]).toBeCloseTo(-hover, 6);
    const measured = new Float64Array(2);
    w.env.measure?.(0, measured, 0);
    expect(measured[0]).toBeCloseTo(7.4, 6);
  });

  it('changes the channel in place of a move', () => {
    const w = world(
      { channels: 2 },
      [
        [0, 0],
        [0, 0],
      ],
      [[0, 0]],
    );
    const [disturbed, apart] = [w.step(HOVER, HOVER), w.step(HOVER, CHANNEL)];
    expect(apart).toBeGreaterThan(disturbed + 2);
    expect(w.json()).toMatchObject({
      channels: [0, 1],
      stations: [
        [0, 0],
        [0, 0],
      ],
    });
  });

  it('groups walk on and turn round at the edge', () => {
    const env = baseStations.create({ stations: 1, users: 1, spots: 1, spread: 0 }, 1);
    const buffers = createBuffers(env.meta, 1);
    const state = { stations: [[0, 0]], users: [[498, 0]], spots: [[498, 0, 1.5, 0]], rates: [0, 0], channels: [0] };
    env.load(0, env.meta.state.fromJSON({ ...state, rng: [1, 0, 0, 0] }), buffers);
    env.step(createActions(env.meta, 1), buffers);
    expect(env.meta.state.toJSON(env.save(0))).toMatchObject({ spots: [[500, 0, -1.5, 0]], users: [[500, 0]] });
  });

  it('a person puts a station and a user elsewhere; let go, they stay there and go on', () => {
    const w = world(
      {},
      [
        [0, 0],
        [100, 0],
      ],
      [[0, 0]],
    );
    w.env.pull?.(0, { part: 1, at: [0, 0, 0], to: [-300, 9000, 0] });
    w.step(HOVER, NORTH);
    expect(w.json().stations).toEqual([
      [0, 0],
      [-300, 500],
    ]);
    w.env.pull?.(0, { part: 2, at: [0, 0, 0], to: [200, 10, 0] });
    w.step(HOVER, HOVER);
    expect(w.json().users).toEqual([[200, 10]]);
    w.env.pull?.(0, null);
    w.step(HOVER, SOUTH);
    expect(w.json().stations).toEqual([
      [0, 0],
      [-300, 450],
    ]);
  });

  it('scripts beat chance by far, and stay clear of the bound', () => {
    for (const { config } of baseStations.presets) {
      const values = Object.fromEntries(baseStations.meta(config).references.map(({ name, value }) => [name, value]));
      const [random = 0, best = 0, bound = 0] = [
        values.random,
        Math.max(values['k-means'] ?? 0, values.densest ?? 0),
        values['upper bound'],
      ];
      expect(best - random).toBeGreaterThan(0.25 * (bound - random));
      expect(best).toBeLessThan(random + 0.95 * (bound - random));
    }
  });
});
