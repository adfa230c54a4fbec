import { describe, expect, it } from 'vitest';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import { misfit } from '#core/testing/chi-square.ts';
import { DRAWS } from '../../../../../../tools/nightly.ts';
import { predatorPrey } from '../../predator-prey.ts';

const [RIGHT, DOWN, LEFT, STAY, CATCH] = [0, 1, 2, 4, 5];

function hunt(config: object, predators: readonly (readonly number[])[], prey: readonly (readonly number[])[]) {
  const complete = { size: [5, 5], predators: predators.length, prey: prey.length, preyRests: 1, ...config };
  const env = predatorPrey.create(complete, 1);
  const buffers = createBuffers(env.meta, 1);
  const load = (seed = 1) => env.load(0, env.meta.state.fromJSON({ predators, prey, rng: [seed, 0, 0, 0] } as never), buffers);
  load();
  return {
    env,
    buffers,
    load,
    step(...actions: readonly number[]) {
      env.step(Int32Array.from(actions), buffers);
      return buffers.reward[0];
    },
    json: () =>
      env.meta.state.toJSON(env.save(0)) as unknown as { predators: number[][]; prey: number[][]; left: number[]; caught: number[] },
    mask: (agent: number) => Array.from(buffers.mask?.subarray(agent * env.meta.actionCount, (agent + 1) * env.meta.actionCount) ?? []),
  };
}

describe('predator-prey', () => {
  it('two neighbours who catch get 10 for all, and leave', () => {
    const w = hunt(
      {},
      [
        [2, 1],
        [2, 3],
        [0, 0],
      ],
      [
        [2, 2],
        [4, 4],
      ],
    );
    expect(w.step(CATCH, CATCH, STAY)).toBe(10);
    expect(Array.from(w.buffers.reward)).toEqual([10, 10, 10]);
    expect(w.json()).toMatchObject({ left: [1, 1, 0], caught: [1, 0] });
    expect(Array.from(w.buffers.alive ?? [])).toEqual([0, 0, 1]);
    expect(w.mask(0)).toEqual([0, 0, 0, 0, 1, 0]);
    expect(w.buffers.terminated[0]).toBe(0);
  });

  it('one alone costs all the penalty, once per prey', () => {
    const w = hunt(
      { missPenalty: 1.5 },
      [
        [2, 1],
        [0, 0],
      ],
      [
        [2, 2],
        [3, 1],
      ],
    );
    expect(w.step(CATCH, STAY)).toBe(-3);
    expect(w.json().caught).toEqual([0, 0]);
  });

  it('who only stands beside does not count, nor does catching from a corner', () => {
    const w = hunt(
      { missPenalty: 1 },
      [
        [2, 1],
        [2, 3],
        [1, 1],
      ],
      [[2, 2]],
    );
    expect(w.step(CATCH, STAY, CATCH)).toBe(-1);
  });

  it('ends when no prey is left, or no predator', () => {
    const all = hunt(
      {},
      [
        [2, 1],
        [2, 3],
        [0, 0],
      ],
      [[2, 2]],
    );
    all.step(CATCH, CATCH, STAY);
    expect(all.buffers.terminated[0]).toBe(1);
    const none = hunt(
      {},
      [
        [2, 1],
        [2, 3],
      ],
      [
        [2, 2],
        [4, 4],
      ],
    );
    none.step(CATCH, CATCH);
    expect(none.buffers.terminated[0]).toBe(1);
    const stays = hunt(
      { captorsLeave: false },
      [
        [2, 1],
        [2, 3],
      ],
      [
        [2, 2],
        [4, 4],
      ],
    );
    stays.step(CATCH, CATCH);
    expect(stays.buffers.terminated[0]).toBe(0);
  });

  it('captors of one prey are gone for the next', () => {
    // both stand beside both prey, but a team captures only one
    const w = hunt(
      { missPenalty: 1 },
      [
        [2, 1],
        [1, 2],
      ],
      [
        [1, 1],
        [2, 2],
      ],
    );
    expect(w.step(CATCH, CATCH)).toBe(10);
    expect(w.json().caught.reduce((a, b) => a + b, 0)).toBe(1);
  });

  it('predators enter free cells only, and stay within the field', () => {
    const w = hunt(
      {},
      [
        [2, 1],
        [0, 4],
      ],
      [[2, 2]],
    );
    w.step(RIGHT, RIGHT);
    expect(w.json().predators).toEqual([
      [2, 1],
      [0, 4],
    ]);
    expect(w.mask(1)).toEqual([0, 1, 1, 0, 1, 0]);
    expect(w.mask(0)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('on a torus one leaves on the other side, and catches across the edge', () => {
    const w = hunt(
      { torus: true },
      [
        [0, 4],
        [4, 0],
        [0, 1],
      ],
      [[0, 0]],
    );
    expect(w.mask(0)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(w.step(CATCH, CATCH, STAY)).toBe(10);
    const walk = hunt({ torus: true }, [[0, 4]], [[2, 2]]);
    walk.step(RIGHT);
    expect(walk.json().predators).toEqual([[0, 0]]);
  });

  it('surround: captured only when it cannot move', () => {
    const three = hunt(
      { capture: 'surround' },
      [
        [0, 1],
        [1, 0],
        [4, 4],
      ],
      [[0, 0]],
    );
    expect(three.step(STAY, STAY, STAY)).toBe(10);
    const two = hunt(
      { capture: 'surround' },
      [
        [1, 2],
        [2, 1],
        [3, 2],
      ],
      [[2, 2]],
    );
    expect(two.step(STAY, STAY, STAY)).toBe(0);
    expect(two.env.meta.actionCount).toBe(5);
  });

  it('sees predators, prey and walls around it', () => {
    const w = hunt(
      { viewRadius: 1 },
      [
        [0, 0],
        [4, 4],
      ],
      [[1, 1]],
    );
    const cells = Array.from({ length: 9 }, (_, i) => Array.from(w.buffers.obs.subarray(3 * i, 3 * i + 3)).join(''));
    expect(cells).toEqual(['001', '001', '001', '001', '100', '000', '001', '000', '010']);
  });

  it('walls of a map of one’s own block, and starts are where they are painted', () => {
    const map = ['PP...', '#####', '...QQ'];
    const env = predatorPrey.create({ map, predators: 2, prey: 2 }, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(3), buffers);
    const { predators, prey } = env.meta.state.toJSON(env.save(0)) as unknown as { predators: number[][]; prey: number[][] };
    expect(predators.map(([y]) => y)).toEqual([0, 0]);
    expect(prey.map(([y, x]) => [y, (x as number) >= 3])).toEqual([
      [2, true],
      [2, true],
    ]);
    expect(buffers.mask?.[DOWN]).toBe(0);
    expect(() => predatorPrey.meta({ map: ['###', '#.#', '###'] })).toThrow(/1 free cells for 16/);
  });

  it('prey takes each free way alike, and rests as often as told: chi-square over draws', () => {
    const w = hunt({ preyRests: 0.2 }, [[2, 1]], [[2, 2]]);
    const state = w.env.save(0);
    const words = new Uint32Array(state.buffer, 0, state.byteLength / 4);
    const prey = words.length - 4 - 1 - 1 - 1 - 2; // before left, caught, steps and the generator
    const ends = new Map<string, number>();
    for (let n = 0; n < DRAWS; n++) {
      words[words.length - 4] = n;
      w.env.load(0, state, w.buffers);
      w.step(STAY);
      const now = new Uint32Array(w.env.save(0).buffer);
      const end = `${now[prey]},${now[prey + 1]}`;
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    const expected: readonly (readonly [string, number])[] = [
      ['2,2', 0.2],
      ['1,2', 0.8 / 3],
      ['3,2', 0.8 / 3],
      ['2,3', 0.8 / 3],
    ];
    expect(ends.size).toBe(4);
    const counts = expected.map(([end]) => ends.get(end) ?? 0);
    const shares = expected.map(([, p]) => p);
    expect(misfit(counts, shares)).toBeLessThan(1);
  });

  it('of two predators who want a cell the first in a random order gets it, evenly', () => {
    const w = hunt(
      {},
      [
        [0, 0],
        [0, 2],
      ],
      [[4, 4]],
    );
    const state = w.env.save(0);
    const words = new Uint32Array(state.buffer, 0, state.byteLength / 4);
    let first = 0;
    for (let n = 0; n < DRAWS; n++) {
      words[words.length - 4] = n;
      w.env.load(0, state, w.buffers);
      w.step(RIGHT, LEFT);
      if (new Uint32Array(w.env.save(0).buffer)[3] === 1) first++;
    }
    expect(misfit([first, DRAWS - first])).toBeLessThan(1);
  });

  it('of two prey that can only go to one cell the first in a random order gets it, evenly', () => {
    const map = ['#####', '#Q.Q#', 'P####'];
    const env = predatorPrey.create({ map, predators: 1, prey: 2, preyRests: 0 }, 1);
    const buffers = createBuffers(env.meta, 1);
    const start = {
      predators: [[2, 0]],
      prey: [
        [1, 1],
        [1, 3],
      ],
    };
    const state = env.meta.state.fromJSON({ ...start, rng: [1, 0, 0, 0] });
    const words = new Uint32Array(state.buffer, 0, state.byteLength / 4);
    let first = 0;
    for (let n = 0; n < DRAWS; n++) {
      words[words.length - 4] = n;
      env.load(0, state, buffers);
      env.step(Int32Array.of(STAY), buffers);
      if (new Uint32Array(env.save(0).buffer)[5] === 2) first++; // its column: 1, if it stood still
    }
    expect(misfit([first, DRAWS - first])).toBeLessThan(1);
  });

  it('all start anywhere, never two on a cell: chi-square of 100,000 episodes', () => {
    const n = 1000;
    const env = predatorPrey.create({ size: [4, 5], predators: 1, prey: 1 }, n);
    const buffers = createBuffers(env.meta, n);
    const predators = new Array<number>(20).fill(0);
    const apart = new Array<number>(20).fill(0);
    env.reset(
      Uint32Array.from({ length: n }, (_, i) => i),
      buffers,
    );
    for (let round = 0; round < DRAWS / n; round++, env.restart(new Uint8Array(n).fill(1), buffers))
      for (let row = 0; row < n; row++) {
        const words = new Uint32Array(env.save(row).buffer);
        const [own, prey] = [words[2]! * 5 + words[3]!, words[4]! * 5 + words[5]!];
        predators[own]!++;
        apart[(prey - own + 20) % 20]!++;
      }
    expect(apart[0]).toBe(0);
    expect(misfit(predators)).toBeLessThan(1);
    expect(misfit(apart.slice(1))).toBeLessThan(1);
  });

  it('as told by default: 10 x 10 cells, 8 predators and 8 prey, views of 5 x 5, +10, no penalty, 200 steps', () => {
    const { meta } = predatorPrey.create({}, 1);
    expect([meta.agentCount, meta.maxSteps, meta.actionCount]).toEqual([8, 200, 6]);
    expect(meta.agents[0]?.obs).toMatchObject({ shape: [5, 5, 3] });
    expect(predatorPrey.parse({})).toMatchObject({ size: [10, 10], prey: 8, hunters: 2, catchReward: 10 });
    const w = hunt({ maxSteps: 2 }, [[0, 0]], [[4, 4]]);
    w.step(STAY);
    expect([w.buffers.truncated[0], w.buffers.terminated[0]]).toEqual([0, 0]);
    w.step(STAY);
    expect([w.buffers.truncated[0], w.buffers.terminated[0]]).toEqual([1, 0]);
  });

  it('the pack captures nearly all that eight can; loners pay for their tries', () => {
    const config = { missPenalty: 1.5 };
    const mean = (name: string) => {
      const env = predatorPrey.create(config, 10);
      const buffers = createBuffers(env.meta, 10);
      const actions = createActions(env.meta, 10);
      const policy = predatorPrey.policies(config)[name];
      const over = new Uint8Array(10);
      let sum = 0;
      env.reset(
        Uint32Array.from({ length: 10 }, (_, i) => i),
        buffers,
      );
      for (let t = 0; t < 200; t++) {
        policy?.act(env, buffers, actions);
        env.step(actions, buffers);
        for (let row = 0; row < 10; row++) {
          if (over[row] === 0) sum += buffers.reward[8 * row]!;
          if (buffers.terminated[row] === 1) over[row] = 1;
        }
      }
      return sum / 10;
    };
    expect(mean('pack')).toBeGreaterThan(36); // of 40: four pairs
    expect(mean('loners')).toBeLessThan(0);
  });
});
