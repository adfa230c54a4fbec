import { describe, expect, it } from 'vitest';
import { agentMetric, agentOfMetric } from '#contract/game/metrics.ts';
import { Rng } from '#math/rng.ts';
import { randomAction } from '#math/sampling.ts';
import { envs } from '../../testing/ready.ts';
import { getEnv } from '../all.ts';
import { createActions } from './buffers.ts';
import { coverageMeasures, coverageOf, teamMeasures } from './team-measures.ts';
import { createVectorEnv } from './vector-env.ts';

describe('columns of a team', () => {
  it('say which agent they are about', () => {
    expect(agentOfMetric(agentMetric(3, 'red. 2'))).toEqual({ agent: 3, name: 'red. 2' });
    expect(agentOfMetric('equality')).toBeNull();
  });

  it('are none for a single agent, and of unlike names', () => {
    expect(teamMeasures(getEnv('cartpole').meta({}))).toEqual([]);
    for (const env of envs) {
      const ids = teamMeasures(env.meta({})).map(({ id }) => id);
      expect(new Set(ids).size, env.id).toBe(ids.length);
    }
  });
});

/** Random play until some episodes are over; what the counter says, and what the environment itself says about the last one. */
function play(id: string, config: object, steps: number) {
  const entry = getEnv(id);
  const env = createVectorEnv(entry, config, 1, Rng.from(4));
  const rng = Rng.from(5);
  const actions = createActions(env.meta, 1);
  const { actionCount: n, agentCount } = env.meta;
  let told: Record<string, unknown> = {};
  const { restart } = env.env;
  env.env.restart = (rows, out) => {
    told = env.env.extras?.(0) ?? {};
    restart(rows, out);
  };
  env.reset();
  for (let t = 0; t < steps && env.episodes.finished === 0; t++) {
    for (let a = 0; a < agentCount; a++) {
      const mask = env.buffers.mask?.subarray(a * n, (a + 1) * n);
      if (n > 0) actions[a] = randomAction(rng, n, mask);
      else if (env.meta.actionSize > 0) actions[a] = 2 * rng.uniform() - 1;
    }
    env.step(actions);
  }
  expect(env.episodes.finished).toBe(1);
  return { measured: env.episodes.measures(), told };
}

describe('measures an environment makes itself equal what it tells', () => {
  it.each([
    ['commons-harvest', { timeout: 5, fireCost: 0, hitPenalty: 0, maxSteps: 60 }],
    ['gathering', { maxSteps: 60 }],
  ])('%s: efficiency, equality, sustainability, peace', (id, config) => {
    const { measured, told } = play(id, config, 60);
    for (const [name, value] of Object.entries(told.metrics as Record<string, number | null>))
      if (value === null) expect(measured[name], name).toBeNaN();
      else expect(measured[name], name).toBeCloseTo(value, 12);
  });

  it('lifelong-mapf: throughput, or arrivals and costs', () => {
    const lifelong = play('lifelong-mapf', { maxSteps: 80 }, 80);
    expect(lifelong.measured.throughput).toBeCloseTo((lifelong.told.metrics as Record<string, number>).throughput as number, 12);
    expect(lifelong.measured.isr).toBeNaN();
    const once = play('lifelong-mapf', { onTarget: 'finish', maxSteps: 80 }, 80);
    const m = once.told.metrics as Record<string, number>;
    expect([once.measured.isr, once.measured.csr, once.measured.soc, once.measured.makespan]).toEqual([m.ISR, m.CSR, m.SoC, m.makespan]);
  });

  it('swarms: order', () => {
    const vicsek = play('vicsek-swarm', { particles: 20, learners: 20, maxSteps: 30 }, 30);
    expect(vicsek.measured.order).toBe(vicsek.told.order);
    const boids = play('boids', { maxSteps: 30 }, 30);
    expect([boids.measured.order, boids.measured.milling]).toEqual([boids.told.polarisation, boids.told.milling]);
    const kuramoto = play('kuramoto', { maxSteps: 30 }, 30);
    expect(kuramoto.measured.order).toBe(kuramoto.told.order);
  });

  it('population: runaways, or cooperation and punishments', () => {
    const alarm = play('population-dilemma', { agents: 20, maxSteps: 50 }, 50);
    expect([alarm.measured.runaway, alarm.measured.lateShare]).toEqual([Number(alarm.told.runaway), alarm.told.lateMean]);
    const pairs = play('population-dilemma', { scenario: 'pairs', agents: 6, directPunishment: true, maxSteps: 40 }, 40);
    expect(pairs.measured.cooperation).toBe(pairs.told.cooperation);
    expect(pairs.measured.punishment).toBe(Number(pairs.told.directPunishments) / 120); // 20 rounds of 6 plays
    expect(pairs.measured.unfair).toBe(Number(pairs.told.unfairPunishments) / Number(pairs.told.directPunishments));
    expect(pairs.measured.equality).toBeDefined();
  });
});

describe('coverage', () => {
  it('counts the cells that were visited, in worlds with a map', () => {
    expect(coverageMeasures(getEnv('cartpole').meta({}))).toEqual([]);
    expect(coverageMeasures(getEnv('deep-sea').meta({})).map(({ id }) => id)).toEqual(['cellsSeen']);
    const env = createVectorEnv(getEnv('deep-sea'), { size: 4 }, 1, Rng.from(1));
    expect(coverageOf(new Float64Array(0))).toEqual({});
    env.reset();
    const actions = createActions(env.meta, 1);
    for (let step = 0; step < 8; step++) env.step(actions); // twice the same way down
    expect(coverageOf(env.visits)).toEqual({ cellsSeen: 4 });
  });
});

it('an episode that goes on from a saved state counts what is behind it', () => {
  const env = createVectorEnv(getEnv('deep-sea'), { size: 4 }, 1, Rng.from(1));
  env.reset();
  const actions = createActions(env.meta, 1);
  env.step(actions);
  env.step(actions);
  const state = env.env.save(0);
  env.step(actions);
  env.goOnFrom(0, state, { score: 5, length: 10 });
  env.step(actions);
  env.step(actions);
  expect([env.episodes.finished, env.episodes.meanLength()]).toEqual([1, 12]);
  expect(env.episodes.meanReturn()).toBeGreaterThan(4.9);
});
