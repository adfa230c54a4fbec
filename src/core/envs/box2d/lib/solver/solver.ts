/**
 * Worlds of a few bodies joined by motors over fixed ground, as Box2D 2.3 computes them, in float32 within WebAssembly: the same bits in every
 * browser and in Node. One solver serves all copies of an environment. The state of a world is `words` numbers that the environment keeps,
 * so that it is saved and restored exactly; its ground never changes within an episode and is kept beside.
 */
import { fail } from '#contract/kit/errors.ts';
import { instantiateSolver, type SolverExports } from './load.ts';

export interface BodyShape {
  /** x, y each, m, counterclockwise; the first is the rightmost, the lowest of them: the order that Box2D puts them in. `box`: half the width and height. */
  readonly shape: { readonly corners: readonly number[] } | { readonly box: readonly [number, number] };
  readonly density: number;
  readonly friction: number;
}

export interface Hinge {
  readonly a: number;
  readonly b: number;
  /** Where it holds, in either body, m. */
  readonly at: readonly [ax: number, ay: number, bx: number, by: number];
  /** rad. */
  readonly limits: readonly [lower: number, upper: number];
}

export interface WorldShape {
  readonly bodies: readonly BodyShape[];
  readonly hinges: readonly Hinge[];
  /** Pairs of a body and a piece of ground that may be near each other at a time, at most 64. */
  readonly contacts: number;
  /** s. */
  readonly step: number;
  readonly iterations: readonly [velocity: number, position: number];
}

/** An edge (two corners) or a convex piece, corners as a body's, of one fixed body. */
export interface GroundPiece {
  readonly corners: readonly number[];
  readonly friction: number;
  readonly body: number;
}

/** Where a body is and how it moves. */
export interface BodyState {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  readonly vx: number;
  readonly vy: number;
  readonly spin: number;
  readonly awake: boolean;
  /** Whether the newest of its contacts to begin or end began. */
  readonly touching: boolean;
  /** Whether it ever touched. */
  readonly hit: boolean;
}

const HEAD = 4;
const BODY = 25;
const JOINT = 7;
const CONTACT = 21;
// Places within a body's words, as assembly/memory.ts lays them out.
const [PX, PY, ANGLE, VX, VY, SPIN, AWAKE, TOUCHING, HIT] = [0, 1, 9, 11, 12, 13, 18, 23, 24];

/** Words of the state of such a world. */
export const worldWords = ({ bodies, hinges, contacts }: Pick<WorldShape, 'bodies' | 'hinges' | 'contacts'>): number =>
  HEAD + BODY * bodies.length + JOINT * hinges.length + CONTACT * contacts;

export class Solver {
  private readonly module: SolverExports;
  private readonly shape: WorldShape;
  private readonly image: Uint32Array;
  private readonly floats: Float32Array;
  private readonly memory: Uint8Array;
  private readonly input: Float32Array;

  constructor(shape: WorldShape) {
    const module = instantiateSolver();
    const { buffer } = module.memory;
    this.module = module;
    this.shape = shape;
    this.input = new Float32Array(buffer, module.inputAt(), 16);
    module.begin(shape.contacts, shape.step, ...shape.iterations);
    for (const { shape: outline, density, friction } of shape.bodies) {
      if ('box' in outline) {
        const [x, y] = outline.box.map(Math.fround) as [number, number];
        this.input.set([-x, -y, x, -y, x, y, -x, y]);
        module.addBody(4, density, friction, 1);
      } else {
        this.input.set(outline.corners);
        module.addBody(outline.corners.length / 2, density, friction, 0);
      }
    }
    for (const { a, b, at, limits } of shape.hinges) module.addJoint(a, b, ...at, ...limits);
    this.image = new Uint32Array(buffer, module.imageAt(), module.imageSize() / 4);
    this.floats = new Float32Array(buffer, module.imageAt(), module.imageSize() / 4);
    this.memory = new Uint8Array(buffer);
    if (this.image.length !== worldWords(shape))
      throw fail('internal', 'The solver of rigid bodies is not the one this was written for.', '');
  }

  /** Empties the world: what follows makes a new one. */
  clear(gravity: number): void {
    this.module.clear();
    this.module.setGravity(gravity);
  }

  /** Ground in the order in which Box2D would be given it; returns the bytes from which `enter` has it again. */
  lay(pieces: readonly GroundPiece[]): Uint8Array {
    const { module, input } = this;
    module.setGroundCount(0);
    for (const { corners, friction, body } of pieces) {
      input.set(corners);
      module.addGround(corners.length / 2, friction, body);
    }
    return this.memory.slice(module.groundAt(), module.groundAt() + module.groundSize());
  }

  place(body: number, x: number, y: number, angle = 0): void {
    this.module.setBody(body, x, y, angle);
  }

  /** Takes a world in: its state from `words[at ..]`, and its ground. */
  enter(words: Uint32Array, at: number, ground: Uint8Array, gravity: number): void {
    const { image, memory, module } = this;
    for (let i = 0; i < image.length; i++) image[i] = words[at + i]!;
    const from = module.groundAt();
    memory.set(ground, from);
    module.setGroundCount(ground.length / GROUND_BYTES);
    module.setGravity(gravity);
  }

  /** Writes the state of the world that is in. */
  leave(words: Uint32Array, at: number): void {
    words.set(this.image, at);
  }

  motor(hinge: number, speed: number, maxTorque: number): void {
    this.module.setMotor(hinge, speed, maxTorque);
  }

  /** At the centre of mass, N, during the next step. */
  force(body: number, x: number, y: number): void {
    this.module.applyForce(body, x, y);
  }

  torque(body: number, torque: number): void {
    this.module.applyTorque(body, torque);
  }

  /** N s at a place of the world. */
  impulse(body: number, x: number, y: number, atX: number, atY: number): void {
    this.module.applyImpulse(body, x, y, atX, atY);
  }

  /** One step. Throws LabError('engine-unready') where more came near than there is room for. */
  step(): void {
    if (this.module.step() !== 0)
      throw fail('engine-unready', 'A body of this world touches more pieces of ground than there is room for.', 'Begin a new episode.');
  }

  body(i: number): BodyState {
    const { floats, image } = this;
    const at = HEAD + BODY * i;
    return {
      x: floats[at + PX]!,
      y: floats[at + PY]!,
      angle: floats[at + ANGLE]!,
      vx: floats[at + VX]!,
      vy: floats[at + VY]!,
      spin: floats[at + SPIN]!,
      awake: image[at + AWAKE] === 1,
      touching: image[at + TOUCHING] === 1,
      hit: image[at + HIT] === 1,
    };
  }

  /** Share of a ray that is free of ground, 0 to 1. */
  ray(x1: number, y1: number, x2: number, y2: number): number {
    return this.module.rayCast(x1, y1, x2, y2);
  }

  /** Throws LabError('state-invalid') where a state names ground, bodies or contacts that are not there. */
  check(words: Uint32Array, at: number, pieces: number): void {
    const { bodies, hinges, contacts } = this.shape;
    const count = words[at + 1]!;
    const from = at + HEAD + BODY * bodies.length + JOINT * hinges.length;
    let good = count <= contacts && words[at + 2]! <= 1;
    for (let k = 0; good && k < count; k++) {
      const c = from + CONTACT * k;
      good = words[c]! < pieces && words[c + 1]! < bodies.length && words[c + 6]! <= 2;
    }
    if (!good)
      throw fail(
        'state-invalid',
        'State field "world" names contacts that are not there.',
        'Take a state that was saved from this environment.',
        'world',
      );
  }
}

const GROUND_BYTES = 104;

/** x, y and angle of a body of a state that is not in, for pictures. */
export function poseOf(words: Uint32Array, at: number, body: number): readonly [x: number, y: number, angle: number] {
  const floats = new Float32Array(words.buffer, words.byteOffset + 4 * (at + HEAD + BODY * body), BODY);
  return [floats[PX]!, floats[PY]!, floats[ANGLE]!];
}
