import { beforeAll, describe, expect, it } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import { Rng } from '#math/rng.ts';
import { expectSame } from '../../../testing/same-numbers.ts';
import { createActions, createBuffers } from '../../api/buffers.ts';
import type { EnvEntry, Environment, StepBuffers } from '../../api/types.ts';
import { mujocoAnt } from '../mujoco-ant.ts';
import { mujocoHalfCheetah } from '../mujoco-half-cheetah.ts';
import { mujocoHopper } from '../mujoco-hopper.ts';
import { mujocoHumanoid } from '../mujoco-humanoid.ts';
import { mujocoReacher } from '../mujoco-reacher.ts';
import { prepareMujoco, simOf, type Tuning } from './engine.ts';
import { humanoidBody } from './humanoid.ts';
import { loadBindings } from './load.ts';
import { toMjcf } from './mjcf.ts';

const PLAIN: Tuning = { gravity: null, friction: 1, mass: 1, strength: 1, wind: 0 };
const box = (size: number): string => `<mujoco><worldbody><body><freejoint/><geom size="${size}"/></body></worldbody></mujoco>`;

beforeAll(async () => {
  await Promise.all([mujocoAnt, mujocoHalfCheetah, mujocoHopper, mujocoHumanoid, mujocoReacher].map((entry) => entry.prepare?.()));
});

interface Play {
  readonly env: Environment;
  readonly buffers: StepBuffers;
  step(count: number): void;
}

/** Rows from fixed seeds with fixed actions; every row restarts where it ends. */
function play(entry: EnvEntry, config: object = {}, batch = 2): Play {
  const env = entry.create(config, batch);
  const buffers = createBuffers(env.meta, batch);
  const actions = createActions(env.meta, batch);
  const rng = Rng.from(5);
  env.reset(
    Uint32Array.from({ length: batch }, (_, i) => i + 1),
    buffers,
  );
  return {
    env,
    buffers,
    step(count) {
      for (let t = 0; t < count; t++) {
        for (let i = 0; i < actions.length; i++) actions[i] = 2 * rng.uniform() - 1;
        env.step(actions, buffers);
        env.restart(
          buffers.terminated.map((flag, row) => flag | buffers.truncated[row]!),
          buffers,
        );
      }
    },
  };
}

describe.each([mujocoHalfCheetah, mujocoHopper, mujocoAnt, mujocoHumanoid, mujocoReacher])('$id', (entry) => {
  it('forty copies made in mid-episode, each stepped and drawn, change nothing', () => {
    const alone = play(entry);
    alone.step(30);
    const among = play(entry);
    among.step(10);
    const copies = Array.from({ length: 40 }, () => play(entry, {}, 1));
    among.step(10);
    for (const copy of copies) {
      copy.step(2);
      copy.env.frame(0, new Float32Array(1000));
    }
    among.step(10);
    expectSame(among.env.save(0), alone.env.save(0), 'state');
    expectSame(among.buffers.obs, alone.buffers.obs, 'observation');
  });

  it('a setting changed for a while and back leaves the rest as if it had not been', () => {
    const moved = play(entry);
    const { env } = moved;
    const { obs } = moved.buffers;
    moved.step(5);
    const before = [env.save(0), env.save(1)];
    const standard = entry.parse({});
    for (const other of [{ gravity: 3 }, { friction: 2 }, { mass: 1.5 }, { strength: 0.5 }, { wind: 20 }]) {
      env.configure?.({ ...standard, ...other });
      moved.step(1);
    }
    env.configure?.(standard);
    const plain = play(entry);
    plain.step(5);
    before.forEach((state, row) => {
      env.load(row, state, moved.buffers);
      plain.env.load(row, state, plain.buffers);
    });
    expectSame(obs, plain.buffers.obs, 'observation');
    const actions = createActions(env.meta, 2).fill(0.25);
    env.step(actions, moved.buffers);
    plain.env.step(actions, plain.buffers);
    expectSame(obs, plain.buffers.obs, 'observation after a step');
  });
});

describe('settings of physics act', () => {
  it.each([{ gravity: 3 }, { friction: 0.2 }, { mass: 1.5 }, { strength: 0.5 }, { wind: 20 }])('%o', (config) => {
    const one = play(mujocoHalfCheetah);
    const other = play(mujocoHalfCheetah, config);
    one.step(30);
    other.step(30);
    expect(Array.from(other.buffers.obs)).not.toEqual(Array.from(one.buffers.obs));
  });
});

it('rows swapped in and out of one MjData move as MuJoCo alone does, from its whole integration state on', async () => {
  const bare = await loadBindings();
  const model = bare.MjModel.from_xml_string(toMjcf(humanoidBody(false)));
  const { env, buffers } = play(mujocoHumanoid, {}, 3);
  const numbers = (name: string): number[] => (env.meta.state.toJSON(env.save(1)) as { readonly [key: string]: number[] })[name] ?? [];
  const first = new bare.MjData(model);
  first.qpos.set(numbers('qpos'));
  first.qvel.set(numbers('qvel'));
  first.qacc_warmstart.set(numbers('warmstart'));
  const spec = bare.mjtState.mjSTATE_INTEGRATION.value;
  const whole = new bare.DoubleBuffer(bare.mj_stateSize(model, spec));
  bare.mj_getState(model, first, whole, spec);
  const data = new bare.MjData(model);
  bare.mj_setState(model, data, Array.from(whole.GetView()), spec);
  const actions = createActions(env.meta, 3);
  const rng = Rng.from(3);
  for (let t = 0; t < 20; t++) {
    for (let i = 0; i < actions.length; i++) actions[i] = 0.8 * rng.uniform() - 0.4;
    env.step(actions, buffers);
    data.ctrl.set(actions.subarray(17, 34));
    for (let i = 0; i < 5; i++) bare.mj_step(model, data);
    expectSame(Float64Array.from(numbers('qpos')), Float64Array.from(data.qpos), `positions after step ${t}`);
    expectSame(Float64Array.from(numbers('warmstart')), Float64Array.from(data.qacc_warmstart), `warm start after step ${t}`);
  }
  for (const handle of [data, whole, first, model]) handle.delete();
});

describe('models', () => {
  beforeAll(prepareMujoco);

  it('one that MuJoCo refuses is a clear error, and the next one compiles', () => {
    for (const [text, word] of [
      ['<mujoco><foo/></mujoco>', "'foo', line 1"],
      ['<mujoco>', 'XML'],
      ['', 'XML'],
      ['<mujoco><worldbody><geom type="mesh" mesh="none"/></worldbody></mujoco>', 'none'],
    ] as const)
      try {
        simOf(text, PLAIN);
        expect.unreachable();
      } catch (error) {
        expect(error).toBeInstanceOf(LabError);
        expect((error as LabError).failure.id).toBe('file-invalid');
        expect((error as LabError).failure.message).toContain(word);
      }
    expect(simOf(box(1), PLAIN).model.nq).toBe(7);
  });

  it('one that brings the compiler down is a clear error, and a new module computes the same as before', async () => {
    const numbers = () => {
      const one = play(mujocoHopper);
      one.step(10);
      return one.env.save(0);
    };
    const before = numbers();
    const sim = simOf(box(2), PLAIN);
    const deep = (levels: number): string =>
      `<mujoco><worldbody>${'<body><joint/><geom size=".1"/>'.repeat(levels)}${'</body>'.repeat(levels)}</worldbody></mujoco>`;
    expect(() => simOf(deep(150), PLAIN)).toThrow(/brought MuJoCo's compiler down.*Nest bodies at most 100 deep/s);
    expect(sim.alive).toBe(false); // nothing that was made in the old module is used again
    expect(() => simOf(box(1), PLAIN)).toThrow('MuJoCo is not loaded');
    await prepareMujoco();
    expect(simOf(box(1), PLAIN).model.nq).toBe(7);
    expect(simOf(deep(100), PLAIN).model.nbody).toBe(101);
    expectSame(numbers(), before, 'state');
  });

  it('fifty models opened one after the other: few stay, and an environment whose sim was freed goes on', () => {
    const long = play(mujocoHopper);
    const alone = play(mujocoHopper);
    alone.step(20);
    long.step(10);
    const opened = Array.from({ length: 50 }, (_, i) => simOf(box(1 + i / 10), PLAIN));
    expect(opened.filter(({ alive }) => alive).length).toBeLessThanOrEqual(8);
    long.step(10);
    expectSame(long.env.save(0), alone.env.save(0), 'state');
  });
});
