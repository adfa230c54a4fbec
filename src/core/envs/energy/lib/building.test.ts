import { describe, expect, it } from 'vitest';
import { misfit } from '#core/testing/chi-square.ts';
import { createActions, createBuffers } from '../../api/buffers.ts';
import { buildingEnergy } from '../building-energy.ts';
import { heatFor, zoneStep } from './zone.ts';

const ZONE = { capacity: 2e6, resistance: 0.01, dt: 900 };

/** One row at a temperature, `steps` after midnight, without weather. */
function room(config: object, temperature: number, steps = 0) {
  const env = buildingEnergy.create({ weather: 0, swing: 0, ...config }, 1);
  const buffers = createBuffers(env.meta, 1);
  env.load(0, env.meta.state.fromJSON({ temperature, mean: 5, disturbance: 0, heat: 0, steps }), buffers);
  const actions = createActions(env.meta, 1);
  return {
    env,
    buffers,
    step(action: number) {
      actions[0] = action;
      env.step(actions, buffers);
      return buffers.reward[0]!;
    },
    temperature: () => env.meta.state.toJSON(env.save(0)).temperature as number,
  };
}

describe('the room', () => {
  it('goes where its equation leads: exactly, in any number of steps, and nearly by Euler', () => {
    const half = { ...ZONE, dt: 450 };
    const twice = zoneStep(half, zoneStep(half, 20, 5, 1500, 'exact'), 5, 1500, 'exact');
    expect(zoneStep(ZONE, 20, 5, 1500, 'exact')).toBeCloseTo(twice, 12);
    expect(zoneStep({ ...ZONE, dt: 1e9 }, 20, 5, 1500, 'exact')).toBeCloseTo(5 + 0.01 * 1500, 9);
    expect(zoneStep(ZONE, 20, 5, 0, 'euler')).toBeCloseTo(19.325, 12);
    expect(Math.abs(zoneStep({ ...ZONE, dt: 1 }, 20, 5, 0, 'euler') - zoneStep({ ...ZONE, dt: 1 }, 20, 5, 0, 'exact'))).toBeLessThan(1e-6);
  });

  it.each(['exact', 'euler'] as const)('the heat for a temperature brings it there (%s)', (solver) => {
    for (const wanted of [17, 20, 24])
      expect(zoneStep(ZONE, 19.5, 3, heatFor(ZONE, 19.5, 3, wanted, solver), solver)).toBeCloseTo(wanted, 9);
  });
});

describe('building-energy', () => {
  it('follows the zone, with the heat cut to the strongest', () => {
    const w = room({}, 20);
    w.step(0.5);
    expect(w.temperature()).toBeCloseTo(zoneStep(ZONE, 20, 5, 1500, 'exact'), 12);
    const cut = room({ solver: 'euler' }, 20);
    cut.step(-7);
    expect(cut.temperature()).toBeCloseTo(zoneStep(ZONE, 20, 5, -3000, 'euler'), 12);
    expect(cut.env.extras).toBeUndefined();
  });

  it('five levels are full and half cooling, nothing, half and full heating', () => {
    [-1, -0.5, 0, 0.5, 1].forEach((share, level) => {
      const w = room({ levels: true }, 20);
      w.step(level);
      expect(w.temperature()).toBeCloseTo(zoneStep(ZONE, 20, 5, 3000 * share, 'exact'), 12);
    });
  });

  it('heat and cold cost by the hour of the day: 3 kW for a quarter of an hour', () => {
    expect(room({}, 21, 0).step(1)).toBeCloseTo(-0.75 * 0.15, 6); // midnight
    expect(room({}, 21, 26).step(-1)).toBeCloseTo(-0.75 * 0.15, 6); // half past six
    expect(room({}, 21, 84).step(1)).toBeCloseTo(-0.75 * 0.15, 6); // nine in the evening
    expect(room({ comfortWeight: 0 }, 21, 28).step(-1)).toBeCloseTo(-0.75 * 0.3, 6); // seven
    expect(room({ comfortWeight: 0 }, 21, 40).step(0)).toBeCloseTo(0, 12);
  });

  it('discomfort counts outside the band, at the end of the step, while people are in', () => {
    const cold = room({ comfortWeight: 2 }, 18, 40); // ten o'clock
    const reward = cold.step(0);
    expect(reward).toBeCloseTo(-2 * 0.25 * (20 - cold.temperature()), 6);
    const warm = room({ comfortWeight: 2, resistance: 1 }, 25, 40);
    expect(warm.step(0)).toBeCloseTo(-2 * 0.25 * (warm.temperature() - 22), 6);
    expect(room({}, 10, 0).step(0)).toBeCloseTo(0, 12); // nobody is in at night
    expect(room({}, 10, 30).step(0)).toBeCloseTo(0, 12); // half past seven: people come at eight
    expect(room({}, 10, 31).step(0)).toBeLessThan(-1); // at the end of this step they are in
    expect(room({}, 20.9, 40).step(0)).toBeCloseTo(0, 12);
  });

  it('shows room, weather, what can be expected of it, the hour, price and people', () => {
    const w = room({ swing: 5 }, 20, 28); // seven o'clock
    const wave = (hour: number) => 5 + 5 * Math.cos((2 * Math.PI * (hour - 15)) / 24);
    const angle = (2 * Math.PI * 7) / 24;
    [20, wave(7), wave(10), Math.sin(angle), Math.cos(angle), 0.3, 0, 1].forEach((x, i) => {
      expect(w.buffers.obs[i]).toBeCloseTo(x, 5);
    });
  });

  it('never ends, and is cut after its days', () => {
    const w = room({ days: 1 }, 20, 94);
    w.step(0);
    expect([w.buffers.terminated[0], w.buffers.truncated[0]]).toEqual([0, 0]);
    w.step(0);
    expect([w.buffers.terminated[0], w.buffers.truncated[0]]).toEqual([0, 1]);
    expect(buildingEnergy.meta({ days: 3, dt: 1800 }).maxSteps).toBe(144);
  });

  it('draws its season, its room and the weather as told: chi-square of 100,000 draws', () => {
    const n = 1000;
    const env = buildingEnergy.create({ weather: 2 }, n);
    const buffers = createBuffers(env.meta, n);
    const actions = createActions(env.meta, n);
    const [mean, start, first, later] = [0, 1, 2, 3].map(() => new Array<number>(20).fill(0)) as [number[], number[], number[], number[]];
    const normal = [0.02275, 0.135905, 0.341345, 0.341345, 0.135905, 0.02275];
    const add = (list: number[], part: number) => {
      const bin = Math.floor(20 * part);
      list[bin] = list[bin]! + 1;
    };
    const spread = (list: number[], z: number) => {
      const bin = Math.min(5, Math.max(0, Math.floor(z + 3)));
      list[bin] = list[bin]! + 1;
    };
    env.reset(
      Uint32Array.from({ length: n }, (_, i) => i),
      buffers,
    );
    for (let round = 0; round < 100; round++, env.restart(new Uint8Array(n).fill(1), buffers)) {
      for (let row = 0; row < n; row++) {
        const view = new DataView(env.save(row).buffer);
        add(start, (view.getFloat64(8, true) - 19) / 4);
        add(mean, (view.getFloat64(16, true) - 2) / 8);
        spread(first, view.getFloat64(24, true) / 2);
      }
      env.step(actions, buffers); // its weather is as wide as before
      for (let row = 0; row < n; row++) spread(later, new DataView(env.save(row).buffer).getFloat64(24, true) / 2);
    }
    expect(misfit(mean)).toBeLessThan(1);
    expect(misfit(start)).toBeLessThan(1);
    expect(misfit(first.slice(0, 6), normal)).toBeLessThan(1);
    expect(misfit(later.slice(0, 6), normal)).toBeLessThan(1);
  });

  it.each(buildingEnergy.presets)('$id: the thermostat holds the band and beats random heat by far, as stated', ({ config }) => {
    const n = 100;
    const env = buildingEnergy.create(config, n);
    const buffers = createBuffers(env.meta, n);
    const actions = createActions(env.meta, n);
    const policy = buildingEnergy.policies(config).thermostat;
    let sum = 0;
    env.reset(
      Uint32Array.from({ length: n }, (_, i) => i + 1),
      buffers,
    );
    for (let t = 0; t < env.meta.maxSteps; t++) {
      policy?.act(env, buffers, actions);
      env.step(actions, buffers);
      for (const r of buffers.reward) sum += r;
    }
    const stated = (name: string) => env.meta.references.find((r) => r.name === name)?.value as number;
    expect(Math.abs(sum / n - stated('thermostat'))).toBeLessThan(0.12 * Math.abs(stated('thermostat')));
    expect(stated('random')).toBeLessThan(2 * stated('thermostat'));
  });
});
