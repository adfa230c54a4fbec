/** Looks at a person's model before it is put into a run: what it has, how long a step takes, and the task that suits it. */
import type { Robot, RobotCard } from '#contract/link/robot.ts';
import { prepareMujoco } from '../engine.ts';
import { refused } from './check.ts';
import { AS_COMPILED, robotFacts, robotSim } from './model.ts';

/** Steps of the physics that are timed, and the most that one may take, ms. */
const TIMED = 50;
const SLOWEST_MS = 20;
/** Part of the height at the start below which a body that walks has fallen. */
const FALLEN = 0.6;

/** `now`: ms. Throws LabError('file-invalid'), and what loading MuJoCo throws. */
export async function inspectRobot(robot: Robot, now: () => number): Promise<RobotCard> {
  await prepareMujoco();
  const facts = robotFacts(robot, true);
  const sim = robotSim(robot, true, AS_COMPILED);
  sim.clear();
  sim.data.qpos.set(facts.qpos);
  sim.forward();
  const before = now();
  let steps = 0;
  while (steps < TIMED && now() - before < TIMED * SLOWEST_MS) {
    sim.step(1);
    steps++;
  }
  const ms = (now() - before) / steps;
  if (ms > SLOWEST_MS)
    throw refused(
      `One step of the physics takes ${Math.round(ms)} ms, and at most ${SLOWEST_MS} are possible.`,
      'Take fewer or simpler geoms that touch: capsules and boxes in place of meshes.',
    );
  const { bodies, mass, motors, sites, travels, height, positions, timestep } = facts;
  const [site] = sites;
  const reaches = !travels && site !== undefined;
  return {
    name: robot.name,
    bodies,
    positions: positions.length,
    mass,
    motors: motors.map(({ name }) => name),
    sites,
    timestep,
    stepMs: ms,
    height,
    notes: motors.flatMap(({ name: motor, lacks }) =>
      lacks === undefined
        ? []
        : [`The control of "${motor}" is ${lacks}, and nothing in the model says how far it goes: -1 to 1 is taken. Give it a ctrlrange.`],
    ),
    task: travels
      ? { forwardWeight: 1, aliveWeight: 0.5, ...(height > 0.02 && { leastHeight: Number((FALLEN * height).toPrecision(2)) }) }
      : reaches
        ? { forwardWeight: 0, aliveWeight: 0, reachWeight: 1, reachSite: site, mostTilt: null }
        : { forwardWeight: 0, aliveWeight: 0, uprightWeight: 1, mostTilt: null },
  };
}
