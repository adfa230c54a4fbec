import { beforeAll, describe, expect, it } from 'vitest';
import { frameSize, type Pull } from '#contract/game/frames.ts';
import { createActions, createBuffers } from '../../api/buffers.ts';
import type { EnvEntry, Environment } from '../../api/types.ts';
import { mujocoAnt } from '../mujoco-ant.ts';
import { mujocoReacher } from '../mujoco-reacher.ts';
import { mujocoRobot } from '../mujoco-robot.ts';
import { mujocoTablePush } from '../mujoco-table-push.ts';

const bodies = [mujocoAnt, mujocoReacher, mujocoRobot, mujocoTablePush];

beforeAll(async () => {
  for (const entry of bodies) await entry.prepare?.();
});

interface Play {
  readonly env: Environment;
  step(): void;
}

/** Two rows from the same start, every motor at rest. */
function play(entry: EnvEntry): Play {
  const env = entry.create({}, 2);
  const buffers = createBuffers(env.meta, 2);
  const actions = createActions(env.meta, 2);
  env.reset(Uint32Array.of(3, 3), buffers);
  return { env, step: () => env.step(actions, buffers) };
}

function placeOf(env: Environment, row: number, part: number): readonly [number, number, number] {
  const frame = new Float32Array(frameSize(env.meta.frame));
  env.frame(row, frame);
  return [frame[part * 7]!, frame[part * 7 + 1]!, frame[part * 7 + 2]!];
}

const away = (a: readonly number[], b: readonly number[]): number => Math.hypot(...a.map((x, i) => x - b[i]!));

/** A part that moves, of what is drawn. */
function movingPart({ meta: { frame } }: Environment): number {
  if (frame.kind !== 'bodies' || frame.pulls !== true) throw new Error('nothing here may be pulled');
  return frame.parts.findIndex(({ colour, name }) => (typeof colour === 'number' || colour === 'accent') && name !== 'slide');
}

describe.each(bodies)('$id', (entry) => {
  it('a part follows the hand, the other row stays as it is, and nothing is left when it lets go', () => {
    const { env, step } = play(entry);
    const alone = play(entry);
    const part = movingPart(env);
    const start = placeOf(env, 0, part);
    const to = [start[0] + 0.05, start[1] + 0.05, start[2]] as const;
    const pull: Pull = { part, at: [0, 0, 0], to };
    const steps = Math.ceil(env.meta.frame.kind === 'bodies' ? 0.4 / 0.02 : 0);
    env.pull?.(0, pull);
    for (let t = 0; t < steps; t++) {
      step();
      alone.step();
    }
    expect(away(placeOf(env, 0, part), to)).toBeLessThan(away(placeOf(env, 1, part), to));
    expect(env.save(1)).toEqual(alone.env.save(1));
    expect(env.save(0)).not.toEqual(alone.env.save(0));
    env.pull?.(0, null);
    const buffers = createBuffers(env.meta, 2);
    alone.env.load(0, env.save(0), buffers);
    for (let t = 0; t < 5; t++) {
      step();
      alone.step();
    }
    expect(env.save(0)).toEqual(alone.env.save(0));
  });
});
