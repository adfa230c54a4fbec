/** The robot that stands there before a person brings one: a box on four legs with hips and knees that follow positions. */
import type { Robot } from '#contract/link/robot.ts';

const legs = [
  ['front left', 0.16, 0.09],
  ['front right', 0.16, -0.09],
  ['hind left', -0.16, 0.09],
  ['hind right', -0.16, -0.09],
] as const;

const leg = ([name, x, y]: (typeof legs)[number]): string => `
      <body name="${name} thigh" pos="${x} ${y} 0">
        <joint name="${name} hip" range="-60 60"/>
        <geom fromto="0 0 0 -0.05 0 -0.13" size="0.022"/>
        <body name="${name} shin" pos="-0.05 0 -0.13">
          <joint name="${name} knee" range="-70 40"/>
          <geom fromto="0 0 0 0.05 0 -0.13" size="0.018"/>
        </body>
      </body>`;

export const EXAMPLE: Robot = {
  name: 'example',
  mjcf: `<mujoco model="example">
  <option timestep="0.004" integrator="implicitfast"/>
  <default>
    <joint axis="0 1 0" damping="0.4" armature="0.01"/>
    <geom type="capsule" density="600" friction="1"/>
    <position kp="20" ctrlrange="-0.8 0.8"/>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 1"/>
    <body name="trunk" pos="0 0 0.3">
      <freejoint/>
      <geom type="box" size="0.2 0.07 0.035"/>
      <site name="nose" pos="0.22 0 0"/>${legs.map(leg).join('')}
    </body>
  </worldbody>
  <actuator>${legs
    .flatMap(([name]) => ['hip', 'knee'].map((part) => `\n    <position name="${name} ${part}" joint="${name} ${part}"/>`))
    .join('')}
  </actuator>
</mujoco>
`,
  files: {},
};
