/**
 * All drones of a picture in a handful of draw calls: frames, shells, blades that turn by their rpm, the discs they blur into, thrust
 * arrows, and the air they throw down as a faint cone. A drone of unit size has arms of length 1, +x ahead, y up.
 */
import {
  BoxGeometry,
  type BufferGeometry,
  type Color,
  CylinderGeometry,
  DoubleSide,
  Group,
  Matrix4,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Quaternion,
  ShaderMaterial,
  SphereGeometry,
  Vector3,
} from 'three';
import type { BodyPart } from '#contract/game/frames.ts';
import { Pool } from '../lib/pool.ts';
import { block, merge } from '../lib/shapes.ts';
import { mix, type Palette } from '../lib/theme.ts';
import { colour } from '../lib/view.ts';

/** Radians a blade turns per frame at hover: far less than in truth, so that turning can be seen. */
const SPIN = 2.3;
const WASH_LENGTH = 7; // arms

function rotorPlaces(count: number, frame: BodyPart['frame']): [x: number, z: number][] {
  const first = frame === 'plus' ? 0 : Math.PI / count;
  return Array.from({ length: count }, (_, i) => {
    const angle = first + (i / count) * 2 * Math.PI;
    return [Math.cos(angle), Math.sin(angle)];
  });
}

function chassis(places: readonly [number, number][], rotor: number): BufferGeometry {
  const arms = places.map(([x, z]) => new BoxGeometry(1, 0.07, 0.1).translate(0.5, 0, 0).rotateY(-Math.atan2(z, x)));
  const motors = places.map(([x, z]) => new CylinderGeometry(0.1, 0.12, 0.2, 10).translate(x, 0.06, z));
  const feet = places.map(([x, z]) => new CylinderGeometry(0.025, 0.025, 0.26, 6).translate(x * 0.55, -0.14, z * 0.55));
  return merge(
    [
      ...arms,
      ...motors,
      ...feet,
      new CylinderGeometry(0.2, 0.2, 0.08, 12).translate(0, -0.1, 0),
      new BoxGeometry(0.16, 0.1, 0.2).translate(0.34, -0.03, 0),
    ].map((g) => g.scale(1, Math.max(1, rotor), 1)),
  );
}

/** Hub with a nose: what carries the agent's colour. */
function shell(): BufferGeometry {
  return merge([
    block(0.66, 0.2, 0.44, 0.06).translate(-0.04, -0.02, 0),
    new SphereGeometry(0.2, 14, 8, 0, Math.PI * 2, 0, Math.PI / 2).scale(1.2, 0.7, 0.95).translate(-0.04, 0.16, 0),
    new CylinderGeometry(0, 0.12, 0.26, 4).rotateZ(-Math.PI / 2).translate(0.42, 0.08, 0),
  ]);
}

function washMaterial(palette: Palette): ShaderMaterial {
  return new ShaderMaterial({
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
    uniforms: {
      tint: { value: colour(palette.dark ? mix(palette.text, palette.series[5]!, 0.4) : palette.series[5]!) },
      strength: { value: palette.dark ? 0.13 : 0.15 },
    },
    vertexShader: `
      varying float vDown; varying float vStrength;
      void main() {
        vDown = -position.y; vStrength = instanceColor.r;
        gl_Position = projectionMatrix * viewMatrix * modelMatrix * instanceMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: `
      uniform vec3 tint; uniform float strength; varying float vDown; varying float vStrength;
      void main() {
        float a = 1.0 - clamp(vDown, 0.0, 1.0);
        gl_FragColor = vec4(tint, strength * vStrength * a * a);
        #include <colorspace_fragment>
      }`,
    defines: { USE_INSTANCING_COLOR: '' },
  });
}

interface Drone {
  readonly arm: number; // m
  readonly rotor: number; // radius, arms
  readonly places: readonly [number, number][];
  readonly tint: Color;
  readonly angles: Float64Array;
}

export class Drones {
  readonly root = new Group();
  private readonly drones: readonly Drone[];
  private readonly hover: number;
  private readonly body: Pool;
  private readonly shells: Pool;
  private readonly blades: Pool;
  private readonly discs: Pool;
  private readonly wash: Pool;
  private readonly shafts: Pool;
  private readonly heads: Pool;
  private readonly dark: Color;
  private readonly blade: Color;
  private readonly force: Color;
  private readonly strength: Color;
  private readonly own = new Matrix4();
  private readonly local = new Matrix4();
  private readonly turn = new Quaternion();
  private readonly at = new Vector3();
  private readonly size = new Vector3();
  private lastTime = Number.NaN;
  private times = 1;

  constructor(parts: readonly BodyPart[], rotors: { readonly count: number; readonly hover: number } | undefined, palette: Palette) {
    const count = rotors?.count ?? 4;
    this.hover = rotors?.hover ?? 1;
    this.drones = parts.map((part) => ({
      arm: part.size[0] ?? 0.1,
      rotor: (part.size[1] ?? 0.05) / (part.size[0] ?? 0.1),
      places: rotorPlaces(count, part.frame),
      tint: typeof part.colour === 'number' ? colour(palette.series[part.colour % 8]!) : colour(palette.structure),
      angles: new Float64Array(count),
    }));
    const first = this.drones[0];
    const solid = { cast: true, receive: true };
    const matte = (): MeshLambertMaterial => new MeshLambertMaterial();
    this.body = new Pool(chassis(first?.places ?? [], 1), matte(), solid, parts.length);
    this.shells = new Pool(shell(), matte(), solid, parts.length);
    this.blades = new Pool(block(2, 0.05, 0.16, 0.01), matte(), { cast: true }, parts.length * count);
    const blur = new MeshBasicMaterial({ transparent: true, opacity: palette.dark ? 0.24 : 0.3, depthWrite: false, side: DoubleSide });
    this.discs = new Pool(new CylinderGeometry(1, 1, 0.03, 28), blur, { order: 4 }, parts.length * count);
    this.wash = new Pool(
      new CylinderGeometry(1, 1.5, 1, 28, 1, true).translate(0, -0.5, 0),
      washMaterial(palette),
      { order: 3 },
      parts.length,
    );
    this.shafts = new Pool(new CylinderGeometry(0.045, 0.045, 1, 8).translate(0, 0.5, 0), matte(), {}, parts.length * count);
    this.heads = new Pool(new CylinderGeometry(0, 0.12, 0.26, 10).translate(0, 0.13, 0), matte(), {}, parts.length * count);
    this.dark = colour(palette.dark ? [150, 160, 180] : [64, 72, 88]);
    this.blade = colour(palette.dark ? [190, 198, 210] : [70, 78, 92]);
    this.force = colour(palette.hazard);
    this.strength = colour([0, 0, 0]);
    for (const pool of this.pools()) this.root.add(pool.root);
  }

  /** Draws drones so many times larger than they are, from the next update on. */
  enlarge(times: number): void {
    this.times = times;
  }

  /** `pose(i, position, quaternion)` gives drone i in the scene's axes, false where it is not shown; `rpm(i, rotor)` its speed; `floor` is where the air ends. */
  update(
    pose: (i: number, at: Vector3, turn: Quaternion) => boolean,
    rpm: (i: number, rotor: number) => number,
    time: number,
    forces: boolean,
    floor: number,
  ): void {
    const passed = Math.abs(time - this.lastTime) < 4 ? time - this.lastTime : 0;
    this.lastTime = time;
    for (const pool of this.pools()) pool.begin();
    this.drones.forEach((drone, i) => {
      if (!pose(i, this.at, this.turn)) return;
      const height = this.at.y - floor;
      this.own.compose(this.at, this.turn, this.size.setScalar(drone.arm * this.times));
      this.body.putMatrix(this.own, this.dark);
      this.shells.putMatrix(this.own, drone.tint);
      let thrust = 0;
      drone.places.forEach(([x, z], r) => {
        const share = rpm(i, r) / this.hover;
        thrust += (share * share) / drone.places.length;
        const sign = r % 2 === 0 ? 1 : -1;
        drone.angles[r] = drone.angles[r]! + sign * SPIN * share * passed;
        this.putLocal(this.blades, x, 0.18, z, drone.angles[r]!, drone.rotor * 0.98, 1, Math.max(0.6, drone.rotor), this.blade);
        if (share > 0.15) this.putLocal(this.discs, x, 0.19, z, 0, drone.rotor, 1, drone.rotor, drone.tint);
        if (!forces) return;
        const length = 1.3 * share * share;
        this.putLocal(this.shafts, x, 0.25, z, 0, 1, length, 1, this.force);
        this.putLocal(this.heads, x, 0.25 + length, z, 0, 1, 1, 1, this.force);
      });
      const reach = Math.min(WASH_LENGTH, height / (drone.arm * this.times)) * Math.min(1.3, thrust);
      if (thrust < 0.05 || reach < 0.3) return;
      this.strength.setRGB(Math.min(1, thrust), 0, 0);
      this.putLocal(this.wash, 0, 0.1, 0, 0, 1.05 + drone.rotor * 0.6, reach, 1.05 + drone.rotor * 0.6, this.strength);
    });
    for (const pool of this.pools()) pool.end();
  }

  private putLocal(pool: Pool, x: number, y: number, z: number, turn: number, sx: number, sy: number, sz: number, tint: Color): void {
    this.local.makeRotationY(turn);
    this.local.scale(this.size.set(sx, sy, sz));
    this.local.setPosition(x, y, z);
    pool.putMatrix(this.local.premultiply(this.own), tint);
  }

  private pools(): readonly Pool[] {
    return [this.body, this.shells, this.blades, this.discs, this.wash, this.shafts, this.heads];
  }
}
