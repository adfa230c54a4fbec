/**
 * Every measured number of every run, in growable arrays outside React: one pair (steps, values) per run, seed and metric, so
 * that rare metrics cost only what they measured. NaN means "not measured" and is not kept. Views redraw when
 * `curvesStore.version` ticks: with the page's update clock.
 */
import { createStore } from 'zustand/vanilla';
import type { Curves, CurvesState, Series } from './types.ts';
import { atNextUpdate } from './update-clock.ts';

/** Rows that a table has room for at first, unless it begins with more. */
const FIRST_CAPACITY = 16;

/** Stands for the metric that shows best what the shown runs learn, until another is chosen. */
const MAIN_METRIC = 'main';

export const curvesStore = createStore<CurvesState>((set) => ({
  version: 0,
  metric: MAIN_METRIC,
  xAxis: 'steps',
  smoothing: 0,
  rawSeeds: false,
  hoverStep: null,
  setMetric: (metric) => set({ metric }),
  setXAxis: (xAxis) => set({ xAxis }),
  setSmoothing: (amount) => set({ smoothing: Math.min(0.999, Math.max(0, amount)) }),
  setRawSeeds: (rawSeeds) => set({ rawSeeds }),
  setHover: (hoverStep) => set({ hoverStep }),
}));

let ticking = false;
let news = false;
/** While many runs are read, a redraw of all their lines after each would take longer than the reading. */
let holders = 0;

/** The first change shows at once; what follows until the next update is drawn together then. */
function changed(): void {
  news = true;
  if (!ticking && holders === 0) tick();
}

function tick(): void {
  ticking = news && holders === 0;
  if (!ticking) return;
  news = false;
  curvesStore.setState(({ version }) => ({ version: version + 1 }));
  atNextUpdate(tick);
}

interface Column {
  steps: Float64Array;
  values: Float64Array;
  length: number;
}

const tables = new Map<string, Map<number, Map<string, Column>>>();

function column(runId: string, seed: number, metric: string, rows: number): Column {
  let run = tables.get(runId);
  if (run === undefined) tables.set(runId, (run = new Map()));
  let table = run.get(seed);
  if (table === undefined) run.set(seed, (table = new Map()));
  let found = table.get(metric);
  if (found === undefined) {
    const capacity = Math.max(FIRST_CAPACITY, rows);
    found = { steps: new Float64Array(capacity), values: new Float64Array(capacity), length: 0 };
    table.set(metric, found);
  }
  return found;
}

function grow(found: Column): void {
  const steps = new Float64Array(found.steps.length * 2);
  const values = new Float64Array(found.values.length * 2);
  steps.set(found.steps);
  values.set(found.values);
  found.steps = steps;
  found.values = values;
}

export const curves: Curves = {
  metrics(runId) {
    const names = new Set<string>();
    for (const table of tables.get(runId)?.values() ?? []) for (const name of table.keys()) names.add(name);
    return [...names];
  },
  series(runId, seed, metric): Series | null {
    const found = tables.get(runId)?.get(seed)?.get(metric);
    if (found === undefined || found.length === 0) return null;
    return { steps: found.steps.subarray(0, found.length), values: found.values.subarray(0, found.length) };
  },
  append(runId, seed, columns, rows) {
    const width = columns.length + 1;
    columns.forEach((metric, i) => {
      for (let at = 0; at + width <= rows.length; at += width) {
        const value = rows[at + 1 + i]!;
        if (Number.isNaN(value)) continue;
        const into = column(runId, seed, metric, rows.length / width);
        if (into.length === into.steps.length) grow(into);
        into.steps[into.length] = rows[at]!;
        into.values[into.length++] = value;
      }
    });
    changed();
  },
  cut(runId, seed, afterStep) {
    for (const found of tables.get(runId)?.get(seed)?.values() ?? []) {
      while (found.length > 0 && found.steps[found.length - 1]! > afterStep) found.length--;
    }
    changed();
  },
  drop(runId) {
    tables.delete(runId);
    changed();
  },
  hold() {
    holders++;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      if (--holders === 0 && news && !ticking) tick();
    };
  },
};

/** As a project file has them. */
export function arrangeCurves(arranged: Pick<CurvesState, 'metric' | 'xAxis' | 'smoothing' | 'rawSeeds'>): void {
  curvesStore.setState(arranged);
}
