/** Metric rows waiting to be sent: one Float64Array [n, 1 + columns], column 0 = environment steps, NaN where not measured. */
export class MetricRows {
  readonly columns: readonly string[];
  private data: number[] = [];
  length = 0;

  constructor(columns: readonly string[]) {
    this.columns = columns;
  }

  add(step: number, values: Readonly<Record<string, number>>): void {
    this.data.push(step);
    for (const name of this.columns) this.data.push(values[name] ?? Number.NaN);
    this.length++;
  }

  /** All rows so far, and forgets them. */
  take(): Float64Array {
    const rows = Float64Array.from(this.data);
    this.data = [];
    this.length = 0;
    return rows;
  }
}
