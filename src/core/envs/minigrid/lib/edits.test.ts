import { expect, test } from 'vitest';
import { Rng } from '#math/rng.ts';
import { getEnv } from '../../all.ts';
import { createBuffers } from '../../api/buffers.ts';
import { minigridMaze as maze } from '../minigrid-maze.ts';
import { editLevel, flippable, flipWall } from './edits.ts';
import golden from './golden/level-edits.json';

type Drawing = readonly string[];
const { input, expected } = golden.case;
const [W, H] = [input.layout[0]!.length + 2, input.layout.length + 2];
const env = maze.create(maze.parse({ width: W, height: H, walls: 0 }), 1);
const { state: spec } = env.meta;

/** A level of a drawing: # a wall, A the agent, G the goal, within an outline of walls. */
function levelOf(drawing: Drawing): Uint8Array {
  const outline = 'WE '.repeat(W).trim();
  const rows = drawing.map((row) => ['WE', ...[...row].map((sign) => (sign === '#' ? 'WE' : sign === 'G' ? 'GG' : '..')), 'WE'].join(' '));
  const y = drawing.findIndex((row) => row.includes('A'));
  return spec.fromJSON({ layout: [outline, ...rows, outline], agentPos: [drawing[y]!.indexOf('A') + 1, y + 1], agentDir: 0 });
}

function drawingOf(level: Uint8Array): Drawing {
  const { layout, agentPos: [x, y] } = spec.toJSON(level) as unknown as Readonly<{ layout: string[]; agentPos: [number, number] }>; // biome-ignore format: one line
  const signs = layout.map((row) => row.split(' ').map(([kind]): string => (kind === 'W' ? '#' : kind === 'G' ? 'G' : '.')));
  signs[y]![x] = 'A';
  return signs.slice(1, -1).map((row) => row.slice(1, -1).join(''));
}

const count = (drawing: Drawing, sign: string): number => drawing.join('').split(sign).length - 1;

test('walls are flipped as jaxued flips them, on any cell but those of agent and goal', () => {
  const level = levelOf(input.layout);
  const words = new Uint32Array(level.buffer, 8);
  const allowed: number[] = [];
  for (const { op, cell } of input.edits) {
    if (op === 'none' || cell === undefined) continue;
    allowed.push(flippable(words, W, H).length);
    flipWall(words, (1 + Math.floor(cell / (W - 2))) * W + 1 + (cell % (W - 2)));
  }
  expect(drawingOf(level)).toEqual(expected.layout);
  expect(allowed).toEqual(expected.allowed_cells);
});

test('an edit is nothing, one wall flipped or the goal moved, a third each; agent, outline and the level it is made of stay', () => {
  const level = levelOf(input.layout);
  const before = drawingOf(level);
  const rng = Rng.from(3);
  const seen = { nothing: 0, flipped: 0, moved: 0 };
  for (let n = 0; n < 3000; n++) {
    const after = drawingOf(editLevel(level, W, H, rng));
    const changed = [...after.join('')].filter((sign, i) => sign !== before.join('')[i]).length;
    expect(count(after, 'A')).toBe(1);
    expect(count(after, 'G')).toBe(1);
    expect(after.findIndex((row) => row.includes('A'))).toBe(before.findIndex((row) => row.includes('A')));
    if (changed === 0) seen.nothing++;
    else if (changed === 1) {
      seen.flipped++;
      expect(Math.abs(count(after, '#') - count(before, '#'))).toBe(1);
    } else {
      seen.moved++;
      expect(count(after, '#')).toBe(count(before, '#'));
    }
  }
  for (const times of Object.values(seen)) expect(Math.abs(times / 3000 - 1 / 3)).toBeLessThan(0.04);
  expect(drawingOf(level)).toEqual(before);
});

test('the solver says how many steps a maze takes, none where there is no way, and how many doors are opened', () => {
  const open = ['A....G'];
  const world = maze.create(maze.parse({ width: 8, height: 3, walls: 0 }), 1);
  const level = (row: string, dir: number): Uint8Array =>
    world.meta.state.fromJSON({
      layout: [
        'WE '.repeat(8).trim(),
        ['WE', ...[...row].map((sign) => (sign === '#' ? 'WE' : sign === 'G' ? 'GG' : '..')), 'WE'].join(' '),
        'WE '.repeat(8).trim(),
      ],
      agentPos: [row.indexOf('A') + 1, 1],
      agentDir: dir,
    });
  expect(world.solveLevel?.(level(open[0]!, 0))).toEqual({ steps: 5, doors: 0 });
  expect(world.solveLevel?.(level(open[0]!, 2))).toEqual({ steps: 7, doors: 0 }); // two turns first
  expect(world.solveLevel?.(level('A.#..G', 0))).toBeNull();
  const doorKey = getEnv('minigrid-doorkey');
  const rooms = doorKey.create(doorKey.parse({}), 1);
  rooms.reset(Uint32Array.of(5), createBuffers(rooms.meta, 1));
  const found = rooms.solveLevel?.(rooms.save(0));
  expect(found?.doors).toBe(1);
  expect(found?.steps).toBeGreaterThan(5);
  expect(rooms.editLevel).toBeUndefined();
});
