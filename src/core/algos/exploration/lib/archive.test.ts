import { expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { Archive, Trail } from './archive.ts';

it('a trail gives whole ways back, also after a save', () => {
  const trail = new Trail();
  const first = trail.add(-1, 3);
  const left = trail.add(first, 0);
  trail.add(first, 1);
  const deep = trail.add(left, 2);
  expect(trail.wayTo(deep)).toEqual([3, 0, 2]);
  expect(trail.wayTo(-1)).toEqual([]);
  const again = new Trail();
  again.load(trail.save());
  expect([again.wayTo(deep), again.add(deep, 5)]).toEqual([[3, 0, 2], 4]);
});

it('an archive keeps the better way to a cell and prefers cells that were seldom gone on from', () => {
  const archive = new Archive(1);
  const offer = (key: number, score: number, length: number) => archive.offer(key, { step: key, score, length }, () => Uint8Array.of(key));
  expect([offer(1, 0, 5), offer(1, 0, 6), offer(1, 0, 4), offer(1, 1, 9), offer(2, 0, 1)]).toEqual([true, false, true, true, true]);
  const rng = Rng.from(1);
  for (let i = 0; i < 50; i++) archive.choose(rng);
  offer(3, 0, 1);
  const saved = archive.save();
  const again = new Archive(1);
  again.load(saved);
  const drawn = Array.from({ length: 12 }, () => again.choose(rng).state[0]);
  expect(drawn.filter((key) => key === 3).length).toBeGreaterThan(3); // a third of the cells, most of the weight
  expect(again.size).toBe(3);
  expect(archive.save().arrays.scores).toEqual(Float64Array.of(1, 0, 0));
});
