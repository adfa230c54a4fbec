/** What must be in a map, and the sizes of a matrix (the last two axes). */
import type { Shape } from '../types.ts';

export function known<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error('webgpu: a node is used before it is placed');
  return value;
}

export const matrixOf = (shape: Shape): readonly [number, number] => [shape[shape.length - 2]!, shape[shape.length - 1]!];
