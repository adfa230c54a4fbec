/**
 * The arena: buffers that live from one step to another share addresses with those that live at other times. Largest first, each
 * into the lowest gap that is free during its life. 64-byte alignment, 16 spare bytes behind each.
 */
import { Memory } from './memory.ts';
import type { Step } from './step.ts';
import type { Buffer } from './view.ts';

/** Sets `first` and `last` of every arena buffer, then gives it an offset (in `address`); returns the bytes needed. */
export function planArena(steps: readonly Step[]): { buffers: Buffer[]; bytes: number } {
  const buffers = new Set<Buffer>();
  steps.forEach((step, i) => {
    for (const buffer of [step.write, ...step.reads.map((v) => v.buffer)]) {
      if (buffer.pinned) continue;
      buffers.add(buffer);
      if (buffer.first < 0) buffer.first = i;
      buffer.last = i;
    }
  });
  const order = [...buffers].sort((a, b) => b.size - a.size || a.first - b.first);
  /** Those with an address already, by address. */
  const placed: Buffer[] = [];
  let bytes = 0;
  for (const buffer of order) {
    const need = Memory.footprint(buffer.size * 4);
    let at = 0;
    let index = 0;
    for (; index < placed.length; index++) {
      const other = placed[index]!;
      if (other.last < buffer.first || other.first > buffer.last) continue;
      if (other.address - at >= need) break;
      at = Math.max(at, other.address + Memory.footprint(other.size * 4));
    }
    buffer.address = at;
    bytes = Math.max(bytes, at + need);
    // `placed` stays sorted by address
    let low = 0;
    while (low < placed.length && placed[low]!.address <= at) low++;
    placed.splice(low, 0, buffer);
  }
  return { buffers: order, bytes };
}
