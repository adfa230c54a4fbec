import { describe, expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { createActions, createBuffers } from '../../api/buffers.ts';
import { droneLearningToFly } from '../drone-learning-to-fly.ts';
import { GRAVITY, LAGGED, MASS, stepLagged, TINY } from './rotor-lag.ts';

/** Mean return and length over `n` starts; how many were lost, and how many lasted as the environment measures it. */
function episodes(config: object, n: number, pilot: boolean) {
  const env = droneLearningToFly.create(config, n);
  const buffers = createBuffers(env.meta, n);
  const actions = createActions(env.meta, n);
  const policy = droneLearningToFly.policies(config).pilot;
  const rng = Rng.from(9);
  env.reset(
    Uint32Array.from({ length: n }, (_, i) => i + 1),
    buffers,
  );
  const done = new Uint8Array(n);
  let total = 0;
  let steps = 0;
  let lost = 0;
  const lasted = new Float64Array(n);
  while (done.includes(0)) {
    if (pilot) policy?.act(env, buffers, actions);
    else for (let i = 0; i < actions.length; i++) actions[i] = 2 * rng.uniform() - 1;
    env.step(actions, buffers);
    for (let i = 0; i < n; i++) {
      if (done[i]) continue;
      total += buffers.reward[i]!;
      steps++;
      if (buffers.terminated[i]) lost++;
      done[i] = buffers.terminated[i] || buffers.truncated[i] ? 1 : 0;
      if (done[i]) env.measure?.(i, lasted, i);
    }
    env.restart(done, buffers);
  }
  return { mean: total / n, length: steps / n, lost, lasted: lasted.reduce((a, b) => a + b) };
}

const level = (u: number) => {
  const s = new Float64Array(LAGGED);
  s[3] = 1;
  s.fill(u, 13);
  return s;
};
const HOVER = Math.sqrt((MASS * GRAVITY) / (4 * TINY[0]));

describe('the lagging quadrotor', () => {
  it('stays where it is at its hover speed 0.6862', () => {
    expect(HOVER).toBeCloseTo(0.6862, 4);
    const s = level(HOVER);
    const a = new Float64Array(4).fill(2 * HOVER - 1);
    for (let t = 0; t < 100; t++) stepLagged(s, 0, Float64Array.from(TINY), 0, a, 0, 0.02);
    expect(Math.abs(s[2]!)).toBeLessThan(1e-12);
  });

  it('falls freely without thrust, and rotors come up with their time constant', () => {
    const s = level(0);
    stepLagged(s, 0, Float64Array.from(TINY), 0, new Float64Array(4).fill(-1), 0, 0.02);
    expect(s[9]).toBeCloseTo(-GRAVITY * 0.02, 12);
    const t = level(0);
    for (let k = 0; k < 4; k++) stepLagged(t, 0, Float64Array.from(TINY), 0, new Float64Array(4).fill(1), 0, 0.018);
    expect(t[13]).toBeCloseTo(1 - Math.exp(-1), 4);
  });

  it('more thrust on its right lifts the right side; quaternions keep their length', () => {
    const s = level(0.7);
    const a = Float64Array.of(0.6, 0.6, 0.4, 0.4);
    for (let t = 0; t < 5; t++) stepLagged(s, 0, Float64Array.from(TINY), 0, a, 0, 0.02);
    expect(s[10]).toBeLessThan(-0.5); // rotors 1 and 2 stand at negative y
    expect(Math.hypot(s[3]!, s[4]!, s[5]!, s[6]!)).toBeCloseTo(1, 12);
  });
});

describe('learning to fly', () => {
  it('the pilot catches nearly every throw; random commands lose the drone', () => {
    const pilot = episodes({}, 100, true);
    expect(pilot.lost).toBeLessThanOrEqual(6);
    expect(pilot.lasted).toBe(100 - pilot.lost);
    expect(pilot.mean).toBeGreaterThan(220);
    const random = episodes({}, 100, false);
    expect([random.lost, random.lasted]).toEqual([100, 0]);
    expect(random.mean).toBeLessThan(30);
  });

  it('follows a figure', () => {
    const { lost, mean } = episodes({ amplitude: [0.5, 1], maxSteps: 500 }, 20, true);
    expect(lost).toBeLessThanOrEqual(2);
    expect(mean).toBeGreaterThan(250);
  });

  it('at rest on the target a step pays 1.1 less the pull of the action term', () => {
    const env = droneLearningToFly.create({}, 1);
    const buffers = createBuffers(env.meta, 1);
    env.load(0, env.meta.state.fromJSON({ drone: Array.from(level(HOVER)), craft: [...TINY] }), buffers);
    env.step(new Float32Array(4).fill(2 * HOVER - 1), buffers);
    expect(buffers.reward[0]).toBeCloseTo(1.1 - 0.1 * 2 * 4 * (HOVER - 0.7261389721508553) ** 2, 6);
    expect(buffers.state?.length).toBe(28);
  });

  it('draws another drone every episode when told to', () => {
    const env = droneLearningToFly.create({ randomise: true }, 40);
    env.reset(
      Uint32Array.from({ length: 40 }, (_, i) => i),
      createBuffers(env.meta, 40),
    );
    for (let row = 0; row < 40; row++) {
      const [thrust = 0, jx = 0, , , rising = 0, falling = 0] = env.meta.state.toJSON(env.save(row)).craft as number[];
      const ratio = (4 * thrust) / (MASS * GRAVITY);
      expect(ratio).toBeGreaterThanOrEqual(1.5);
      expect(ratio).toBeLessThanOrEqual(5);
      expect((2 * 0.028 * thrust) / jx).toBeGreaterThan(535);
      expect((2 * 0.028 * thrust) / jx).toBeLessThan(934);
      expect(rising).toBeLessThanOrEqual(0.09);
      expect(falling).toBeGreaterThanOrEqual(0.07);
    }
  });
});
