import { zipSync } from 'fflate';
import { beforeAll, describe, expect, test } from 'vitest';
import { utf8 } from '#contract/kit/canonical.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { type Robot, readRobot } from '#contract/link/robot.ts';
import { createActions, createBuffers } from '../../../api/buffers.ts';
import { mujocoRobot } from '../../mujoco-robot.ts';
import { prepareMujoco } from '../engine.ts';
import { coarser } from './coarser.ts';
import { EXAMPLE } from './example.ts';
import { EXAMPLE_FACTS } from './example-facts.ts';
import { inspectRobot } from './inspect.ts';
import { robotFacts } from './model.ts';

const of = (mjcf: string): Robot => ({ name: 'test', mjcf, files: {} });
const model = (inside: string, after = '<actuator><motor joint="j"/></actuator>'): string =>
  `<mujoco>\n<worldbody>\n${inside}\n</worldbody>\n${after}\n</mujoco>`;
const ARM = '<body name="arm"><joint name="j"/><geom size="0.1"/></body>';

/** What is said of a model; '': nothing. */
function said(act: () => unknown): string {
  try {
    act();
    return '';
  } catch (error) {
    const { id, message, fix } = toFailure(error);
    expect(id).toBe('file-invalid');
    expect(fix).not.toBe('');
    return message;
  }
}
const read = (mjcf: string): string => said(() => robotFacts(readRobot('robot.xml', utf8(mjcf)), true));

beforeAll(async () => {
  await prepareMujoco();
  await mujocoRobot.prepare?.();
});

test('the example compiles to the facts that are known before MuJoCo is loaded', () => {
  expect(robotFacts(EXAMPLE, true)).toEqual(EXAMPLE_FACTS);
});

test('the camera frames the robot: scenery far away does not make it small, scenery beside it is seen', () => {
  const bounds = (scenery: string) => robotFacts(of(model(`${ARM}${scenery}`)), true).bounds;
  const alone = bounds('');
  expect(alone[3] - alone[0]).toBeLessThan(0.4);
  expect(bounds('<geom type="box" size="0.1 0.1 0.1" pos="9 0 0.1"/>')).toEqual(alone);
  expect(bounds('<geom type="box" size="0.05 0.05 0.05" pos="0.3 0 0"/>')[3]).toBeGreaterThan(0.35);
  // a long wall beside it is framed as far as the robot's own length, no more
  const wall = bounds('<geom type="box" size="20 0.1 0.1" pos="0 0.3 0.1"/>');
  expect(wall[3] - wall[0]).toBeLessThan(2);
});

describe('broken models end in a message that names the place', () => {
  const cases: readonly (readonly [what: string, mjcf: string, message: RegExp])[] = [
    ['nothing', '', /no MJCF file/],
    ['another text', 'hello', /no MJCF file/],
    ['a web page', '<html><body>hello</body></html>', /no MJCF file/],
    ['a URDF file', '<robot name="r"><!-- <mujoco> --><link name="a"/></robot>', /<robot>, not <mujoco>/],
    ['a file that is cut short', '<mujoco>\n<worldbody>\n<body>', /Line 3: <body> is never closed/],
    ['tags that cross', '<mujoco>\n<worldbody>\n<body></worldbody></body></mujoco>', /Line 3: <\/worldbody> ends <body> of line 3/],
    ['an attribute without quotes', model('<body><geom size=0.1/></body>'), /Line 3: the tag <geom> is not well formed/],
    ['an attribute twice', model('<body><geom size="1" size="2"/></body>'), /Line 3: <geom> has "size" twice/],
    ['a comment without an end', '<mujoco>\n<!-- so', /Line 2: the comment that begins here does not end/],
    ['an unknown element', model('<bdy/>'), /unrecognized element; Element 'bdy', line 3/],
    ['an unknown attribute', model('<body><geom sise="0.1"/></body>'), /unrecognized attribute.*line 3/],
    ['a word for a number', model('<body><geom size="thick"/></body>'), /line 3/],
    ['a geom without a size', model('<body><joint name="j"/><geom/></body>'), /size 0 must be positive.*line 3/],
    ['a body without mass', model('<body><joint name="j"/></body>'), /mass and inertia.*line 3/],
    ['a motor for no joint', model(ARM, '\n<actuator><motor joint="k"/></actuator>'), /'k'.*line 6/],
    ['a name twice', model(`${ARM}\n${ARM}`), /repeated name 'arm'/],
    ['a mesh without its file', model(ARM, '<asset><mesh file="a.stl"/></asset><actuator><motor joint="j"/></actuator>'), /a\.stl/],
    ['an include without its file', model('<include file="part.xml"/>'), /Line 3: "part\.xml" is included and is not here/],
    ['no actuator', model(ARM, ''), /no actuators/],
    ['nothing that moves', model('<geom size="1"/>', ''), /No body of the model moves/],
    ['an unknown class', model('<body><joint name="j"/><geom class="q" size="1"/></body>'), /unknown default class.*line 3/],
    ['a time step of none', `<mujoco><option timestep="0"/>${model(ARM).slice(8)}`, /time ?step/],
  ];
  test.each(cases)('%s', (_, mjcf, message) => {
    expect(read(mjcf)).toMatch(message);
  });

  test('a zip without a model, a cut one, a model that is not the first', () => {
    expect(said(() => readRobot('a.zip', zipSync({ 'a.txt': utf8('x') })))).toMatch(/has no MJCF file/);
    expect(said(() => readRobot('a.zip', zipSync({ 'a.xml': utf8(EXAMPLE.mjcf) }).subarray(0, 200)))).toMatch(/cannot be unpacked/);
    const files = { 'r/robot.xml': utf8(model(ARM)), 'r/scene.xml': utf8('<mujoco><include file="robot.xml"/></mujoco>') };
    const robot = readRobot('a.zip', zipSync(files));
    expect(robot.mjcf).toContain('include');
    expect(robotFacts(robot, true).motors).toHaveLength(1);
  });

  test('files beside the model’s folder are found, and one that is not there is named', () => {
    const scene = '<mujoco><include file="../parts/./arm.xml"/><include file="..\\\\parts\\\\x/../motors.xml"/></mujoco>';
    const cube = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';
    const arm = `<mujoco><compiler meshdir="../meshes"/><asset><mesh name="c" file="c.obj"/></asset><worldbody>
      <body><joint name="j"/><geom type="mesh" mesh="c"/></body></worldbody></mujoco>`;
    const files = {
      'r/scenes/scene.xml': utf8(scene),
      'r/parts/arm.xml': utf8(arm),
      'r/parts/motors.xml': utf8('<mujoco><actuator><motor joint="j"/></actuator></mujoco>'),
      'r/meshes/c.obj': utf8(cube),
    };
    const robot = readRobot('a.zip', zipSync(files));
    expect(Object.keys(robot.files).sort()).toEqual(['../meshes/c.obj', '../parts/arm.xml', '../parts/motors.xml']);
    expect(robotFacts(robot, true).motors).toHaveLength(1);
    const { 'r/parts/motors.xml': _, ...fewer } = files;
    expect(said(() => robotFacts(readRobot('a.zip', zipSync(fewer)), true))).toMatch(
      /Line 1: "\.\.\/parts\/motors\.xml" is included and is not here/,
    );
  });
});

describe('hostile models are refused before they are compiled', () => {
  const many = '<replicate count="1000" offset="0 0 1">';
  const deep = '<body>'.repeat(300) + '</body>'.repeat(300);
  const cases: readonly (readonly [what: string, mjcf: string, message: RegExp])[] = [
    ['a replicate of millions', model(`<replicate count="5000000" offset="0 0 1">${ARM}</replicate>`), /Line 3: "count" is 5000000/],
    ['replicates in replicates', model(`${many}${many}${ARM}</replicate></replicate>`), /more than 200 bodies, counting what is repeated/],
    ['a count in character codes', model(`<replicate count="&#57;&#57;&#57;&#57;&#57;">${ARM}</replicate>`), /"count" is 99999/],
    ['elements without end', model(deep), /stand inside one another/],
    ['soft bodies', model('<flexcomp name="f" type="grid" count="999 999 999"/>'), /<flexcomp> is not read/],
    ['composites', model('<body><composite type="cable" count="99999 1 1"/></body>'), /<composite> is not read/],
    ['height fields', model(ARM, '<asset><hfield name="h" nrow="99999" ncol="99999" size="1 1 1 1"/></asset>'), /"nrow" is 99999/],
    ['plugins', `<mujoco><extension><plugin plugin="a"/></extension>${model(ARM).slice(8)}`, /is not read/],
    ['models in models', model(ARM, '<asset><model file="robot.xml"/></asset>'), /<model> is not read/],
    ['a numeric of billions', model(ARM, '<custom><numeric name="n" size="2000000000"/></custom>'), /"size" is 2000000000/],
    ['meshes made of millions', model(ARM, '<asset><mesh name="m" builtin="supersphere" params="1e6 1 1"/></asset>'), /"params" is 1e6/],
    ['iterations without end', `<mujoco><option iterations="2000000000"/>${model(ARM).slice(8)}`, /"iterations" is 2000000000/],
    ['user numbers', `<mujoco><size nuser_geom="900000000"/>${model(ARM).slice(8)}`, /"nuser_geom" is 900000000/],
    ['a document type with entities', `<!DOCTYPE a [<!ENTITY b "c">]>${model(ARM)}`, /document types are not read/],
    ['a long text', `<mujoco>${' '.repeat(300_000)}</mujoco>`, /300,017 characters/],
  ];
  test.each(cases)('%s', (_, mjcf, message) => {
    expect(read(mjcf)).toMatch(message);
  });

  test('a zip that unpacks to more than is allowed; an include of itself', () => {
    const zeros = new Uint8Array(48_000_001);
    const mesh = model(ARM, '<asset><mesh name="b" file="b.stl"/></asset>');
    expect(said(() => readRobot('a.zip', zipSync({ 'a.xml': utf8(mesh), 'b.stl': zeros }, { level: 1 })))).toMatch(/unpacks to more than/);
    expect(Object.keys(readRobot('a.zip', zipSync({ 'a.xml': utf8(model(ARM)), 'b.stl': zeros }, { level: 1 })).files)).toEqual([]);
    const files = {
      'scene.xml': utf8('<mujoco><include file="b.xml"/></mujoco>'),
      'b.xml': utf8('<mujoco><include file="b.xml"/></mujoco>'),
    };
    expect(said(() => robotFacts(readRobot('a.zip', zipSync(files)), true))).toMatch(/"b\.xml" is included twice/);
  });

  test('pictures and working memory that a model asks for are left out', () => {
    const asset =
      '<asset><texture name="t" type="2d" builtin="checker" width="900000" height="900000"/><material name="m" texture="t"/></asset>';
    expect(read(`<mujoco><size memory="900G"/>${model(ARM, `${asset}<actuator><motor joint="j"/></actuator>`).slice(8)}`)).toBe('');
  });
});

test('lines of the compiler are those of the file, although a floor and memory were added', () => {
  const mjcf = `<mujoco>\n${'\n'.repeat(40)}<worldbody>${ARM}</worldbody>\n<actuator>\n<motor joint="k"/>\n</actuator>\n</mujoco>`;
  expect(read(mjcf)).toMatch(/line 44/);
});

const walk = (config: object, steps: number): string => {
  const env = mujocoRobot.create(config, 2);
  const buffers = createBuffers(env.meta, 2);
  const actions = createActions(env.meta, 2);
  env.reset(Uint32Array.of(1, 2), buffers);
  const seen: string[] = [];
  for (let t = 0; t < steps; t++) {
    for (let i = 0; i < actions.length; i++) actions[i] = (((t * 7 + i * 13) % 11) - 5) / 5;
    env.step(actions, buffers);
    seen.push(`${buffers.reward.join()} ${buffers.terminated.join()}`);
  }
  return `${seen.join(';')} ${buffers.obs.join()}`;
};

test('a mesh from a zip is compiled and drawn, and actuators with a state go on from a saved one', () => {
  const cube = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';
  const mjcf = `<mujoco><compiler meshdir="assets"/><asset><mesh name="c" file="c.obj" scale="0.1 0.1 0.1"/></asset>
    <worldbody><body name="top" pos="0 0 1"><freejoint/><geom type="mesh" mesh="c"/>
      <body pos="0.1 0 0"><joint name="j" axis="0 1 0"/><geom size="0.02" fromto="0 0 0 0 0 -0.1" type="capsule"/><site name="tip" pos="0 0 -0.1"/></body></body></worldbody>
    <actuator><general joint="j" dyntype="filter" dynprm="0.1" ctrlrange="-2 3" ctrllimited="true"/></actuator></mujoco>`;
  const robot = readRobot('mine.zip', zipSync({ 'r/mine.xml': utf8(mjcf), 'r/assets/c.obj': utf8(cube) }));
  const config = { robot, reachSite: 'tip', reachWeight: 1, observeSites: true };
  const meta = mujocoRobot.meta(config);
  const layout = meta.frame;
  expect(layout.kind === 'bodies' && layout.parts.map(({ shape }) => shape)).toEqual(['mesh', 'capsule', 'sphere']);
  expect(meta.obsSize).toBe(8 - 2 + 7 + 3 + 3);
  const env = mujocoRobot.create(config, 1);
  const buffers = createBuffers(meta, 1);
  env.reset(Uint32Array.of(3), buffers);
  const push = Float32Array.of(0.7);
  for (let t = 0; t < 5; t++) env.step(push, buffers);
  const state = env.save(0);
  const json = meta.state.toJSON(state) as { readonly act: readonly number[]; readonly ctrl: readonly number[] };
  expect(json.ctrl[0]).toBeCloseTo(2.1, 6); // 0.7 of the way from 0 to 3
  expect(json.act[0]).toBeGreaterThan(0.5);
  env.step(push, buffers);
  const after = buffers.obs.slice();
  env.step(push, buffers);
  env.load(0, state, buffers);
  env.step(push, buffers);
  expect(buffers.obs).toEqual(after);
});

/** A ball that a motor turns, let go above (2, 0) of a ground 8 m wide and 4 m long with these heights. */
const onHeights = (asset: string): string => `<mujoco><asset>${asset}</asset><worldbody>
    <geom type="hfield" hfield="hill"/>
    <body name="ball" pos="2 0 1.5"><freejoint/><geom size="0.1"/><body><joint name="j"/><geom size="0.01" pos="0 0 0.05"/></body></body></worldbody>
    <actuator><motor joint="j" ctrlrange="-1 1" gear="0.001"/></actuator></mujoco>`;

/** Where the ball is, and which heights are drawn, after `steps` of 0.002 s times the skip. */
function rolled(robot: Robot, steps: number) {
  const config = mujocoRobot.parse({ robot, resetNoiseScale: 0, mostTilt: null, leastHeight: 0, maxSteps: 10_000 });
  const env = mujocoRobot.create(config, 1);
  const buffers = createBuffers(env.meta, 1);
  env.reset(Uint32Array.of(1), buffers);
  for (let t = 0; t < steps; t++) env.step(createActions(env.meta, 1), buffers);
  const { qpos } = env.meta.state.toJSON(env.save(0)) as { readonly qpos: readonly number[] };
  const { frame } = env.meta;
  env.dispose?.();
  const parts = frame.kind === 'bodies' ? frame.parts : [];
  return { qpos, drawn: parts.find(({ shape }) => shape === 'mesh') };
}

describe('height fields', () => {
  const flat = '<hfield name="hill" nrow="3" ncol="3" size="4 2 0.5 0.1" elevation="1 1 1 1 1 1 1 1 0"/>';
  test('a body comes to rest at the height that is written there, and no floor is laid below', () => {
    const { qpos, drawn } = rolled(of(onHeights(flat)), 300);
    expect(qpos[2]).toBeCloseTo(0.6, 2);
    expect(drawn?.shape === 'mesh' && Math.max(...drawn.mesh!.corners)).toBeCloseTo(4, 6);
    expect(mujocoRobot.meta({ robot: of(onHeights(flat)) }).frame).toMatchObject({ fixtures: [] });
  });

  test('on a slope it rolls down, along x from a high row end to a low one; the heights come as MuJoCo’s own file, too', () => {
    const heights = Float32Array.of(0, 0.5, 1, 0, 0.5, 1, 0, 0.5, 1);
    const file = new Uint8Array(8 + 36);
    new DataView(file.buffer).setInt32(0, 3, true);
    new DataView(file.buffer).setInt32(4, 3, true);
    file.set(new Uint8Array(heights.buffer), 8);
    const written = of(onHeights(`<hfield name="hill" nrow="3" ncol="3" size="4 2 1 0.1" elevation="${[...heights].join(' ')}"/>`));
    const zipped = (bytes: Uint8Array): Robot =>
      readRobot(
        'a.zip',
        zipSync({ 'a.xml': utf8(onHeights('<hfield name="hill" file="hill.bin" size="4 2 1 0.1"/>')), 'hill.bin': bytes }),
      );
    const { qpos } = rolled(written, 100);
    expect(qpos[0]).toBeLessThan(1.9);
    expect(qpos[2]).toBeLessThan(0.75 + 0.15);
    expect(rolled(zipped(file), 100).qpos).toEqual(qpos);
    new DataView(file.buffer).setInt32(4, 3_000_000, true);
    expect(said(() => robotFacts(zipped(file), true))).toMatch(/"hill\.bin" has 3 by 3000000 points/);
    const elsewhere = onHeights('<hfield name="hill" file="../HILL.bin" size="4 2 1 0.1"/>').replace(
      '<asset>',
      '<compiler assetdir="a"/><asset>',
    );
    const robot = readRobot('a.zip', zipSync({ 'a.xml': utf8(elsewhere), 'hill.bin': file }));
    expect(said(() => robotFacts(robot, true))).toMatch(/"hill\.bin" has 3 by 3000000 points/);
  });
});

test('of a model whose skin is left out each hidden body is shown by what collides of it; a single hidden one stays hidden', () => {
  const link = (name: string, inside: string): string => `<body name="${name}"><joint name="${name}"/>${inside}</body>`;
  const hidden = '<geom size="0.1" group="3"/><geom size="0.02" group="4" contype="0" conaffinity="0"/>';
  const bone = '<geom size="0.03" group="5" contype="0" conaffinity="0"/>';
  const shownOf = (inside: string): readonly (readonly number[])[] => {
    const layout = mujocoRobot.meta({ robot: of(model(inside)) }).frame;
    return layout.kind === 'bodies' ? layout.parts.map(({ size }) => size) : [];
  };
  expect(shownOf(link('j', '<geom size="0.05"/>') + link('k', hidden) + link('l', bone))).toEqual([[0.05], [0.1], [0.03]]);
  expect(shownOf(link('j', '<geom size="0.05"/>') + link('k', hidden))).toEqual([[0.05]]);
});

test('it stands on the ground, and weights that are 0 pay nothing', () => {
  const env = mujocoRobot.create(
    { resetNoiseScale: 0, forwardWeight: 0, energyWeight: 0, aliveWeight: 0, heightWeight: 1, maxSteps: 50 },
    1,
  );
  const buffers = createBuffers(env.meta, 1);
  env.reset(Uint32Array.of(1), buffers);
  const still = createActions(env.meta, 1);
  for (let t = 0; t < 50; t++) env.step(still, buffers);
  expect(buffers.truncated[0]).toBe(1);
  expect(Math.abs(buffers.reward[0]!)).toBeLessThan(0.03); // m off its height
});

test('an unknown site is named with those there are', () => {
  expect(() => mujocoRobot.meta({ reachSite: 'hand' })).toThrow(/no site "hand"/);
});

test('the same config and seed give the same bits, also after other models', () => {
  const first = walk({ robot: EXAMPLE }, 60);
  for (let i = 0; i < 10; i++) walk({ robot: of(EXAMPLE.mjcf.replace('kp="20"', `kp="${30 + i}"`)) }, 2);
  expect(walk({ robot: EXAMPLE }, 60)).toBe(first);
  expect(walk({}, 60)).toBe(first);
});

test('a model whose step takes too long is refused; another gets a task that suits it', async () => {
  let clock = 0;
  await expect(inspectRobot(EXAMPLE, () => (clock += 30))).rejects.toThrow(/takes .* ms, and at most 20/);
  clock = 0;
  const card = await inspectRobot(EXAMPLE, () => clock++);
  expect(card.task).toMatchObject({ forwardWeight: 1, leastHeight: expect.any(Number) as number });
  const arm = await inspectRobot(
    of(model('<body><joint name="j"/><geom size="0.1"/><site name="tip" pos="1 0 0"/></body>')),
    () => clock++,
  );
  expect(arm.task).toMatchObject({ forwardWeight: 0, reachWeight: 1, reachSite: 'tip' });
});

test('a mesh is made coarser for the picture and keeps its extent', () => {
  const side = 40;
  const corners = Array.from({ length: side * side }, (_, i) => [i % side, Math.floor(i / side), 0]).flat();
  const faces = Array.from({ length: (side - 1) * (side - 1) }, (_, i) => {
    const at = (i % (side - 1)) + Math.floor(i / (side - 1)) * side;
    return [at, at + 1, at + side, at + 1, at + side + 1, at + side];
  }).flat();
  const mesh = coarser(corners, faces, 300);
  expect(mesh.faces.length / 3).toBeLessThanOrEqual(300);
  expect(Math.max(...mesh.faces)).toBeLessThan(mesh.corners.length / 3);
  expect(Math.max(...mesh.corners)).toBeGreaterThan(34);
});
