/** Rows of metrics: [n, 1 + columns.length], column 0 = environment steps. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: Float64Array;
}

function sameColumns(a: Table, b: Table): boolean {
  return a.columns.length === b.columns.length && a.columns.every((name, i) => name === b.columns[i]);
}

/** Neighbours with the same columns become one table, in arrays of their own. */
export function joinTables(tables: readonly Table[]): Table[] {
  const out: Table[] = [];
  for (let i = 0; i < tables.length; ) {
    const first = tables[i] as Table;
    let end = i;
    let length = 0;
    for (let next: Table | undefined = first; next !== undefined && sameColumns(next, first); next = tables[++end])
      length += next.rows.length;
    const rows = new Float64Array(length);
    let at = 0;
    for (const { rows: part } of tables.slice(i, end)) {
      rows.set(part, at);
      at += part.length;
    }
    out.push({ columns: first.columns, rows });
    i = end;
  }
  return out;
}

/** The rows whose step is wanted, copied. */
export function selectRows({ columns, rows }: Table, wanted: (step: number) => boolean): Table {
  const width = columns.length + 1;
  const kept: number[] = [];
  for (let at = 0; at < rows.length; at += width) if (wanted(rows[at]!)) kept.push(at);
  const out = new Float64Array(kept.length * width);
  kept.forEach((at, i) => {
    out.set(rows.subarray(at, at + width), i * width);
  });
  return { columns, rows: out };
}
