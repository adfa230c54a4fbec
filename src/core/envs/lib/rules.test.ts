/** Rules of references that golden cases do not reach, one test each. */
import { expect, it } from 'vitest';
import { upgrade } from '#contract/run/versions.ts';
import { Rng } from '#math/rng.ts';
import { createActions, createBuffers } from '../api/buffers.ts';
import { bsuiteCartpole } from '../bsuite/bsuite-cartpole.ts';
import { droneFreeFlight } from '../drones/drone-free-flight.ts';
import { mpeSimpleSpread } from '../mpe/mpe-simple-spread.ts';
import { taxi } from '../tabular/taxi.ts';
import { lifelongMapf } from '../teams/lifelong-mapf.ts';
import { airframe } from './drones/airframe.ts';
import { groundLift } from './drones/body.ts';

// Gymnasium toy_text/taxi.py, _build_rainy_transitions
it.each([0, 0.5, 0.8, 1])('taxi in rain (%f): a blocked move stays in place for certain', (rainyProbability) => {
  const dry = taxi.create({}, 1).model!()!;
  const rainy = taxi.create({ rainy: true, rainyProbability }, 1).model!()!;
  let blocked = 0;
  for (let s = 0; s < 500; s += 20)
    for (let a = 0; a < 4; a++) {
      const i = s * 6 + a;
      if (dry.next[dry.offset[i]!] !== s) continue;
      blocked++;
      const range = [rainy.offset[i]!, rainy.offset[i + 1]!] as const;
      expect([...rainy.next.subarray(...range)]).toEqual([s]);
      expect([...rainy.probability.subarray(...range)]).toEqual([1]);
      expect([...rainy.reward.subarray(...range)]).toEqual([-1]);
    }
  expect(blocked).toBe(32);
});

// bsuite environments/cartpole.py, step(): time over the limit is dm_env.termination
it.each([
  { timeUp: 'terminates', flags: [1, 0] },
  { timeUp: 'truncates', flags: [0, 1] },
])('bsuite cartpole: the end of the time $timeUp', ({ timeUp, flags }) => {
  const env = bsuiteCartpole.create({ timeLimit: 0.3, dt: 0.05, timeUp }, 1);
  const buffers = createBuffers(env.meta, 1);
  env.load(0, env.meta.state.fromJSON({ x: 0, xDot: 0, theta: 0, thetaDot: 0 }), buffers);
  let steps = 0;
  do {
    env.step(Int32Array.of(1), buffers);
    steps++;
  } while (buffers.terminated[0] === 0 && buffers.truncated[0] === 0);
  expect([buffers.terminated[0], buffers.truncated[0]]).toEqual(flags);
  expect(steps * 0.05).toBeGreaterThan(0.3 - 1e-9);
  expect((steps - 1) * 0.05).toBeLessThanOrEqual(0.3 + 1e-9);
  expect(bsuiteCartpole.parse({}).timeUp).toBe('terminates');
});

// gym-pybullet-drones assets/racer.urdf
it('the rotors of the racer stand at 0.085 and 0.0675 m, which a tilt over the ground shows', () => {
  const { rotors, groundClip } = airframe('RACE');
  for (const [x, y] of rotors) expect([Math.abs(x), Math.abs(y)]).toEqual([0.085, 0.0675]);
  const frame = airframe('RACE');
  const tilt = 0.2;
  const height = groundClip + 0.085 * Math.sin(tilt) + 0.01;
  const ask = (rpy: readonly number[]) =>
    (
      droneFreeFlight.check(
        'ground-effect',
        { model: 'RACE', actionType: 'thrust' },
        { rpm: [9000, 9000, 9000, 9000], rpy, height },
        {},
      ) as {
        extraPropForceZ: number[];
      }
    ).extraPropForceZ;
  const at = (place: number) => groundLift(frame, 9000 * 9000, height + place * Math.sin(tilt));
  const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
  sorted(ask([0, tilt, 0])).forEach((lift, i) => {
    expect(lift).toBeCloseTo(at(i < 2 ? 0.085 : -0.085), 12);
  });
  sorted(ask([tilt, 0, 0])).forEach((lift, i) => {
    expect(lift).toBeCloseTo(at(i < 2 ? 0.0675 : -0.0675), 12);
  });
});

// POGEMA under gymnasium's TimeLimit
it('path finding: the last arrival at the step limit sets both flags', () => {
  const env = lifelongMapf.create({ agents: 1, onTarget: 'finish', maxSteps: 64 }, 1);
  const buffers = createBuffers(env.meta, 1);
  const actions = createActions(env.meta, 1);
  env.reset(Uint32Array.of(1), buffers);
  const start = env.save(0);
  const plan = Object.values(lifelongMapf.policies({ agents: 1, onTarget: 'finish', maxSteps: 64 }))[0]!;
  let steps = 0;
  for (; buffers.terminated[0] === 0 && steps < 64; steps++) {
    plan.act(env, buffers, actions);
    env.step(actions, buffers);
  }
  expect(buffers.terminated[0]).toBe(1);
  expect(buffers.truncated[0]).toBe(0); // well before the limit

  const config = { agents: 1, onTarget: 'finish', maxSteps: steps };
  const tight = lifelongMapf.create(config, 1);
  const json = env.meta.state.toJSON(start);
  tight.load(0, tight.meta.state.fromJSON(json), buffers);
  for (let t = 0; t < steps; t++) {
    Object.values(lifelongMapf.policies(config))[0]!.act(tight, buffers, actions);
    tight.step(actions, buffers);
  }
  expect([buffers.terminated[0], buffers.truncated[0]]).toEqual([1, 1]);
});

// gym-pybullet-drones control/DSLPIDControl.py, computeControl(..., target_rpy_rates)
it.each([
  { rates: [0.05, 0, 0], torque: 20000, signs: [-0.5, -0.5, 0.5, 0.5] },
  { rates: [0, 0.05, 0], torque: 20000, signs: [-0.5, 0.5, 0.5, -0.5] },
  { rates: [0, 0, 0.05], torque: 12000, signs: [-1, 1, -1, 1] },
])('the DSL controller follows wanted body rates $rates', ({ rates, torque, signs }) => {
  const inputs = { curPos: [0, 0, 1], curQuat: [0, 0, 0, 1], curVel: [0, 0, 0], targetPos: [0, 0, 1] };
  const ask = (more: object) =>
    (droneFreeFlight.check('dsl-pid', { model: 'CF2X', actionType: 'thrust' }, { ...inputs, ...more }, {}) as { rpm: number[] }).rpm;
  const hover = ask({});
  ask({ targetRpyRates: rates }).forEach((rpm, i) => {
    expect(rpm - hover[i]!).toBeCloseTo(0.2685 * torque * 0.05 * signs[i]!, 9);
  });
});

// MPE2 simple_spread: rewards are float64 there and rounded once here
it('spread: the reward is the sum, rounded once; the older version rounded after each collision', () => {
  const rng = Rng.from(5);
  const close = () => 0.2 * rng.uniform();
  let differs = 0;
  for (let round = 0; round < 100; round++) {
    const config = { localRatio: 0.3 };
    const env = mpeSimpleSpread.create(config, 1);
    const old = mpeSimpleSpread.create({ ...config, rewardSum: 'each' }, 1);
    const buffers = createBuffers(env.meta, 1);
    const before = createBuffers(old.meta, 1);
    env.reset(Uint32Array.of(round), buffers);
    const state = env.meta.state.toJSON(env.save(0));
    const agentPos = Array.from({ length: 3 }, () => [close(), close()]);
    const bytes = env.meta.state.fromJSON({ ...state, agentPos });
    env.load(0, bytes, buffers);
    old.load(0, bytes, before);
    env.step(createActions(env.meta, 1), buffers);
    old.step(createActions(old.meta, 1), before);
    const after = env.meta.state.toJSON(env.save(0)) as unknown as Record<
      'agentPos' | 'landmarkPos',
      readonly (readonly [number, number])[]
    >;
    const far = (a: readonly [number, number], b: readonly [number, number]) => Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2);
    const all = after.landmarkPos.reduce((sum, mark) => sum - Math.min(...after.agentPos.map((agent) => far(agent, mark))), 0);
    after.agentPos.forEach((own, i) => {
      const met = after.agentPos.filter((other, j) => j !== i && far(own, other) < 0.3).length;
      let exact = 0.7 * all;
      for (let k = 0; k < met; k++) exact -= 0.3;
      expect(Math.abs(buffers.reward[i]! - Math.fround(exact))).toBeLessThan(1e-15);
      if (before.reward[i] !== buffers.reward[i]) differs++;
    });
  }
  expect(differs).toBeGreaterThan(0);
  expect(mpeSimpleSpread.parse({}).rewardSum).toBe('once');
  // configs of version 1 run on as they did
  expect(upgrade(mpeSimpleSpread, 1, {}, 'env')).toEqual({ config: { rewardSum: 'each' }, changed: [] });
});

// POGEMA metrics.py, SumOfCostsAndMakespanMetric: a time is forgotten off the target, unless the episode has just finished
it('path finding: who leaves its target in the last step keeps its time in the sum of costs, and is unsolved all the same', () => {
  const config = { agents: 2, onTarget: 'nothing', maxSteps: 5, map: ['......', '######'] };
  const env = lifelongMapf.create(config, 1);
  const buffers = createBuffers(env.meta, 1);
  env.reset(Uint32Array.of(1), buffers);
  const state = env.meta.state.toJSON(env.save(0));
  const last = (move: number) => {
    env.load(
      0,
      env.meta.state.fromJSON({
        ...state,
        agents: [
          [0, 1],
          [0, 5],
        ],
        targets: [
          [0, 2],
          [0, 3],
        ],
        arrivedAt: [0, 0],
        steps: 0,
      }),
      buffers,
    );
    for (const action of [4, 0, 0, 0, move]) env.step(Int32Array.of(action, 0), buffers);
    return (env.extras!(0) as { readonly metrics: Record<string, number> }).metrics;
  };
  expect(last(0)).toMatchObject({ ISR: 0.5, SoC: 1 + 5, makespan: 5 });
  expect(last(3)).toMatchObject({ ISR: 0, SoC: 1 + 5, makespan: 5 });
});
