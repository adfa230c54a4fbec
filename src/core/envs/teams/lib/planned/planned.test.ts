/** Plans of the kitchen: what is proposed, taken, refused and counted, worked out by hand; what errors cost. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import { plannedKitchen } from '../../planned-kitchen.ts';
import { ASIDE, FETCH_DISH, FETCH_ONION, FILL, LAY_DOWN, N, PLANS, SERVE, TAKE_SOUP } from './planner.ts';

const [TAKE, ASK] = [0, 1];

/** A kitchen whose planner draws what `wrong` says, in turn, and is right where it is empty. */
function kitchen(config: JsonObject, wrong: readonly number[] = []) {
  const queue = [...wrong];
  const draws = {
    uniform: (_row: number, name: string) => (name === 'whether the planner errs' ? (queue.length > 0 ? 0 : 1) : undefined),
    int: (_row: number, _n: number, name: string) => (name === 'wrong plan' ? queue.shift() : undefined),
  };
  const env = plannedKitchen.create({ error: 0.5, ...config }, 1, { draws });
  const buffers = createBuffers(env.meta, 1);
  const actions = createActions(env.meta, 1);
  env.reset(Uint32Array.of(7), buffers);
  const measured = new Float64Array(4);
  return {
    env,
    buffers,
    step(first: number, second: number) {
      actions.set([first, second]);
      env.step(actions, buffers);
    },
    state: () => env.meta.state.toJSON(env.save(0)) as unknown as { plans: number[][]; players: number[][]; objects: number[][] },
    measures() {
      env.measure?.(0, measured, 0);
      return [...measured];
    },
    load(change: (json: Record<string, unknown>) => void) {
      const json = env.meta.state.toJSON(env.save(0)) as Record<string, unknown>;
      change(json);
      env.load(0, env.meta.state.fromJSON(json as JsonObject), buffers);
    },
  };
}
const proposals = (plans: number[][]) => plans.map(([, , proposed = 0]) => proposed - 1);
const running = (plans: number[][]) => plans.map(([runs = 0]) => runs - 1);

/** Mean return of a cook, and soups for 100 queries, over episodes of a scripted policy. */
function played(error: number, policy: string, episodes = 40) {
  const env = plannedKitchen.create({ error }, episodes);
  const buffers = createBuffers(env.meta, episodes);
  const actions = createActions(env.meta, episodes);
  const script = plannedKitchen.policies({ error })[policy]!;
  env.reset(
    Uint32Array.from({ length: episodes }, (_, i) => 100 + i),
    buffers,
  );
  let sum = 0;
  while (buffers.truncated[0] === 0) {
    script.act(env, buffers, actions);
    env.step(actions, buffers);
    for (let row = 0; row < episodes; row++) sum += buffers.reward[2 * row]!;
  }
  return sum / episodes;
}

describe('a plan', () => {
  it('is proposed to both at the start: an onion each, and runs once it is taken', () => {
    const { step, state, measures, buffers } = kitchen({});
    expect(proposals(state().plans)).toEqual([FETCH_ONION, FETCH_ONION]);
    expect(measures()).toEqual([0, 2, 0, 0]);
    step(TAKE, TAKE);
    expect(running(state().plans)).toEqual([FETCH_ONION, FETCH_ONION]);
    expect([...(buffers.mask ?? [])]).toEqual([1, 0, 1, 0]);
    expect(state().plans[0]![1]).toBe(19);
  });

  it('that is refused costs its cook a step and another query; the other goes on', () => {
    const { step, state, measures } = kitchen({});
    const before = state().players;
    step(ASK, TAKE);
    expect(state().players[0]).toEqual(before[0]);
    expect(state().players[1]).not.toEqual(before[1]);
    expect(state().plans[0]).toEqual([0, 0, 1 + FETCH_ONION, 1 + FETCH_ONION, 0, 2, 0, 0, 0, 0, 0, 0]);
    expect(measures()).toEqual([0, 3, 0, 1 / 3]);
    step(TAKE, TAKE);
    expect(state().plans[0]!.slice(2, 5)).toEqual([0, 0, 0]);
  });

  it('that cannot be done takes all of its steps; the check refuses it, and the last query is taken', () => {
    const { step, state, env, buffers } = kitchen({ planSteps: 3, mostQueries: 2 }, [SERVE, ASIDE]);
    const place = state().players[0];
    const script = plannedKitchen.policies({ planSteps: 3, mostQueries: 2 })['takes-possible']!;
    const actions = createActions(env.meta, 1);
    script.act(env, buffers, actions);
    expect([...actions]).toEqual([ASK, TAKE]);
    step(TAKE, TAKE);
    step(TAKE, TAKE);
    expect(running(state().plans)).toEqual([SERVE, ASIDE]);
    step(TAKE, TAKE);
    expect(running(state().plans)[0]).toBe(-1);
    expect(state().players[0]).toEqual(place);
    step(ASK, TAKE);
    expect(buffers.mask?.[1]).toBe(0); // two proposals in a row
    step(ASK, TAKE);
    expect(running(state().plans)[0]).toBe(FETCH_ONION);
  });

  it('follows hands and pots', () => {
    const { load, step, state } = kitchen({ planSteps: 2 });
    // hands: an onion, a soup; a pot that cooks, so that nobody waits for the onion
    load((json) => {
      const players = json.players as number[][];
      players[0]![3] = 1;
      players[1]![3] = 16 + 12;
      for (const words of json.plans as number[][]) words.fill(0);
    });
    step(TAKE, TAKE);
    expect(proposals(state().plans)).toEqual([FILL, SERVE]);
    load((json) => {
      const players = json.players as number[][];
      players[0]![3] = 3;
      players[1]![3] = 3;
      for (const words of json.plans as number[][]) words.fill(0);
    });
    step(TAKE, TAKE);
    expect(proposals(state().plans)).toEqual([LAY_DOWN, LAY_DOWN]); // two dishes and an empty pot
    load((json) => {
      (json.ticks as number[][])[0]![3] = 5;
      (json.objects as number[][])[0]![3] = 16 + 12;
      (json.players as number[][])[1]![3] = 0;
      for (const words of json.plans as number[][]) words.fill(0);
    });
    step(TAKE, TAKE);
    expect(proposals(state().plans)[0]).toBe(TAKE_SOUP);
    expect(proposals(state().plans)[1]).not.toBe(FETCH_DISH); // one dish is enough for one pot
  });

  it('is seen: own first, what runs before what is proposed', () => {
    const { env, buffers, step } = kitchen({}, [FILL, SERVE]);
    const { base, names } = env.meta.plans!;
    expect(names).toEqual(PLANS);
    const at = (agent: number, slot: number) => {
      const from = agent * env.meta.obsSize + base + slot * N;
      return [...buffers.obs.subarray(from, from + N)].indexOf(1);
    };
    expect([at(0, 2), at(0, 3), at(1, 2), at(1, 3)]).toEqual([FILL, SERVE, SERVE, FILL]);
    step(TAKE, ASK);
    expect([at(0, 0), at(0, 2), at(1, 0), at(1, 1)]).toEqual([FILL, -1, -1, FILL]);
  });

  it('is crossed out in the picture of the step that refuses it', () => {
    const { env, step } = kitchen({}, [SERVE, ASIDE]);
    const frame = new Float32Array(3 * 25 + 12 + 8);
    step(ASK, TAKE);
    env.frame(0, frame);
    const [message, x, y, crossed] = frame.subarray(87, 91);
    expect(crossed).toBe(22); // the serving tile, bottom row
    expect(message).toBe(N + FETCH_ONION);
    expect(x! + 5 * y!).not.toBe(22);
  });
});

describe('errors', () => {
  it('at three in ten cost a team that takes every plan two fifths of its soups; a check and a rule that knows give most of them back', () => {
    const none = played(0, 'takes-all');
    const all = played(0.3, 'takes-all');
    expect(all).toBeLessThan(0.6 * none);
    expect(played(0.3, 'takes-possible')).toBeGreaterThan(1.3 * all);
    expect(played(0.3, 'takes-right')).toBeGreaterThan(played(0.3, 'takes-possible'));
  }, 60_000);

  it('without errors a check refuses nothing: the control', () => {
    expect(played(0, 'takes-possible', 5)).toBe(played(0, 'takes-all', 5));
  });
});
