import { expect, it } from 'vitest';
import { createGraph } from '#core/engine/graph.ts';
import { interpret } from '#core/testing/engine/interpreter.ts';
import { winOdds } from './spo.ts';

it('preferences may go in circles, and swapping the two swaps the answer', () => {
  const g = createGraph();
  const [first, second, w] = [g.input('first', [3, 2]), g.input('second', [3, 2]), g.input('w', [2, 2])];
  const [one, two] = [g.input('one', [3]), g.input('two', [3])];
  const outputs = [winOdds(first, second, [one, two], w), winOdds(second, first, [two, one], w)];
  // Three directions of the plane, each a third of a turn on: rock, paper and scissors.
  const at = (turn: number): readonly number[] => [Math.cos((2 * Math.PI * turn) / 3), Math.sin((2 * Math.PI * turn) / 3)];
  const found = interpret(outputs, {
    inputs: { first: [0, 1, 2].flatMap(at), second: [1, 2, 0].flatMap(at), w: [0, 1, 0, 0], one: [0, 0, 0], two: [0, 0, 0.5] },
  });
  const [odds, swapped] = outputs.map((output) => Array.from(found.get(output)!));
  const beats = Math.sin((2 * Math.PI) / 3);
  [beats, beats, beats - 0.5].forEach((want, i) => {
    expect(odds![i]).toBeCloseTo(want, 10);
    expect(swapped![i]).toBeCloseTo(-want, 10);
  });
});
