import type { MachineState } from '#stores/types.ts';

/** Why the page stores nothing, in words; '' where it does, or where that is not known yet. */
export function noStorage({ storage, storageBlocked }: MachineState): string {
  if (storageBlocked)
    return 'Another tab with an older version of this page keeps the storage closed. Close or reload that tab: the runs made here are stored then.';
  return storage === 'memory' ? 'This browser lets the page store nothing here (a private window or an embedded frame, most likely).' : '';
}
