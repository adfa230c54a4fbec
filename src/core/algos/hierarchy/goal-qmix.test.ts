/** Goals that are actions give the flat learners back bit for bit; cells are found from observations alone; a person's goal is held until it is reached. */
import { describe, expect, it } from 'vitest';
import { isGrid } from '#contract/game/frames.ts';
import { present } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { getEnv } from '#core/envs/all.ts';
import { createBuffers } from '#core/envs/api/buffers.ts';
import { probesById } from '#core/testing/probes.ts';
import { trained } from '#core/testing/trained.ts';
import { Rng } from '#math/rng.ts';
import { getAlgo } from '../all.ts';
import { advanceOf, cellFrom, goalOffsets, offsetOf } from './lib/cells.ts';

const shared: JsonObject = {
  envs: 4,
  gradientSteps: 1,
  rolloutSteps: 4,
  hidden: [16],
  lr: 1e-2,
  batchSize: 32,
  bufferSize: 500,
  learningStarts: 100,
  targetEvery: 20,
  gamma: 0.9,
  epsilonFraction: 0.5,
  epsilonEnd: 0.1,
  maxGradNorm: 25,
};
const mixer: JsonObject = { mixerUnits: 8, hyperUnits: 8, mixerScale: 1 };
const flat: JsonObject = { ...shared, recurrent: { kind: 'off' }, annealLr: false };
const asActions: JsonObject = { ...shared, ...mixer, goals: 'actions', every: 1 };

describe('a goal every step, one for each action', () => {
  it.each(['team', 'roles', 'masked'] as const)('on %s is QMIX, bit for bit', async (id) => {
    const env = probesById[id];
    const team = env.meta({}).agentCount > 1;
    const rival = getAlgo(team ? 'qmix' : 'iql'); // one agent needs no mixer
    const two = await trained({ algo: getAlgo('goal-qmix'), env, config: asActions, steps: 1500 });
    const one = await trained({ algo: rival, env, config: team ? { ...flat, ...mixer } : flat, steps: 1500 });
    expect(two.hash).toBe(one.hash);
    expect(two.evalReturn).toBe(one.evalReturn);
  });
});

describe('cells', () => {
  it('an offset and the cell that lies there are each other’s reverse, whichever way the agent looks', () => {
    const [cell, place] = [new Int32Array(2), new Int32Array(2)];
    for (let turns = 0; turns < 4; turns++) {
      const pose = Int32Array.of(3, -2, turns);
      cellFrom(pose, 0, 2, 1, cell);
      offsetOf(pose, 0, cell[0]!, cell[1]!, place);
      expect([...place]).toEqual([2, 1]);
    }
    cellFrom(Int32Array.of(0, 0, 1), 0, 0, 1, cell); // looks to the right: ahead is there
    expect([...cell]).toEqual([1, 0]);
  });

  it.each([
    ['minigrid-doorkey', { width: 6, height: 6 }],
    ['minigrid-key-corridor', {}],
    ['level-based-foraging', { foods: 2, coop: false }],
  ] as const)('%s: where random play came, told from observations, is where the picture has it', (id, config) => {
    const entry = getEnv(id);
    const whole = entry.parse(config);
    const env = entry.create(whole, 1);
    const { meta } = env;
    const advance = advanceOf(meta, present(meta.cells, 'cells'));
    const { agentCount: A, obsSize: O, actionCount: N } = meta;
    if (!isGrid(meta.frame)) throw new Error('a grid');
    const { width, height } = meta.frame;
    const frame = new Float32Array(3 * width * height + 7 * A);
    const before = createBuffers(meta, 1);
    const out = createBuffers(meta, 1);
    const rng = Rng.from(5);
    const place = new Int32Array(2);
    const touched = new Int32Array(2);
    let changes = 0;
    for (let episode = 0; episode < 20; episode++) {
      env.reset(Uint32Array.of(episode), out);
      const pose = new Int32Array(3 * A);
      const agent = (a: number): readonly number[] => [...frame.subarray(3 * width * height + 6 * a, 3 * width * height + 6 * a + 3)];
      env.frame(0, frame);
      const starts = Array.from({ length: A }, (_, a) => agent(a));
      for (let t = 0; t < 60; t++) {
        before.obs.set(out.obs);
        const actions = Int32Array.from({ length: A }, () => rng.int(N));
        const cells = frame.slice(0, 3 * width * height);
        env.step(actions, out);
        env.frame(0, frame);
        for (let a = 0; a < A; a++) {
          const changed = advance(before.obs, a * O, out.obs, a * O, actions[a]!, pose, 3 * a, touched, 0);
          const [x = 0, y = 0, dir = 0] = agent(a);
          const [sx = 0, sy = 0, sdir = 0] = starts[a]!;
          // the start's heading as quarter turns: pictures count from the right, y down
          const turned = meta.frame.kind === 'grid' && meta.frame.headings ? (sdir + 1) & 3 : 0;
          const at = (px: number, py: number): readonly [number, number] => {
            offsetOf(Int32Array.of(0, 0, (4 - turned) & 3), 0, px, py, place);
            return [sx + place[0]!, sy - place[1]!];
          };
          expect(at(pose[3 * a]!, pose[3 * a + 1]!), `step ${t} of ${episode}`).toEqual([x, y]);
          if (turned !== 0) expect((dir - sdir + 4) & 3).toBe(pose[3 * a + 2]);
          if (!changed) continue;
          changes++;
          const [cx, cy] = at(touched[0]!, touched[1]!);
          const k = 3 * (cy * width + cx);
          expect([...frame.subarray(k, k + 3)]).not.toEqual([...cells.subarray(k, k + 3)]);
        }
        if (out.terminated[0] === 1 || out.truncated[0] === 1) break;
      }
    }
    expect(changes).toBeGreaterThan(0);
  });

  it('goals lie ahead where agents look one way, and all around where they do not', () => {
    expect(goalOffsets({ kind: 'places', self: 0, things: [], changes: [] }, 2)).toHaveLength(2 * 25);
    const view = { kind: 'view', size: 7, forward: 2, changes: [], enter: [], door: 4 } as const;
    expect(goalOffsets(view, 3)).toHaveLength(2 * 28);
  });
});
