/** Where a step of `dr` rows and `dc` columns leads from a cell (row * columns + column) of an open grid, whose border stops it. */
export function neighbour(rows: number, columns: number, cell: number, [dr, dc]: readonly [dr: number, dc: number]): number {
  const row = Math.min(rows - 1, Math.max(0, Math.floor(cell / columns) + dr));
  return row * columns + Math.min(columns - 1, Math.max(0, (cell % columns) + dc));
}
