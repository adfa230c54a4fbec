/** Temporaries that live at different times share addresses: largest first, each into the lowest gap that is free while it lives. */
export interface Block {
  readonly floats: number;
  /** Levels of its first and last use, inclusive: jobs of one level run at the same time. */
  readonly first: number;
  readonly last: number;
  offset: number;
}

/** Gives every block its offset, a multiple of 4 floats; returns the floats needed. */
export function planArena(blocks: readonly Block[]): number {
  const placed: Block[] = [];
  let floats = 0;
  for (const block of [...blocks].sort((a, b) => b.floats - a.floats || a.first - b.first)) {
    let at = 0;
    for (const other of placed) {
      if (other.last < block.first || block.last < other.first) continue;
      if (at + block.floats <= other.offset) break;
      at = Math.max(at, other.offset + ((other.floats + 3) & ~3));
    }
    block.offset = at;
    floats = Math.max(floats, at + block.floats);
    placed.push(block);
    placed.sort((a, b) => a.offset - b.offset);
  }
  return floats;
}
