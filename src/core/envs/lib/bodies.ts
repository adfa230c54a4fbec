/** Writing frames of rigid parts that move in the x-y plane: part `index` at (x, y), turned by `angle` rad about z. */
import { cos, sin } from '#math/functions.ts';

export function putPart(out: Float32Array, index: number, x: number, y: number, angle: number): void {
  const at = index * 7;
  out[at] = x;
  out[at + 1] = y;
  out[at + 2] = 0;
  out[at + 3] = 0;
  out[at + 4] = 0;
  out[at + 5] = sin(angle / 2);
  out[at + 6] = cos(angle / 2);
}
