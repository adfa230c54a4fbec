import { describe, expect, it } from 'vitest';
import { createActions, createBuffers } from '../../api/buffers.ts';
import type { EnvEntry } from '../../api/types.ts';
import { createMatching } from '../../lib/matching.ts';
import { mpeSimple } from '../mpe-simple.ts';
import { mpeSimpleCrypto } from '../mpe-simple-crypto.ts';
import { mpeSimpleFormation } from '../mpe-simple-formation.ts';
import { mpeSimpleLine } from '../mpe-simple-line.ts';
import { mpeSimplePush } from '../mpe-simple-push.ts';
import { mpeSimpleReference } from '../mpe-simple-reference.ts';
import { mpeSimpleSpeakerListener } from '../mpe-simple-speaker-listener.ts';
import { mpeSimpleSpread } from '../mpe-simple-spread.ts';
import { mpeSimpleTag } from '../mpe-simple-tag.ts';
import { mpeSimpleWorldComm } from '../mpe-simple-world-comm.ts';

/** Mean return per agent of whole episodes, all rows started together. */
function play(entry: EnvEntry, policy: string, config: object, episodes = 400): number[] {
  const env = entry.create(config, episodes);
  const { meta } = env;
  const buffers = createBuffers(meta, episodes);
  const actions = createActions(meta, episodes);
  const scripted = entry.policies(config)[policy]!;
  env.reset(
    Uint32Array.from({ length: episodes }, (_, i) => i + 1),
    buffers,
  );
  const sums = new Array<number>(meta.agentCount).fill(0);
  for (let t = 0; t < meta.maxSteps; t++) {
    scripted.act(env, buffers, actions);
    env.step(actions, buffers);
    for (let i = 0; i < buffers.reward.length; i++) sums[i % meta.agentCount]! += buffers.reward[i]! / episodes;
  }
  expect(buffers.truncated.every((flag) => flag === 1)).toBe(true);
  return sums;
}

describe('scripted particles', () => {
  // measured over 1,000 episodes and more, with room for the spread of 400
  it.each([
    ['one landmark', mpeSimple, {}, 0, -8.5, -6.5],
    ['one landmark, continuous', mpeSimple, { continuousActions: true }, 0, -8.5, -5.5],
    ['three landmarks covered', mpeSimpleSpread, {}, 0, -8, -7],
    ['three landmarks covered, continuous', mpeSimpleSpread, { continuousActions: true }, 0, -7, -5.5],
    ['hunters', mpeSimpleTag, {}, 0, 12, 24],
    ['push', mpeSimplePush, {}, 1, -8.7, -6.7],
    ['reference', mpeSimpleReference, {}, 0, -8.3, -6.8],
    ['speaker and listener', mpeSimpleSpeakerListener, {}, 1, -8.5, -6],
    ['a circle', mpeSimpleFormation, {}, 0, -4.7, -3.8],
    ['a line', mpeSimpleLine, {}, 0, -5.6, -4.7],
    ['hunters with a leader', mpeSimpleWorldComm, {}, 0, 20, 30],
    ['a cipher', mpeSimpleCrypto, {}, 1, 22, 27.5],
  ] as const)('%s', (_what, entry, config, agent, low, high) => {
    const value = play(entry, 'scripted', config)[agent]!;
    expect(value).toBeGreaterThan(low);
    expect(value).toBeLessThan(high);
  });
});

describe('particle physics', () => {
  const row = (config: object, state: object) => {
    const env = mpeSimpleSpread.create(config, 1);
    const buffers = createBuffers(env.meta, 1);
    env.load(0, env.meta.state.fromJSON(state), buffers);
    return { env, buffers, now: () => env.meta.state.toJSON(env.save(0)) as { agentPos: number[][]; agentVel: number[][] } };
  };
  const two = {
    agentVel: [
      [0, 0],
      [0, 0],
    ],
    landmarkPos: [
      [1, 1],
      [-1, -1],
    ],
  };

  it('a force shows in the velocity at once and in the place a step later', () => {
    const { env, buffers, now } = row(
      { agents: 2, mass: 2, force: 8 },
      {
        ...two,
        agentPos: [
          [-1, 0],
          [1, 0],
        ],
      },
    );
    env.step(Int32Array.of(2, 0), buffers);
    expect(now().agentPos[0]).toEqual([-1, 0]);
    expect(now().agentVel[0]?.[0]).toBeCloseTo(0.4, 12); // 8 N / 2 kg * 0.1 s
    env.step(Int32Array.of(0, 0), buffers);
    expect(now().agentPos[0]?.[0]).toBeCloseTo(-0.96, 12);
    expect(now().agentVel[0]?.[0]).toBeCloseTo(0.3, 12);
  });

  it('contact pushes both apart alike, and not at all beyond the soft edge', () => {
    const near = row(
      { agents: 2 },
      {
        ...two,
        agentPos: [
          [0, 0],
          [0.2, 0.1],
        ],
      },
    );
    near.env.step(Int32Array.of(0, 0), near.buffers);
    const [a, b] = near.now().agentVel as [number[], number[]];
    expect(a[0]! + b[0]!).toBeCloseTo(0, 14);
    expect(a[0]!).toBeLessThan(-0.3);
    expect(a[1]! / a[0]!).toBeCloseTo(0.5, 12);
    const apart = row(
      { agents: 2 },
      {
        ...two,
        agentPos: [
          [0, 0],
          [0.4, 0],
        ],
      },
    );
    apart.env.step(Int32Array.of(0, 0), apart.buffers);
    expect(apart.now().agentVel).toEqual([
      [0, 0],
      [0, 0],
    ]);
    const same = row(
      { agents: 2 },
      {
        ...two,
        agentPos: [
          [0.3, 0.3],
          [0.3, 0.3],
        ],
      },
    );
    same.env.step(Int32Array.of(0, 0), same.buffers);
    expect(same.now().agentVel).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it('who cannot do an action is told so by the mask', () => {
    const env = mpeSimpleSpeakerListener.create({}, 2);
    const buffers = createBuffers(env.meta, 2);
    env.reset(Uint32Array.of(1, 2), buffers);
    expect(Array.from(buffers.mask!)).toEqual([1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1]);
    expect(mpeSimpleSpread.meta({}).masked).toBe(false);
  });

  it('refuses a goal that is not there, and speeds that do not fit', () => {
    const env = mpeSimplePush.create({}, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    const state = { ...env.meta.state.toJSON(env.save(0)), goal: 2 };
    expect(() => env.load(0, env.meta.state.fromJSON(state), buffers)).toThrow(/goal/);
    expect(() => mpeSimpleTag.meta({ adversarySpeeds: [1, 2] })).toThrow(/hunters/);
  });
});

describe('tag', () => {
  const paid = (preyPos: number[], hunterPos?: number[][]) =>
    (
      mpeSimpleTag.check('prey-reward-without-contact', {}, { preyPos, ...(hunterPos && { hunterPos }) }, {}) as unknown as {
        reward: number;
      }
    ).reward;
  const AWAY = [
    [-3, -3],
    [-3, -2],
    [-2, -3],
  ];

  it('a prey that nobody touches pays for leaving the square alone', () => {
    expect(paid([0.5, 0.5], AWAY)).toBeCloseTo(0, 12);
    expect(paid([0.95, 0], AWAY)).toBeCloseTo(-0.5, 12);
    expect(paid([1.5, -2.5], AWAY)).toBeCloseTo(-Math.exp(1) - 10, 9);
  });

  it('each hunter that touches it costs 10 more', () => {
    expect(
      paid(
        [0.5, 0.5],
        [
          [0.5, 0.6],
          [0.4, 0.5],
          [-3, -3],
        ],
      ),
    ).toBeCloseTo(-20, 12);
  });

  it('the rows of the golden file were taken while a hunter stood at (0.5, 0.5)', () => {
    expect(paid([0.5, 0.5])).toBe(-10);
    expect(paid([0.5, 0.7])).toBeCloseTo(0, 12);
  });
});

describe('the cheapest assignment', () => {
  it('is never worse than any other, and gives every job once', () => {
    let seed = 7;
    const random = () => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      return seed / 2 ** 32;
    };
    const cheapest = (cost: Float64Array, n: number, i = 0, taken = 0): number => {
      if (i === n) return 0;
      let best = Number.POSITIVE_INFINITY;
      for (let j = 0; j < n; j++)
        if ((taken & (1 << j)) === 0) best = Math.min(best, cost[i * n + j]! + cheapest(cost, n, i + 1, taken | (1 << j)));
      return best;
    };
    for (let n = 1; n <= 6; n++) {
      const matching = createMatching(n);
      const job = new Int32Array(n);
      for (let round = 0; round < 20; round++) {
        const cost = Float64Array.from({ length: n * n }, random);
        matching.solve(cost, job);
        expect(new Set(job).size).toBe(n);
        expect(job.reduce((sum, j, i) => sum + cost[i * n + j]!, 0)).toBeCloseTo(cheapest(cost, n), 12);
      }
    }
  });
});

describe('prey of habit', () => {
  const [NONE, LEFT, RIGHT, UP] = [0, 1, 2, 4];
  const config = { adversaries: 1, obstacles: 0 };
  const WEST = [-0.5196, -0.3]; // two of its three refuges
  const EAST = [0.5196, -0.3];

  function moves(habit: string, place: readonly number[], velocity: readonly number[], hunter: readonly number[]): number {
    const env = mpeSimpleTag.create(config, 1);
    const buffers = createBuffers(env.meta, 1);
    const actions = createActions(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    const state = env.meta.state.toJSON(env.save(0));
    const next = { ...state, agentPos: [[...hunter], [...place]], agentVel: [[0, 0], [...velocity]] };
    env.load(0, env.meta.state.fromJSON(next), buffers);
    mpeSimpleTag.policies(config)[habit]!.act(env, buffers, actions);
    return actions[1]!;
  }

  it.each([
    ['prey-circles-left', WEST, RIGHT],
    ['prey-circles-right', WEST, UP],
    ['prey-shuttles', WEST, UP],
    ['prey-circles-left', EAST, UP],
    ['prey-circles-right', EAST, LEFT],
    ['prey-shuttles', EAST, UP],
  ])('%s, frightened at %j, goes the way of its habit; with the hunter far away it rests', (habit, place, action) => {
    expect(moves(habit, place, [0, 0], [place[0]!, place[1]! - 0.3])).toBe(action);
    expect(moves(habit, place, [0, 0], [0, 0.9])).toBe(NONE);
  });

  it('once it runs it looks at no hunter', () => {
    expect(moves('prey-circles-left', [0, -0.3], [0.8, 0], [0.2, -0.3])).toBe(RIGHT);
    expect(moves('prey-circles-left', [0, -0.3], [-0.8, 0], [-0.2, -0.3])).toBe(LEFT);
  });

  it('hunters hunt as ever: their own part of the policy is that of "scripted"', () => {
    const [env, other] = [mpeSimpleTag.create({}, 2), mpeSimpleTag.create({}, 2)];
    const [a, b] = [createBuffers(env.meta, 2), createBuffers(other.meta, 2)];
    const [one, two] = [createActions(env.meta, 2), createActions(env.meta, 2)];
    env.reset(Uint32Array.of(1, 2), a);
    other.reset(Uint32Array.of(1, 2), b);
    mpeSimpleTag.policies({}).scripted!.act(env, a, one);
    mpeSimpleTag.policies({})['prey-shuttles']!.act(other, b, two);
    expect([0, 1, 2, 4, 5, 6].map((i) => two[i])).toEqual([0, 1, 2, 4, 5, 6].map((i) => one[i]));
  });
});
