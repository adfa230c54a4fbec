/** The range of a servo without one, held against MuJoCo's own Python package where it is installed (RL_TEST_PYTHON). */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRobot } from '#contract/link/robot.ts';
import { prepareMujoco } from '../engine.ts';
import { robotFacts } from './model.ts';

const installed = hasModules('mujoco');

/** Range that MuJoCo gives a servo which inherits it, and where an action of 0.5 brings the joint to by ours. */
const ASK = `
import json, sys, mujoco
text, low, rest, high = sys.stdin.read(), *map(float, sys.argv[1:])
own = mujoco.MjModel.from_xml_string(text.replace("<position ", '<position inheritrange="1" '))
model = mujoco.MjModel.from_xml_string(text)
model.opt.gravity[:] = 0
data = mujoco.MjData(model)
data.ctrl[0] = rest + 0.5 * (high - rest)
for _ in range(5000): mujoco.mj_step(model, data)
print(json.dumps([own.actuator_ctrlrange[0].tolist(), float(data.qpos[0])]))
`;

import { hasModules, PYTHON } from '../../../../../../tools/python.ts';

test.skipIf(!installed).each(['arm-position-forcerange.xml', 'arm-position-bare.xml'])(
  '%s: as MuJoCo lets a servo inherit its range (skipped where RL_TEST_PYTHON has no mujoco)',
  async (name) => {
    await prepareMujoco();
    const bytes = readFileSync(join(import.meta.dirname, 'field', name));
    const [motor] = robotFacts(readRobot(name, new Uint8Array(bytes)), false).motors;
    const { low = 0, rest = 0, high = 0 } = motor ?? {};
    const said = execFileSync(PYTHON, ['-c', ASK, ...[low, rest, high].map(String)], { encoding: 'utf8', input: bytes });
    const [range, place] = JSON.parse(said) as [readonly number[], number];
    expect([low, high]).toEqual(range);
    expect(place).toBeCloseTo(1.5, 2);
  },
  60_000,
);
