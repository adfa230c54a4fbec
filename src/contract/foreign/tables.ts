/**
 * Curves in CSV files of other programs, told apart by their first lines:
 *   Stable-Baselines3 `progress.csv`   a column `time/total_timesteps` (or `timesteps`), one metric per other column
 *   Stable-Baselines3 `monitor.csv`    a line `#{...}` of JSON, then r,l,t: return, length and end of every episode
 *   Weights & Biases chart exports     a column `Step` or `global_step`, then `RUN - METRIC`, with `__MIN` and `__MAX` of each
 *   the curves that this workbench exports
 * Also a plain table with a column `step`. Throws LabError('file-invalid') naming the line and the column.
 */
import { CURVES_HEADER, curvesFromCsv } from '../curves-csv.ts';
import { broken, Collector, type ForeignRun, identify, MOST_METRICS, MOST_RUNS, metricOf, plain } from './runs.ts';

const MOST_LINES = 2_000_000;
const LONGEST_LINE = 1024 * 1024;
/** A W&B export has three columns for each run and metric. */
const MOST_COLUMNS = 3 * MOST_METRICS + 1;
const STEP_COLUMNS = ['time/total_timesteps', 'timesteps', 'total_timesteps', 'global_step', 'Step', '_step', 'step'] as const;
/** What exports hold beside the metrics. */
const ASIDE = /__(MIN|MAX)$|^(_runtime|_timestamp|Relative Time.*|Wall Time|time\/(iterations|time_elapsed|episodes))$/;

interface Table {
  readonly header: readonly string[];
  /** Line numbers count from 1, the header's included. */
  readonly rows: Iterable<{ readonly line: number; readonly cells: readonly string[] }>;
  readonly metadata: string | null;
}

/** Whether a text may be one of these tables: it is no JSON, and its first line has more than one cell. */
export function isTable(text: string): boolean {
  const first = text
    .slice(0, 4096)
    .split(/\r?\n/)
    .find((line) => !line.startsWith('#') && line.trim() !== '');
  return first !== undefined && !/^\s*[{[<]/.test(first) && first.includes(',');
}

export function readTable(text: string, file: string): readonly ForeignRun[] {
  if (text.startsWith(CURVES_HEADER)) return ownCurves(text, file);
  const table = open(text);
  const { header } = table;
  if (header[0] === 'r' && header[1] === 'l') return [readMonitor(table, file)];
  const stepAt = STEP_COLUMNS.map((name) => header.indexOf(name)).find((at) => at >= 0);
  if (stepAt === undefined)
    throw broken(
      `This table has no column of steps: its columns are ${header
        .slice(0, 8)
        .map((name) => `"${plain(name)}"`)
        .join(', ')}.`,
      `Open a progress.csv or monitor.csv of Stable-Baselines3, a chart's CSV of Weights & Biases, or a table with a column "step".`,
    );
  const sb3 = header[stepAt] === 'time/total_timesteps';
  const ofRuns = header.some((name, at) => at !== stepAt && name.includes(' - '));
  const columns = header.flatMap((name, at) => {
    if (at === stepAt || name === '' || ASIDE.test(name)) return [];
    const cut = ofRuns ? name.lastIndexOf(' - ') : -1;
    return [{ at, name, run: cut < 0 ? '' : name.slice(0, cut), metric: metricOf(cut < 0 ? name : name.slice(cut + 3)) }];
  });
  const runs = new Map<string, Collector>();
  for (const { run } of columns) if (!runs.has(run)) runs.set(run, new Collector());
  if (runs.size > MOST_RUNS) throw broken(`This table holds ${runs.size} runs.`, `A file may hold ${MOST_RUNS}; export fewer.`);
  for (const { line, cells } of table.rows) {
    const step = numberIn(cells[stepAt] ?? '', line, header[stepAt] ?? '');
    if (step === null) throw broken(`Line ${line} has no step in the column "${header[stepAt]}".`, 'Every line needs one.');
    for (const { at, name, run, metric } of columns) {
      const value = numberIn(cells[at] ?? '', line, name);
      if (value !== null) runs.get(run)?.add(metric, step, value, () => `Line ${line}, column "${plain(name)}",`);
    }
  }
  const source = sb3 ? 'Stable-Baselines3' : ofRuns ? 'Weights & Biases' : 'CSV';
  const found = [...runs].map(([run, collector]) => {
    const identity = identify(run === '' ? nameOf(file) : run);
    return { ...identity, source, columns: collector.columns(identity.seed) };
  });
  if (found.every(({ columns: own }) => own.length === 0)) throw broken('This table holds no numbers.', 'Choose one with curves.');
  return found.filter(({ columns: own }) => own.length > 0);
}

const nameOf = (file: string): string => file.replace(/\.csv$/i, '');

/** What curvesToCsv wrote: a run for each seed, all of one name. */
function ownCurves(text: string, file: string): readonly ForeignRun[] {
  const columns = curvesFromCsv(text);
  for (const { seed, metric, steps } of columns) {
    if (!Number.isInteger(seed) || seed < 0 || seed > 0xffff_ffff)
      throw broken(`The seed ${seed} of these curves is none.`, 'Export the curves again.');
    const wrong = steps.find((step) => !(step >= 0 && step <= Number.MAX_SAFE_INTEGER));
    if (wrong !== undefined) throw broken(`"${plain(metric)}" of seed ${seed} has the step ${wrong}.`, 'Steps are numbers from 0 on.');
  }
  const seeds = [...new Set(columns.map(({ seed }) => seed))];
  if (seeds.length > MOST_RUNS) throw broken(`This table holds ${seeds.length} seeds.`, `A file may hold ${MOST_RUNS}; export fewer.`);
  const found = seeds.map((seed) => {
    const own = columns.filter((column) => column.seed === seed).map((column) => ({ ...column, metric: plain(column.metric) }));
    return { name: plain(nameOf(file)), seed, source: 'RL Workbench', columns: own };
  });
  if (found.length === 0) throw broken('This table holds no numbers.', 'Choose one with curves.');
  return found;
}

/** Returns and lengths of episodes, at the steps taken until each was over. */
function readMonitor(table: Table, file: string): ForeignRun {
  const found = new Collector();
  let step = 0;
  for (const { line, cells } of table.rows) {
    const [total, length] = ['r', 'l'].map((name, at) => numberIn(cells[at] ?? '', line, name));
    if (total === undefined || length === undefined || total === null || length === null || length < 0)
      throw broken(`Line ${line} lacks its return ("r") or its length ("l").`, 'Open the file as Monitor wrote it.');
    step += length;
    const where = () => `Line ${line}`;
    found.add('episodicReturn', step, total, where);
    found.add('episodeLength', step, length, where);
  }
  const columns = found.columns(null);
  if (columns.length === 0) throw broken('This monitor file holds no episodes.', 'Choose one of a run that finished some.');
  const id = /"env_id"\s*:\s*"([^"]{1,120})"/.exec(table.metadata ?? '')?.[1];
  return { name: plain(id === undefined ? nameOf(file) : `${id} (${nameOf(file)})`), seed: null, source: 'Stable-Baselines3', columns };
}

/** null: nothing was measured there. */
function numberIn(cell: string, line: number, column: string): number | null {
  const text = cell.trim();
  if (text === '' || /^(nan|none|null)$/i.test(text)) return null;
  const value = /^[+-]?(inf|infinity)$/i.test(text) ? Number.NaN : Number(text);
  if (Number.isNaN(value) && !/^[+-]?(inf|infinity)$/i.test(text))
    throw broken(`Line ${line}, column "${plain(column)}": "${plain(text)}" is no number.`, 'Remove the column or the line.');
  return Number.isNaN(value) ? null : value;
}

function open(text: string): Table {
  const lines = linesOf(text);
  let next = lines.next();
  let metadata: string | null = null;
  while (next.done !== true && (next.value.text.startsWith('#') || next.value.text.trim() === '')) {
    if (next.value.text.startsWith('#')) metadata ??= next.value.text.slice(1);
    next = lines.next();
  }
  if (next.done === true) throw broken('This table is empty.', 'Choose one with curves.');
  const header = cellsOf(next.value.text, next.value.line);
  if (header.length > MOST_COLUMNS) throw broken(`This table has ${header.length} columns.`, `It may have ${MOST_COLUMNS}; export fewer.`);
  return { header, metadata, rows: rowsOf(lines, header.length) };
}

function* rowsOf(
  lines: Iterable<{ readonly line: number; readonly text: string }>,
  width: number,
): Generator<{ readonly line: number; readonly cells: readonly string[] }> {
  for (const { line, text } of lines) {
    if (text.trim() === '') continue;
    const cells = cellsOf(text, line);
    if (cells.length !== width) throw broken(`Line ${line} has ${cells.length} cells, the header ${width}.`, 'Export the table again.');
    yield { line, cells };
  }
}

function* linesOf(text: string): Generator<{ readonly line: number; readonly text: string }> {
  let line = 0;
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const stop = end < 0 ? text.length : end;
    if (++line > MOST_LINES) throw broken(`Line ${line} is one too many.`, `A table may have ${MOST_LINES}; log less often.`);
    if (stop - at > LONGEST_LINE) throw broken(`Line ${line} is ${stop - at} characters long.`, 'Export the table again.');
    yield { line, text: text.slice(at, stop).replace(/\r$/, '') };
    at = stop + 1;
  }
}

/** Cells of a line, quoted ones without their quotes (RFC 4180). */
function cellsOf(text: string, line: number): string[] {
  if (!text.includes('"')) return text.split(',');
  const cells: string[] = [];
  for (let at = 0; at <= text.length; ) {
    if (text[at] !== '"') {
      const end = text.indexOf(',', at);
      cells.push(text.slice(at, end < 0 ? text.length : end));
      at = end < 0 ? text.length + 1 : end + 1;
      continue;
    }
    let end = text.indexOf('"', at + 1);
    while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
    if (end < 0) throw broken(`Line ${line} has a quote that does not end.`, 'Export the table again.');
    cells.push(text.slice(at + 1, end).replaceAll('""', '"'));
    if (end + 1 < text.length && text[end + 1] !== ',') throw broken(`Line ${line} has text behind a quote.`, 'Export the table again.');
    at = end + 2;
  }
  return cells;
}
