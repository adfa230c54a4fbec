import { describe, expect, it } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { Rng } from '#math/rng.ts';
import { createBuffers } from '../../api/buffers.ts';
import type { StepBuffers } from '../../api/types.ts';
import { minigridCustom } from '../minigrid-custom.ts';

const [LEFT, RIGHT, FORWARD, PICKUP, DROP, TOGGLE, DONE] = [0, 1, 2, 3, 4, 5, 6];

/** Plays from a state on a map; gives what happened at the last step. */
function play(
  layout: readonly string[],
  pose: readonly [number, number, number],
  endRule: JsonObject | null,
  actions: readonly number[],
  more: JsonObject = {},
) {
  const env = minigridCustom.create({ layout, endRule, maxSteps: 100 }, 1);
  const buffers = createBuffers(env.meta, 1);
  const state: JsonObject = { layout, agentPos: [pose[0], pose[1]], agentDir: pose[2], ...more };
  env.load(0, env.meta.state.fromJSON(state), buffers);
  let ended = 0;
  for (const action of actions) {
    if (ended > 0) throw new Error(`ended after ${ended}`);
    env.step(Int32Array.of(action), buffers);
    if (buffers.terminated[0] === 1) ended++;
  }
  return {
    outcome: buffers.terminated[0] === 0 ? 'goes on' : buffers.reward[0]! > 0 ? 'success' : 'failure',
    reward: buffers.reward[0]!,
    state: env.meta.state.toJSON(env.save(0)),
  };
}

const room = (rows: readonly string[]): string[] => ['WE WE WE WE WE WE', ...rows.map((row) => `WE ${row} WE`), 'WE WE WE WE WE WE'];

describe('end rules', () => {
  it('goal: reward shrinks with the steps; lava ends with nothing', () => {
    const map = room(['.. .. GG ..', 'VR .. .. ..']);
    expect(play(map, [1, 1, 0], null, [FORWARD, FORWARD])).toMatchObject({ outcome: 'success', reward: Math.fround(1 - 0.9 * 0.02) });
    expect(play(map, [1, 1, 1], null, [FORWARD])).toMatchObject({ outcome: 'failure', reward: 0 });
    expect(play(map, [1, 1, 1], { type: 'none' }, [FORWARD]).outcome).toBe('failure');
    expect(play(map, [1, 1, 0], { type: 'none' }, [FORWARD, FORWARD]).outcome).toBe('goes on');
  });

  it('open-door: only a toggle that leaves it open', () => {
    const map = room(['.. DR .. ..', '.. .. .. ..']);
    const rule = { type: 'open-door', door: [2, 1] };
    expect(play(map, [1, 1, 0], rule, [DONE]).outcome).toBe('goes on');
    expect(play(map, [1, 1, 0], rule, [TOGGLE]).outcome).toBe('success');
    expect(play(map, [1, 1, 0], rule, [PICKUP]).outcome).toBe('goes on');
  });

  it('a locked door needs the key of its colour, which stays in hand', () => {
    const map = room(['.. LB .. ..', '.. .. .. ..']);
    const rule = { type: 'open-door', door: { pos: [2, 1] } };
    expect(play(map, [1, 1, 0], rule, [TOGGLE]).outcome).toBe('goes on');
    expect(play(map, [1, 1, 0], rule, [TOGGLE], { carrying: 'KR' }).outcome).toBe('goes on');
    const opened = play(map, [1, 1, 0], rule, [TOGGLE], { carrying: 'KB' });
    expect(opened).toMatchObject({ outcome: 'success', state: { carrying: 'KB' } });
    expect((opened.state.layout as string[])[1]).toBe('WE .. OB .. .. WE');
  });

  it('pickup: that very thing, wherever it was carried in between', () => {
    const map = room(['.. AB .. ..', '.. AB .. ..']);
    const rule = { type: 'pickup', object: { pos: [2, 1] } };
    expect(play(map, [1, 2, 0], rule, [PICKUP]).outcome).toBe('goes on');
    expect(play(map, [1, 1, 0], rule, [PICKUP]).outcome).toBe('success');
    expect(play(map, [1, 1, 0], { type: 'none' }, [PICKUP, RIGHT, RIGHT, LEFT, LEFT, DROP]).state).toMatchObject({ origins: [] });
  });

  it('fetch: kind and colour decide', () => {
    const map = room(['.. AB .. ..', '.. AR .. ..']);
    const rule = { type: 'fetch', object: { type: 'ball', color: 'blue' } };
    expect(play(map, [1, 1, 0], rule, [PICKUP]).outcome).toBe('success');
    expect(play(map, [1, 2, 0], rule, [PICKUP]).outcome).toBe('failure');
    expect(play(map, [1, 1, 1], rule, [PICKUP]).outcome).toBe('goes on');
  });

  it('done-next-to: done beside it, never a toggle', () => {
    const map = ['WE WE DR WE', 'WE .. .. WE', 'WE .. .. WE', 'WE WE WE WE'];
    const rule = { type: 'done-next-to', object: { pos: [2, 0] } };
    expect(play(map, [2, 1, 3], rule, [DONE]).outcome).toBe('success');
    expect(play(map, [1, 1, 3], rule, [DONE]).outcome).toBe('failure');
    expect(play(map, [2, 1, 1], rule, [TOGGLE]).outcome).toBe('failure');
    expect(play(map, [2, 1, 1], rule, [LEFT]).outcome).toBe('goes on');
  });

  it('open-in-order', () => {
    const map = ['WE WE WE WE', 'DR .. .. DB', 'WE WE WE WE'];
    const rule = { type: 'open-in-order', first: { pos: [0, 1] }, second: { pos: [3, 1] } };
    expect(play(map, [1, 1, 2], rule, [TOGGLE]).outcome).toBe('goes on');
    expect(play(map, [2, 1, 0], rule, [TOGGLE]).outcome).toBe('failure');
    expect(play(map, [1, 1, 2], rule, [TOGGLE, LEFT, LEFT, FORWARD, TOGGLE]).outcome).toBe('success');
  });

  it('put-near: the right thing, near the right place', () => {
    const map = room(['.. AB .. KR', '.. .. .. ..', '.. .. .. ..', '.. AG .. ..']);
    const rule = { type: 'put-near', move: { pos: [2, 1] }, target: { pos: [4, 1] } };
    expect(play(map, [1, 1, 0], rule, [PICKUP]).outcome).toBe('goes on');
    expect(play(map, [1, 1, 0], rule, [PICKUP, FORWARD, DROP]).outcome).toBe('success');
    expect(play(map, [1, 1, 0], rule, [PICKUP, DROP]).outcome).toBe('failure');
    expect(play(map, [1, 4, 0], rule, [PICKUP]).outcome).toBe('failure');
    expect(play(map, [1, 1, 0], rule, [DROP]).outcome).toBe('goes on');
    // with the way blocked nothing is dropped, but the attempt ends the episode
    expect(play(map, [1, 1, 0], rule, [PICKUP, LEFT, DROP]).outcome).toBe('failure');
  });

  it('reach: pickup acts as toggle', () => {
    const map = room(['.. .. .. ..', '.. DR AB ..']);
    const rule = { type: 'reach', success: [4, 1], failure: [1, 2] };
    expect(play(map, [3, 1, 0], rule, [FORWARD]).outcome).toBe('success');
    expect(play(map, [1, 1, 1], rule, [FORWARD]).outcome).toBe('failure');
    expect(play(map, [2, 1, 1], rule, [PICKUP])).toMatchObject({
      state: { layout: ['WE WE WE WE WE WE', 'WE .. .. .. .. WE', 'WE .. OR AB .. WE', 'WE WE WE WE WE WE'] },
    });
    expect(play(map, [3, 1, 1], rule, [PICKUP]).state).toMatchObject({ carrying: null });
  });

  it('says what is wrong with a rule', () => {
    const map = room(['.. .. .. ..']);
    for (const rule of [
      { type: 'win' },
      { type: 'reach', success: [9, 9], failure: null },
      { type: 'pickup' },
      { type: 'goal', colour: 1 },
      { type: 'fetch', object: { pos: [1, 1] } },
    ] as JsonObject[])
      expect(() => minigridCustom.meta({ layout: map, endRule: rule }), JSON.stringify(rule)).toThrow(LabError);
  });
});

describe('instructions', () => {
  const ball = { type: 'ball', color: 'blue' };
  const babyai = (instruction: Json) => ({ type: 'babyai', instruction });
  const map = room(['.. .. AB ..', '.. .. .. ..', '.. DG KR ..']);

  it('go-to is facing it, with it not in hand', () => {
    expect(play(map, [1, 1, 0], babyai({ type: 'go-to', object: ball }), [FORWARD]).outcome).toBe('success');
    expect(play(map, [1, 1, 0], babyai({ type: 'go-to', object: { ...ball, color: 'red' } }), [FORWARD]).outcome).toBe('goes on');
  });

  it('open, pickup, put-next', () => {
    expect(play(map, [1, 3, 0], babyai({ type: 'open', object: { type: 'door' } }), [TOGGLE]).outcome).toBe('success');
    expect(play(map, [2, 1, 0], babyai({ type: 'pickup', object: ball }), [PICKUP]).outcome).toBe('success');
    expect(play(map, [2, 1, 0], babyai({ type: 'pickup', object: { type: 'key' } }), [PICKUP]).outcome).toBe('goes on');
    const put = babyai({ type: 'put-next', move: ball, fixed: { type: 'key' } });
    // carry the ball down and drop it above the key
    expect(play(map, [2, 1, 0], put, [PICKUP, DROP]).outcome).toBe('goes on');
    expect(play(map, [2, 1, 0], put, [PICKUP, RIGHT, FORWARD, LEFT, DROP]).outcome).toBe('success');
  });

  it('locations are seen from the start pose, inside the start room', () => {
    const twoBalls = room(['AB .. .. AB', '.. .. .. ..']);
    const where = (location: string) => babyai({ type: 'go-to', object: { ...ball, location } });
    expect(play(twoBalls, [2, 1, 0], where('front'), [FORWARD]).outcome).toBe('success');
    expect(play(twoBalls, [2, 1, 0], where('behind'), [FORWARD]).outcome).toBe('goes on');
    expect(play(twoBalls, [2, 1, 0], where('behind'), [LEFT, LEFT]).outcome).toBe('success');
    expect(play(twoBalls, [2, 1, 3], where('right'), [RIGHT, FORWARD]).outcome).toBe('success');
    expect(play(twoBalls, [2, 1, 3], where('left'), [LEFT]).outcome).toBe('success');
    const behindDoor = ['WE WE WE WE WE', 'WE .. OG AB WE', 'WE WE WE WE WE'];
    expect(play(behindDoor, [1, 1, 0], where('front'), [FORWARD]).outcome).toBe('goes on');
  });

  it('and in any order, before and after in theirs', () => {
    const goBall = { type: 'go-to', object: ball };
    const goDoor = { type: 'go-to', object: { type: 'door' } };
    // from (2, 1): looking right meets the ball, going one down meets the door
    const doorOnly = [FORWARD];
    const start = [2, 1, 1] as const;
    expect(play(map, start, babyai({ type: 'and', first: goBall, second: goDoor }), doorOnly).outcome).toBe('goes on');
    const doorThenBall = [FORWARD, LEFT, LEFT, FORWARD, RIGHT];
    expect(play(map, start, babyai({ type: 'and', first: goBall, second: goDoor }), doorThenBall).outcome).toBe('success');
    expect(play(map, start, babyai({ type: 'before', first: goBall, second: goDoor }), doorThenBall).outcome).toBe('goes on');
    expect(play(map, start, babyai({ type: 'before', first: goDoor, second: goBall }), doorThenBall).outcome).toBe('success');
    expect(play(map, start, babyai({ type: 'after', first: goBall, second: goDoor }), doorThenBall).outcome).toBe('success');
    expect(play(map, start, babyai({ type: 'before', first: goBall, second: goDoor }), [LEFT, RIGHT, FORWARD]).outcome).toBe('success');
  });

  it('remembers what is done over a saved state', () => {
    const goBall = { type: 'go-to', object: ball };
    const goDoor = { type: 'go-to', object: { type: 'door' } };
    const rule = babyai({ type: 'before', first: goBall, second: goDoor });
    const half = play(map, [2, 1, 1], rule, [LEFT]);
    expect(half.state.progress).not.toBe(0);
    const { agentPos, agentDir, layout, ...rest } = half.state;
    const [x, y] = agentPos as readonly [number, number];
    expect(play(layout as string[], [x, y, agentDir as number], rule, [RIGHT, FORWARD], rest).outcome).toBe('success');
  });
});

describe('observations', () => {
  it('are the same whether the caller keeps one buffer or changes between two', () => {
    const make = () => minigridCustom.create({}, 4);
    const [one, two] = [make(), make()];
    const kept = createBuffers(one.meta, 4);
    const pair = [createBuffers(two.meta, 4), createBuffers(two.meta, 4)] as const;
    one.reset(Uint32Array.of(1, 2, 3, 4), kept);
    two.reset(Uint32Array.of(1, 2, 3, 4), pair[0]);
    const rng = Rng.from(3);
    for (let t = 0; t < 200; t++) {
      const actions = Int32Array.from({ length: 4 }, () => rng.int(7));
      const out = pair[rng.int(2)] as StepBuffers;
      one.step(actions, kept);
      two.step(actions, out);
      if (t % 50 === 49) {
        one.restart(Uint8Array.of(0, 1, 0, 0), kept);
        two.restart(Uint8Array.of(0, 1, 0, 0), out);
      }
      expect(Array.from(out.obs)).toEqual(Array.from(kept.obs));
    }
  });
});

describe('things', () => {
  it('a box hides its content', () => {
    const map = room(['.. BR .. ..']);
    const boxes = [{ pos: [2, 1], content: 'KG' }];
    const opened = play(map, [1, 1, 0], { type: 'none' }, [TOGGLE], { boxes });
    expect((opened.state.layout as string[])[1]).toBe('WE .. KG .. .. WE');
    const carried = play(map, [1, 1, 0], { type: 'none' }, [PICKUP], { boxes });
    expect(carried.state).toMatchObject({ carrying: 'BR', boxes: [{ pos: null, content: 'KG' }] });
  });

  it('a map without outer walls ends at its edge', () => {
    const open = ['.. .. ..', '.. .. ..', '.. .. ..'];
    expect(play(open, [0, 0, 2], { type: 'none' }, [FORWARD, PICKUP, DROP, TOGGLE]).state).toMatchObject({ agentPos: [0, 0] });
  });

  it('a map of one’s own starts where it says, or anywhere free', () => {
    const layout = room(['.. .. GG ..', 'WE WE .. ..']);
    const env = minigridCustom.create({ layout, start: [3, 2, 3] }, 3);
    const buffers = createBuffers(env.meta, 3);
    env.reset(Uint32Array.of(1, 2, 3), buffers);
    expect(env.meta.state.toJSON(env.save(2))).toMatchObject({ layout, agentPos: [3, 2], agentDir: 3 });
    const anywhere = minigridCustom.create({ layout }, 40);
    const many = createBuffers(anywhere.meta, 40);
    anywhere.reset(
      Uint32Array.from({ length: 40 }, (_, i) => i),
      many,
    );
    const cells = new Set(Array.from({ length: 40 }, (_, row) => anywhere.cellOf?.(row)));
    expect(cells).toEqual(new Set([7, 8, 10, 15, 16]));
  });

  it('broken maps are refused with the place', () => {
    for (const [config, where] of [
      [{ layout: ['WE WE WE', 'WE ..', 'WE WE WE'] }, /Row 1/],
      [{ layout: ['WE WE WE', 'WE QQ WE', 'WE WE WE'] }, /"QQ" in row 1/],
      [{ layout: ['WE WE WE', 'WE .. WE', 'WE WE WE'], start: [0, 0, 0] }, /start/],
      [{ start: [1, 1, 0] }, /start/],
      [{ layout: [] }, /layout/],
      [{ viewSize: 4 }, /odd/],
    ] as const)
      expect(() => minigridCustom.create(config, 1)).toThrow(where);
  });
});
