/** The rules of MinAtar's seaquest.py (4241f24), `act` and `_surface`, on states made by hand. */
import { expect, it } from 'vitest';
import { createBuffers } from '../../api/buffers.ts';
import { minatarSeaquest } from '../minatar-seaquest.ts';

const [NONE, UP, DOWN] = [0, 2, 4];
const LISTS = { ownBullets: 8, enemyBullets: 96, fish: 64, subs: 64, divers: 16 };
type Thing = readonly [x: number, y: number, right: number, move: number, shot: number];

/** A game with nothing on the board but what is given. */
function world(state: { [scalar: string]: number }, things: { readonly [list in keyof typeof LISTS]?: readonly Thing[] } = {}) {
  const env = minatarSeaquest.create({ stickyActionProbability: 0 }, 1);
  const buffers = createBuffers(env.meta, 1);
  const lists = Object.entries(LISTS).map(([name, room]) => {
    const given = things[name as keyof typeof LISTS] ?? [];
    return [name, [...given, ...Array.from({ length: room - given.length }, () => [0, 0, 0, 0, 0])]] as const;
  });
  const json = {
    ...{ oxygen: 200, diverCount: 0, subX: 2, subY: 4, facesRight: 1, spawnSpeed: 20, spawnTimer: 19, diverTimer: 29, moveSpeed: 5 },
    ...{
      rampIndex: 0,
      shotTimer: 0,
      surface: 0,
      counts: Object.keys(LISTS).map((name) => (things[name as keyof typeof LISTS] ?? []).length),
    },
    ...state,
    ...Object.fromEntries(lists),
  };
  env.load(0, env.meta.state.fromJSON(json), buffers);
  return {
    buffers,
    state: () => env.meta.state.toJSON(env.save(0)) as { readonly [field: string]: number & number[] },
    step(action: number) {
      env.step(Int32Array.of(action), buffers);
      return { reward: buffers.reward[0], terminated: buffers.terminated[0] };
    },
    /** Cells of a channel that are set. */
    shown: (channel: number) => buffers.obs.filter((x, i) => i % 10 === channel && x > 0).length,
  };
}

it('an enemy that moves onto an own bullet is hit', () => {
  // the bullet goes 3 -> 4, the fish 5 -> 4
  const fish = world({}, { ownBullets: [[3, 4, 1, 0, 0]], fish: [[5, 4, 0, 0, 0]] });
  expect(fish.step(NONE)).toEqual({ reward: 1, terminated: 0 });
  expect(fish.state().counts).toEqual([0, 0, 0, 0, 0]);
});

it('a submarine that is hit so still shoots if its timer is up', () => {
  const sub = world({}, { ownBullets: [[3, 4, 1, 0, 0]], subs: [[5, 4, 0, 0, 0]] });
  expect(sub.step(NONE)).toEqual({ reward: 1, terminated: 0 });
  expect(sub.state().counts).toEqual([0, 1, 0, 0, 0]);
  const later = world({}, { ownBullets: [[3, 4, 1, 0, 0]], subs: [[5, 4, 0, 0, 3]] });
  expect(later.step(NONE).reward).toBe(1);
  expect(later.state().counts).toEqual([0, 0, 0, 0, 0]);
});

it.each([0, 1, 2, 7])('with %i units of oxygen left the step that ends the game is one more', (left) => {
  const deep = world({ oxygen: left });
  for (let step = 1; step <= left; step++) expect(deep.step(NONE).terminated).toBe(0);
  expect(deep.step(NONE).terminated).toBe(1);
});

it('six divers brought up leave a count of -1: the next surfacing needs none, the next diver fills nothing', () => {
  const six = () => {
    const w = world({ diverCount: 6, subY: 1 });
    expect(w.step(UP)).toEqual({ reward: 10, terminated: 0 });
    expect(w.state().diverCount).toBe(-1);
    expect(w.shown(8)).toBe(0);
    return w;
  };
  const again = six();
  again.step(DOWN);
  expect(again.step(UP)).toEqual({ reward: 0, terminated: 0 });
  expect(again.state().diverCount).toBe(-2);

  const env = world({ diverCount: -1, subY: 3 }, { divers: [[2, 3, 1, 5, 0]] });
  env.step(NONE);
  expect(env.state().diverCount).toBe(0);
  expect(env.shown(8)).toBe(0);
  for (let k = 0; k < 2; k++) expect(env.step(UP).terminated).toBe(0);
  expect(env.step(UP).terminated).toBe(1); // none on board
});
