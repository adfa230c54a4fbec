/** Models as they are found: which controls their actuators take, and zips as other programs pack them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { beforeAll, describe, expect, test } from 'vitest';
import { utf8 } from '#contract/kit/canonical.ts';
import { type Robot, readRobot } from '#contract/link/robot.ts';
import { upgrade } from '#contract/run/versions.ts';
import { createActions, createBuffers } from '../../../api/buffers.ts';
import { mujocoRobot } from '../../mujoco-robot.ts';
import { prepareMujoco } from '../engine.ts';
import { inspectRobot } from './inspect.ts';
import { robotFacts } from './model.ts';
import type { ControlRanges } from './motors.ts';

const FIELD = join(import.meta.dirname, 'field');
const robotIn = (name: string): Robot => readRobot(name, new Uint8Array(readFileSync(join(FIELD, name))));

/** An arm with a hinge, a slide and a tendon, and one actuator. */
const arm = (actuator: string, joint = 'range="-3 3"'): Robot => ({
  name: 'arm',
  files: {},
  mjcf: `<mujoco><compiler angle="radian" autolimits="true"/><option gravity="0 0 0"/><worldbody><body>
    <joint name="hinge" axis="0 1 0" damping="20" ${joint}/><geom type="capsule" fromto="0 0 0 0 0 -.3" size=".03"/>
    <body pos="0 0 -.3"><joint name="slide" type="slide" axis="0 0 1" range="-.1 .2"/><geom size=".05"/></body></body></worldbody>
    <tendon><fixed name="rope" range="-.5 1.5"><joint joint="hinge" coef="1"/></fixed></tendon>
    <actuator>${actuator}</actuator></mujoco>`,
});
function ends(robot: Robot, ranges?: ControlRanges): readonly (number | string | undefined)[] {
  const [motor] = robotFacts(robot, false, ranges).motors;
  return [motor?.low, motor?.high, motor?.lacks];
}

beforeAll(async () => {
  await prepareMujoco();
  await mujocoRobot.prepare?.();
});

describe('a control without a range of its own takes one of its own quantity', () => {
  const turn = Math.PI;
  test.each([
    ['a servo with a bound of its force', '<position joint="hinge" kp="100" forcerange="-87 87"/>', '', [-3, 3]],
    ['a servo without one', '<position joint="hinge" kp="100"/>', '', [-3, 3]],
    ['a servo with a gear', '<position joint="hinge" kp="100" gear="2"/>', '', [-6, 6]],
    ['a servo of a slide', '<position joint="slide" kp="100" forcerange="-9 9"/>', '', [-0.1, 0.2]],
    ['a servo of a tendon', '<position tendon="rope" kp="100" forcerange="-9 9"/>', '', [-0.5, 1.5]],
    ['a servo with a filter', '<position joint="hinge" kp="100" timeconst=".1" forcerange="-9 9"/>', '', [-3, 3]],
    [
      'the same in general terms',
      '<general joint="hinge" gainprm="50" biastype="affine" biasprm="0 -100 -5" forcerange="-9 9"/>',
      '',
      [-6, 6],
    ],
    ['a servo of a hinge without limits', '<position joint="hinge" kp="100" forcerange="-9 9"/>', 'limited="false"', [-turn, turn]],
    ['a servo that names a range', '<position joint="hinge" kp="100" ctrlrange="-1 2" forcerange="-9 9"/>', '', [-1, 2]],
    ['a servo that inherits it', '<position joint="hinge" kp="100" inheritrange="1"/>', '', [-3, 3]],
    ['a motor with a bound of its force', '<motor joint="hinge" forcerange="-4 5"/>', '', [-4, 5]],
    ['a motor with a gear', '<motor joint="hinge" gear="10" forcerange="-4 5"/>', '', [-4, 5]],
    ['a motor with a gain', '<general joint="hinge" gainprm="2" forcerange="-4 5"/>', '', [-2, 2.5]],
    ['a motor whose joint bounds the force', '<motor joint="hinge" gear="10"/>', 'range="-3 3" actuatorfrcrange="-30 40"', [-3, 4]],
    ['a muscle', '<muscle joint="hinge" lengthrange="0 1"/>', '', [0, 1]],
  ])('%s', (_, actuator, joint, wanted) => {
    const [low, high, lacks] = ends(arm(actuator, joint === '' ? undefined : joint));
    expect(low).toBeCloseTo(wanted[0]!, 12);
    expect(high).toBeCloseTo(wanted[1]!, 12);
    expect(lacks).toBeUndefined();
  });

  test.each([
    ['<velocity joint="hinge" kv="10" forcerange="-87 87"/>', 'a speed'],
    ['<motor joint="hinge"/>', 'a force'],
    ['<intvelocity joint="hinge" kp="10" actrange="-1 1"/>', 'a speed of the place that it holds'],
  ])('%s: nothing bounds it, which is said', async (actuator, lacks) => {
    expect(ends(arm(actuator))).toEqual([-1, 1, lacks]);
    const { notes } = await inspectRobot(arm(actuator), () => 0);
    expect(notes).toEqual([expect.stringContaining(`is ${lacks}, and nothing in the model says how far it goes`)]);
  });

  test('the two arms of the review: every action asks for a place that the hinge can have, and it goes there', () => {
    for (const name of ['arm-position-forcerange.xml', 'arm-position-bare.xml']) {
      const robot = robotIn(name);
      expect(ends(robot)).toEqual([-3, 3, undefined]);
      const config = mujocoRobot.parse({ robot, resetNoiseScale: 0, gravity: 0, mostTilt: null, maxSteps: 1000 });
      const env = mujocoRobot.create(config, 1);
      const buffers = createBuffers(env.meta, 1);
      const actions = createActions(env.meta, 1);
      env.reset(Uint32Array.of(1), buffers);
      actions[0] = 0.5;
      for (let t = 0; t < 300; t++) env.step(actions, buffers);
      expect(buffers.obs[0]).toBeCloseTo(1.5, 1);
      env.dispose?.();
    }
  });

  test('a config of version 1 keeps its mapping', () => {
    const robot = robotIn('arm-position-forcerange.xml');
    expect(ends(robot, 'any')).toEqual([-87, 87, undefined]);
    expect(ends(robotIn('arm-position-bare.xml'), 'any')).toEqual([-1, 1, undefined]);
    const old = upgrade(mujocoRobot, 1, {}, 'env.version');
    expect(old).toEqual({ config: { controlRange: 'any' }, changed: [] });
    expect(mujocoRobot.parse(upgrade(mujocoRobot, 2, {}, 'env.version').config).controlRange).toBe('quantity');
  });
});

describe('zips', () => {
  const zips = readdirSync(FIELD).filter((name) => name.endsWith('.zip'));
  test.each(zips)('%s', (name) => {
    const robot = robotIn(name);
    if (name === 'own-noctrl.zip') expect(ends(robot)[2]).toBeDefined();
    expect(robotFacts(robot, true).motors.length).toBeGreaterThan(0);
  });

  test('backslashes, as some programs on Windows write them: the scene is taken, not the part that it includes', () => {
    const robot = robotIn('own-windows-zip.zip');
    expect(robot.mjcf).toContain('<include');
    expect(Object.keys(robot.files).sort()).toEqual(['assets/arm.stl', 'leg.xml']);
  });

  test('the scene is found whatever its case, and a part in a file that ends in .mjcf', () => {
    const leg = utf8(
      '<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody><actuator><motor joint="j"/></actuator></mujoco>',
    );
    const robot = readRobot(
      'C:\\models\\leg.ZIP',
      zipSync({ 'leg\\a.mjcf': leg, 'leg\\SCENE.XML': utf8('<mujoco><include file="a.mjcf"/></mujoco>') }),
    );
    expect(robot.name).toBe('leg');
    expect(robot.mjcf).toContain('<include');
    expect(robotFacts(robot, true).motors).toHaveLength(1);
  });

  test('a URDF file is named for what it is', () => {
    expect(() => robotIn('robot.urdf')).toThrow(/no MJCF file/);
  });
});
