/** A replay memory that would not fit is refused before it is filled. */
import { fail } from '#contract/errors.ts';

const MOST = 1.5e9; // bytes: a worker's memory is limited, and a checkpoint holds all of it

/** `floats`: numbers of one transition. Throws LabError('config-invalid'). */
export function checkMemory(capacity: number, floats: number): void {
  const bytes = 4 * floats * capacity;
  if (bytes <= MOST) return;
  const most = Math.floor(MOST / (4 * floats));
  throw fail(
    'config-invalid',
    `A replay memory of ${capacity} transitions would take ${(bytes / 1e9).toFixed(1)} GB here.`,
    `Keep at most ${most}.`,
    'algo.bufferSize',
  );
}
