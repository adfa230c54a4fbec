import { describe, expect, it } from 'vitest';
import { frameSize } from '#contract/game/frames.ts';
import { Rng } from '#math/rng.ts';
import { createActions, createBuffers } from '../../api/buffers.ts';
import type { EnvEntry, StepBuffers } from '../../api/types.ts';
import { boids } from '../boids.ts';
import { kuramoto } from '../kuramoto.ts';
import { rendezvous } from '../rendezvous.ts';
import { vicsekSwarm } from '../vicsek-swarm.ts';
import { eachPairOfCells, type Neighbourhood, nearestImage, openCells, periodicCells } from './cells.ts';
import { createClusters } from './clusters.ts';
import { createSightings, KEPT } from './sightings.ts';

/** Pairs within `sight`, found through the cells, as "i-j" with i < j. */
function found(cells: Neighbourhood, sight: number, side: number): string[] {
  const out: string[] = [];
  eachPairOfCells(cells, (a, a1, b, b1, dx, dy) => {
    for (let i = a; i < a1; i++)
      for (let j = a === b ? i + 1 : b; j < b1; j++) {
        let ex = cells.x[j]! + dx - cells.x[i]!;
        let ey = cells.y[j]! + dy - cells.y[i]!;
        if (cells.wraps) {
          ex = nearestImage(ex, side);
          ey = nearestImage(ey, side);
        }
        const pair = [cells.member[i]!, cells.member[j]!].sort((p, q) => p - q);
        if (ex * ex + ey * ey <= sight * sight) out.push(pair.join('-'));
      }
  });
  return out.sort();
}

function wanted(places: Float64Array, sight: number, side: number): string[] {
  const out: string[] = [];
  const n = places.length / 2;
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++) {
      const dx = nearestImage(places[2 * j]! - places[2 * i]!, side);
      const dy = nearestImage(places[2 * j + 1]! - places[2 * i + 1]!, side);
      if (dx * dx + dy * dy <= sight * sight) out.push(`${i}-${j}`);
    }
  return out.sort();
}

describe('neighbour search', () => {
  const rng = Rng.from(3);
  const scatter = (n: number, side: number, low: number) => Float64Array.from({ length: 2 * n }, () => low + side * rng.uniform());

  it.each([
    [200, 7, 1],
    [50, 3, 1],
    [40, 2.5, 1],
    [30, 1, 0.7],
    [500, 40, 0.5],
    [2, 10, 3],
  ])('%d members in a periodic box of %d see up to %d', (n, side, sight) => {
    for (let round = 0; round < 5; round++) {
      const places = scatter(n, side, -side / 2);
      const cells = periodicCells(n, side, -side / 2, sight);
      cells.sort(places, 0);
      expect(found(cells, sight, side)).toEqual(wanted(places, sight, side));
    }
  });

  it.each([
    [200, 7, 1],
    [100, 0.1, 1],
    [300, 90, 2],
    [2, 1, 5],
  ])('%d members on the open plane, spread over %d, see up to %d', (n, side, sight) => {
    for (let round = 0; round < 5; round++) {
      const places = scatter(n, side, 100 * rng.uniform());
      const cells = openCells(n, sight);
      cells.sort(places, 0);
      expect(found(cells, sight, Number.MAX_VALUE)).toEqual(wanted(places, sight, Number.MAX_VALUE));
    }
  });

  it('takes crowds as a whole without changing the sums', () => {
    for (const spread of [0.5, 3, 20]) {
      const n = 400;
      const places = scatter(n, spread, 0);
      const cells = openCells(n, 2);
      const kept = new Float64Array(KEPT * n);
      createSightings(n, cells, 2)(places, 0, kept, 0);
      for (const i of [0, 7, 399]) {
        const sums = [0, 0, 0];
        for (let j = 0; j < n; j++) {
          const dx = places[2 * j]! - places[2 * i]!;
          const dy = places[2 * j + 1]! - places[2 * i + 1]!;
          if (j === i || dx * dx + dy * dy > 4) continue;
          sums[0]!++;
          sums[1]! += dx;
          sums[2]! += dy;
        }
        for (let d = 0; d < 3; d++) expect(kept[KEPT * i + d]).toBeCloseTo(sums[d]!, 8);
      }
    }
  });

  it('counts clusters', () => {
    const places = Float64Array.of(0, 0, 1, 0, 2, 0, 10, 10, 10.5, 10, 30, 0);
    const cells = openCells(6, 1.1);
    const out = { count: 0, largest: 0 };
    cells.sort(places, 0);
    createClusters(6, cells, 1.1)(out);
    expect(out).toEqual({ count: 3, largest: 0.5 });
  });
});

/** Runs `steps` of two environments from one state: one by rule, one by learners who act by the policy "rule". */
function bothWays(entry: EnvEntry, config: object, learners: number, steps: number): [Float64Array, Float64Array] {
  const run = (settings: object): Float64Array => {
    const env = entry.create(settings, 1);
    const buffers: StepBuffers = createBuffers(env.meta, 1);
    const actions = createActions(env.meta, 1);
    env.reset(Uint32Array.of(5), buffers);
    const rule = entry.policies(settings).rule!;
    for (let t = 0; t < steps; t++) {
      rule.act(env, buffers, actions);
      env.step(actions, buffers);
    }
    const { rng: _, ...state } = env.meta.state.toJSON(env.save(0));
    return Float64Array.from(
      JSON.stringify(state)
        .match(/-?\d+(\.\d+)?(e-?\d+)?/g)!
        .map(Number),
    );
  };
  return [run(config), run({ ...config, learners })];
}

describe('learners who act by the rule', () => {
  it.each([
    ['Vicsek', vicsekSwarm, { particles: 40, box: 4, eta: 0.5 }, 40, 12],
    ['some of Vicsek', vicsekSwarm, { particles: 40, box: 4, eta: 0.5 }, 0.25, 12],
    ['Kuramoto', kuramoto, { oscillators: 20, integrator: 'euler' }, 20, 20],
    ['boids', boids, { boids: 40, box: 8 }, 40, 12],
    ['rendezvous', rendezvous, { members: 15, learners: 0 }, 15, 12],
  ] as const)('%s: move as those who follow it', (_name, entry, config, learners, steps) => {
    const [byRule, byPolicy] = bothWays(entry, config, learners, steps);
    expect(byPolicy.length).toBe(byRule.length);
    const turn = entry === vicsekSwarm ? 2 * Math.PI : Number.MAX_VALUE; // angles that differ by a whole turn are one
    // observations and actions are float32: small differences stay small over a few steps
    byRule.forEach((value, i) => {
      expect(Math.abs(nearestImage(byPolicy[i]! - value, turn))).toBeLessThan(2e-4);
    });
  });
});

describe('order', () => {
  const end = (entry: EnvEntry, config: object, steps: number): number => {
    const env = entry.create(config, 4);
    const buffers = createBuffers(env.meta, 4);
    const actions = createActions(env.meta, 4);
    env.reset(Uint32Array.of(1, 2, 3, 4), buffers);
    let sum = 0;
    for (let t = 0; t < steps; t++) {
      env.step(actions, buffers);
      if (t >= steps / 2) for (const r of buffers.reward) sum += r;
    }
    return sum / (4 * (steps - Math.ceil(steps / 2)));
  };

  it('Vicsek: high with little noise, low with much, near 1/sqrt(N) when nobody can agree', () => {
    const low = end(vicsekSwarm, { particles: 100, box: 5, eta: 0.5 }, 300);
    const high = end(vicsekSwarm, { particles: 100, box: 5, eta: 5.5 }, 300);
    const none = end(vicsekSwarm, { particles: 100, box: 5, eta: 2 * Math.PI }, 300);
    expect(low).toBeGreaterThan(0.95);
    expect(high).toBeLessThan(0.4);
    expect(none).toBeCloseTo(Math.sqrt(Math.PI) / 2 / 10, 1); // mean length of a random walk of N unit steps / N
  });

  it('Kuramoto: above the critical coupling near sqrt(1 - Kc / K) for Lorentz frequencies', () => {
    const r = end(kuramoto, { oscillators: 400, frequencies: 'lorentz', width: 0.5, coupling: 4 }, 400);
    expect(r).toBeGreaterThan(Math.sqrt(1 - 1 / 4) - 0.06);
    expect(r).toBeLessThan(Math.sqrt(1 - 1 / 4) + 0.06);
    expect(end(kuramoto, { oscillators: 400, coupling: 0.5 }, 400)).toBeLessThan(0.2);
  });

  it('boids align, and the rendezvous rule brings most swarms together', () => {
    expect(end(boids, { boids: 60, box: 8 }, 300)).toBeGreaterThan(0.8);
    expect(end(rendezvous, { members: 20, learners: 0 }, 100)).toBeGreaterThan(-0.25);
  });

  it('frames carry the order parameters and the learners stand out', () => {
    const config = { particles: 30, learners: 3 };
    const env = vicsekSwarm.create(config, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    const frame = new Float32Array(frameSize(env.meta.frame));
    env.frame(0, frame);
    expect(frame[6 * 30]).toBeCloseTo(buffers.state![0]!, 6);
    expect([frame[5], frame[6 * 2 + 5], frame[6 * 3 + 5]]).toEqual([1, 1, 0]);
  });
});

describe('how many learn', () => {
  it.each([
    [0, 1, 0],
    [0.2, 10, 1],
    [7, 7, 1],
    [10_000, 50, 1],
  ])('%d', (learners, agents, actionSize) => {
    const meta = vicsekSwarm.meta({ particles: 50, learners });
    expect([meta.agentCount, meta.actionSize]).toEqual([agents, actionSize]);
  });
});
