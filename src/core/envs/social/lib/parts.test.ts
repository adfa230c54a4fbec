import { describe, expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { CLEANING, shoot, TAGGING } from './beam.ts';
import { moveAll } from './crowd.ts';
import { moveTowards, readGround } from './ground.ts';
import { socialMetrics } from './metrics.ts';
import { APPLE_HERE, type Beam, WASTE_HERE } from './rules.ts';
import { APPLE, FIRED, Views, WALL } from './view.ts';

describe('moving together', () => {
  const move = (cells: number, at: readonly number[], wants: readonly number[], draw: (n: number) => number = () => 0) => {
    const stands = new Int32Array(cells);
    at.forEach((cell, i) => {
      if (cell >= 0) stands[cell] = i + 1;
    });
    const crowd = { at: Int32Array.from(at), wants: Int32Array.from(wants), stands, seen: new Uint8Array(cells) };
    moveAll(crowd, draw);
    expect(crowd.seen.every((x) => x === 0)).toBe(true);
    crowd.at.forEach((cell, i) => {
      if (cell >= 0) expect(stands[cell]).toBe(i + 1);
    });
    return Array.from(crowd.at);
  };

  it('lets a line follow and a ring turn', () => {
    expect(move(5, [0, 1, 2], [1, 2, 3])).toEqual([1, 2, 3]);
    expect(move(4, [0, 1, 2, 3], [1, 2, 3, 0])).toEqual([1, 2, 3, 0]);
  });

  it('stops a line whose head stays, and two who would swap', () => {
    expect(move(5, [0, 1, 2], [1, 2, 2])).toEqual([0, 1, 2]);
    expect(move(5, [1, 2], [2, 1])).toEqual([1, 2]);
    expect(move(5, [0, 1, 2], [1, 2, 1])).toEqual([0, 1, 2]);
  });

  it('gives a cell to one of those who want it, and none gets it while an agent stays there', () => {
    expect(move(5, [0, 2], [1, 1], () => 0)).toEqual([1, 2]);
    expect(move(5, [0, 2], [1, 1], () => 1)).toEqual([0, 1]);
    expect(move(5, [0, 1, 2], [1, 1, 1])).toEqual([0, 1, 2]);
  });

  it('does not count who is out of the game', () => {
    expect(move(5, [-1, 2], [1, 1])).toEqual([-1, 1]);
  });

  it('draws the winner evenly: chi-square of 30,000 contests of three', () => {
    const rng = Rng.from(1);
    const wins = [0, 0, 0];
    for (let n = 0; n < 30_000; n++) {
      const to = move(7, [0, 2, 4], [3, 3, 3], (k) => rng.int(k)).indexOf(3);
      wins[to] = wins[to]! + 1;
    }
    const expected = 10_000;
    const chi = wins.reduce((sum, w) => sum + (w - expected) ** 2 / expected, 0);
    expect(chi).toBeLessThan(13.8); // 2 degrees of freedom, p = 0.001
  });
});

describe('beams', () => {
  const beam: Beam = { length: 5, width: 3, cost: 0, penalty: 0, hits: 1, timeout: 0, cooldown: 0 };
  const open = ['#########', ...Array.from({ length: 8 }, () => '#.......#'), '####P####'];
  /** Fires from row 8, column 4 of a room of 10 x 9; returns the beam as [row, column] and who was hit. */
  const fire = (
    heading: number,
    kind: number,
    others: readonly (readonly [number, number])[],
    waste: readonly (readonly [number, number])[] = [],
  ) => {
    const ground = readGround(open, 1);
    const stands = new Int32Array(ground.cells);
    others.forEach(([y, x], i) => {
      stands[y * 9 + x] = i + 2;
    });
    const words = new Uint32Array(2 * ground.cells);
    for (const [y, x] of waste) words[y * 9 + x] = WASTE_HERE;
    const hit = new Int32Array(3);
    const cleaned = shoot(ground, 6 * 9 + 4, heading, beam, kind, { stands, words, things: 0, beams: ground.cells }, hit);
    const cells: string[] = [];
    words.subarray(ground.cells).forEach((b, cell) => {
      if (b > 0) cells.push(`${Math.floor(cell / 9)},${cell % 9}`);
    });
    return { cells, hit: Array.from(hit), cleaned, waste: waste.map(([y, x]) => words[y * 9 + x]) };
  };

  it('reach five cells ahead; the lanes beside begin beside the shooter', () => {
    const { cells } = fire(0, TAGGING, []);
    expect(cells).toEqual(['1,4', '2,3', '2,4', '2,5', '3,3', '3,4', '3,5', '4,3', '4,4', '4,5', '5,3', '5,4', '5,5', '6,3', '6,5']);
  });

  it('turn with the shooter and stop before walls', () => {
    expect(fire(1, TAGGING, []).cells).toEqual(['5,4', '5,5', '5,6', '5,7', '6,5', '6,6', '6,7', '7,4', '7,5', '7,6', '7,7']);
    expect(fire(2, TAGGING, []).cells).toEqual(['6,3', '6,5', '7,3', '7,4', '7,5', '8,3', '8,4', '8,5', '9,4']);
  });

  it('hit the first agent of each lane and no further one', () => {
    const { hit, cells } = fire(0, TAGGING, [
      [4, 4],
      [2, 4],
      [6, 5],
    ]);
    expect(hit).toEqual([1, 3, -1]);
    expect(cells).toContain('4,4');
    expect(cells).not.toContain('3,4');
    expect(cells).not.toContain('5,5');
  });

  it('clean the first waste of each lane, even under an agent, and stop there', () => {
    const { cleaned, waste } = fire(
      0,
      CLEANING,
      [[5, 3]],
      [
        [4, 4],
        [3, 4],
        [5, 5],
        [5, 3],
        [4, 3],
      ],
    );
    expect(cleaned).toBe(3);
    expect(waste).toEqual([0, WASTE_HERE, 0, 0, WASTE_HERE]);
  });

  it('leave waste alone when they tag', () => {
    expect(fire(0, TAGGING, [], [[4, 4]]).waste).toEqual([WASTE_HERE]);
  });
});

describe('views', () => {
  const window = { ahead: 2, behind: 1, side: 1, colours: false, layers: [WALL, APPLE, FIRED], windows: 1 };
  // 3 x 3, an apple north of the middle and another agent east of it
  const see = (heading: number, colours = false) => {
    const mixes = Uint16Array.of(0, APPLE, 0, FIRED, FIRED | APPLE, FIRED, 0, APPLE, 0, FIRED, FIRED | APPLE, FIRED);
    const views = new Views(3, 3, { ...window, colours }, new Uint16Array(9), mixes);
    const words = new Uint32Array(18); // things, then beams
    words[1] = APPLE_HERE;
    views.lay(words, 0, 9);
    views.stand(4, 0);
    views.stand(5, 1);
    const out = new Float32Array(views.size);
    views.write(4, heading, out, 0);
    return Array.from({ length: 12 }, (_, i) => Array.from(out.subarray(i * views.channels, (i + 1) * views.channels)));
  };
  const [NOTHING, OUTSIDE, FOOD, OTHER] = [
    [0, 0, 0, 0],
    [1, 0, 0, 0],
    [0, 1, 0, 0],
    [0, 0, 0, 1],
  ];

  it('have ahead on top: what lies outside is wall, the agent itself is not shown', () => {
    expect(see(0)).toEqual([OUTSIDE, OUTSIDE, OUTSIDE, NOTHING, FOOD, NOTHING, NOTHING, NOTHING, OTHER, NOTHING, NOTHING, NOTHING]);
  });

  // the agent is cell 7 of 12: 4 ahead, 6 left, 8 right, 10 behind
  it.each([
    ['right', 1, 4, 6],
    ['down', 2, 6, 10],
    ['left', 3, 10, 8],
  ])('turn when the agent looks %s', (_, heading, other, food) => {
    const cells = see(heading);
    expect(cells.findIndex((cell) => cell[3] === 1)).toBe(other);
    expect(cells.findIndex((cell) => cell[1] === 1)).toBe(food);
  });

  it('in colours are those of the reference, black outside', () => {
    const cells = see(0, true);
    expect(cells[0]).toEqual([0, 0, 0]);
    expect(cells[4]).toEqual([0, 1, 0]);
    expect(cells[7]).toEqual([0, 0, 1]);
    expect(cells[8]?.map((x) => Math.round(x * 255))).toEqual([2, 81, 154]);
  });
});

it('a move towards each side of the map is what the agent sees as left, right, ahead or back', () => {
  expect([0, 1, 2, 3].map((direction) => moveTowards(0, direction))).toEqual([2, 1, 3, 0]);
  expect([0, 1, 2, 3].map((direction) => moveTowards(1, direction))).toEqual([0, 2, 1, 3]);
});

describe('social measures', () => {
  it('of a small group by hand', () => {
    const m = socialMetrics({ returns: [3, 1], paid: [3, 1], paidAt: [30, 4], out: [5, 0], steps: 20 }, true);
    expect(m).toEqual({ efficiency: 0.2, equality: 0.75, sustainability: 7, peace: 1.75 });
  });

  it('are left out where they mean nothing', () => {
    const m = socialMetrics({ returns: [-1, 3], paid: [0, 0], paidAt: [0, 0], out: [0, 0], steps: 10 }, false);
    expect(m).toEqual({ efficiency: 0.2, equality: null, sustainability: null, peace: null });
  });
});
