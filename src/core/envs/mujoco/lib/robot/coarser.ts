/** A mesh with fewer faces, for the picture: corners in the same cell of a grid become one (Rossignac and Borrel 1993). */

type Numbers = ArrayLike<number>;

interface Mesh {
  readonly corners: readonly number[];
  readonly faces: readonly number[];
}

const FINEST = 48;

/** At most about `most` faces; the mesh itself where it has no more. Corners are rounded to a ten thousandth of its size. */
export function coarser(corners: Numbers, faces: Numbers, most: number): Mesh {
  let mesh: Mesh = { corners: Array.from(corners), faces: Array.from(faces) };
  for (let cells = FINEST; mesh.faces.length > 3 * most && cells >= 2; cells = Math.floor(cells / 1.5))
    mesh = merged(corners, faces, cells);
  const { size } = boxOf(corners);
  const step = size / 10_000 || 1;
  return { corners: mesh.corners.map((x) => Number((Math.round(x / step) * step).toPrecision(5))), faces: mesh.faces };
}

function boxOf(corners: Numbers): { readonly low: readonly number[]; readonly size: number } {
  const low = [0, 1, 2].map((axis) => extreme(corners, axis, Math.min));
  return { low, size: Math.max(...[0, 1, 2].map((axis) => extreme(corners, axis, Math.max) - low[axis]!)) };
}

function extreme(corners: Numbers, axis: number, of: (a: number, b: number) => number): number {
  let found = corners[axis] ?? 0;
  for (let i = axis; i < corners.length; i += 3) found = of(found, corners[i]!);
  return found;
}

function merged(corners: Numbers, faces: Numbers, cells: number): Mesh {
  const { low, size } = boxOf(corners);
  const cell = size / cells || 1;
  const numbers = new Map<number, number>();
  const sums: number[] = [];
  const counts: number[] = [];
  const to = Array.from({ length: corners.length / 3 }, (_, i) => {
    const key = [0, 1, 2].reduce((sum, axis) => sum * 1024 + Math.floor((corners[i * 3 + axis]! - low[axis]!) / cell), 0);
    const number = numbers.get(key) ?? numbers.size;
    if (number === numbers.size) {
      numbers.set(key, number);
      counts.push(0);
      sums.push(0, 0, 0);
    }
    counts[number] = counts[number]! + 1;
    for (let axis = 0; axis < 3; axis++) sums[number * 3 + axis] = sums[number * 3 + axis]! + corners[i * 3 + axis]!;
    return number;
  });
  const kept: number[] = [];
  const seen = new Set<string>();
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = [to[faces[f]!]!, to[faces[f + 1]!]!, to[faces[f + 2]!]!];
    const key = [a, b, c].toSorted((x, y) => x - y).join();
    if (a === b || b === c || a === c || seen.has(key)) continue;
    seen.add(key);
    kept.push(a, b, c);
  }
  return { corners: sums.map((sum, i) => sum / counts[Math.floor(i / 3)]!), faces: kept };
}
