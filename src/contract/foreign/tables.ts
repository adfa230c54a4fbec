/**
 * Curves in tables of other programs, told apart by their first lines; names of columns count without case:
 *   Stable-Baselines3 `progress.csv`   a column `time/total_timesteps` (or `timesteps`), one metric per other column
 *   Stable-Baselines3 `monitor.csv`    a line `#{...}` of JSON, then r,l,t: return, length and end of every episode
 *   RLlib `progress.csv`               a column `timesteps_total` or `num_env_steps_sampled_lifetime`
 *   Weights & Biases                   charts: `Step` or `global_step`, then `RUN - METRIC`, with `__MIN` and `__MAX` of each; histories: `_step`
 *   TensorBoard's own export           `Wall time,Step,Value`; run and metric stand in the name of the file
 *   the curves that this workbench exports
 * Also a plain table with a column `step`, in commas, tabs or semicolons, and with a column `seed` or `run` several runs in one. What cannot be
 * read is left out, counted and named; throws LabError('file-invalid') where nothing is left.
 */

import { CURVES_HEADER, curvesFromCsv } from '../files/curves-csv.ts';
import { cellsOf } from '../kit/csv.ts';
import { linesOf, type Row, rowsOf, separatorOf } from './lines.ts';
import { type Identity, identify, identifyPath, metricOfFile, partsOf, plain } from './names.ts';
import { broken, Collector, counted, type ForeignRun, LeftOut, MOST_METRICS, MOST_RUNS, quoted } from './runs.ts';

/** A W&B export has three columns for each run and metric. */
const MOST_COLUMNS = 3 * MOST_METRICS * MOST_RUNS;
/** In small letters; of several the first that stands in every row. */
const STEP_COLUMNS = [
  'time/total_timesteps',
  'timesteps',
  'total_timesteps',
  'misc/total_timesteps',
  'num_timesteps',
  'num_env_steps_sampled_lifetime',
  'timesteps_total',
  'num_env_steps_sampled',
  'agent_timesteps_total',
  'totalenvinteracts',
  'environment_steps',
  'env_steps',
  'env_step',
  'total_steps',
  'global_step',
  'global step',
  'timestep',
  'step',
  'steps',
  '_step',
] as const;
/** W&B's own counter of calls, which a history has in every row. */
const WANDB_STEP = '_step';
/** What exports hold beside the metrics. */
const ASIDE =
  /__(min|max)$|^(_runtime|_timestamp|timestamp|date|pid|relative time.*|wall[ _]time|time\/(iterations|time_elapsed|episodes)|time_since_restore|iterations_since_restore|timesteps_since_restore)$/i;
/** Columns that tell runs of one table apart. */
const SEED_COLUMN = 'seed';
const RUN_COLUMNS: readonly string[] = ['run', 'run_id', 'run_name', 'trial_id', 'exp_name'];
/** Names that every run's file has, so that the folder is the run's name. */
const COMMON = /^(progress|monitor|metrics|log|logs|results?|history|data|evaluations?|\d+)$/i;

interface Table {
  readonly header: readonly string[];
  readonly separator: string;
  readonly metadata: string | null;
  readonly left: LeftOut;
  rows(): Iterable<Row>;
}

/** Whether a text may be one of these tables: it is no JSON and no markup, and its first line has more than one cell. */
export function isTable(text: string): boolean {
  const first = text
    .slice(0, 100_000)
    .split(/\r?\n/)
    .find((line) => !line.startsWith('#') && line.trim() !== '');
  return first !== undefined && !/^\s*[{[<]/.test(first) && !first.includes('\ufffd') && separatorOf(first) !== null;
}

export function readTable(text: string, file: string): readonly ForeignRun[] {
  if (text.startsWith(CURVES_HEADER)) return ownCurves(text, file);
  const table = open(text);
  if (isMonitor(table)) return readMonitors([{ name: file, table }]);
  const { header, left } = table;
  const small = header.map((name) => name.trim().toLowerCase());
  const step = stepOf(table, small);
  if (step === null)
    throw broken(
      `This table has no column of steps: its columns are ${quoted(header.map((name) => (name === '' ? ' ' : name)))}.`,
      `Open a progress.csv or monitor.csv of Stable-Baselines3 or RLlib, a chart's CSV of Weights & Biases or TensorBoard, or a table with a column "step".`,
    );
  const ofRuns = header.some((name, at) => at !== step.at && name.includes(' - '));
  const groupAt = small.flatMap((name, at) => (at !== step.at && (name === SEED_COLUMN || RUN_COLUMNS.includes(name)) ? [at] : []));
  const named = ofFile(file);
  const seen = new Map<string, number>();
  const columns = header.flatMap((full, at) => {
    const name = full.trim();
    if (at === step.at || name === '' || ASIDE.test(name) || groupAt.includes(at) || small[at] === WANDB_STEP) return [];
    const cut = ofRuns ? name.lastIndexOf(' - ') : -1;
    const run = cut < 0 ? '' : name.slice(0, cut);
    const metric = cut < 0 ? (small[at] === 'value' && named.metric !== null ? named.metric : name) : name.slice(cut + 3);
    const n = (seen.get(`${run} - ${metric}`) ?? 0) + 1; // two runs of a chart may have one name
    seen.set(`${run} - ${metric}`, n);
    return [{ at, run: n === 1 ? run : `${run} (${n})`, metric, name, good: 0, bad: 0, badLine: 0 }];
  });
  const runs = new Map<string, { readonly group: readonly string[]; readonly run: string; readonly found: Collector }>();
  const beyond = new Set<string>();
  const collectorOf = (run: string, group: readonly string[]): Collector | null => {
    const key = JSON.stringify([run, ...group]);
    const found = runs.get(key);
    if (found !== undefined) return found.found;
    if (runs.size >= MOST_RUNS) {
      if (beyond.size < 10_000) beyond.add(run === '' ? group.join(' ') : run);
      return null;
    }
    const made = { group, run, found: new Collector() };
    runs.set(key, made);
    return made.found;
  };
  let last: number | null = null;
  for (const { line, cells } of table.rows()) {
    const stated = numberOf(cells[step.at] ?? '', table.separator);
    if (stated === 'text') left.count('line', `whose "${plain(header[step.at] ?? '')}" is no number`, `line ${line}`);
    else if (stated === null && (!step.carried || last === null))
      left.count('line', `without a step in the column "${plain(header[step.at] ?? '')}"`, `line ${line}`);
    else {
      const at: number = stated ?? last ?? 0;
      last = at;
      const group = groupAt.map((column) => (cells[column] ?? '').trim());
      for (const column of columns) {
        const value = numberOf(cells[column.at] ?? '', table.separator);
        if (value === null) continue;
        if (value === 'text') {
          if (column.bad++ === 0) column.badLine = line;
          continue;
        }
        column.good++;
        collectorOf(column.run, group)?.add(column.metric, at, value);
      }
    }
  }
  const texts = columns.filter(({ good, bad }) => good === 0 && bad > 0);
  const notes = [
    ...(step.carried ? [`Lines without "${plain(header[step.at] ?? '')}" stand at that of the line before.`] : []),
    ...(texts.length > 0 ? [`${counted(texts.length, 'column')} without numbers left out: ${quoted(texts.map(({ name }) => name))}.`] : []),
    ...columns
      .filter(({ good, bad }) => good > 0 && bad > 0)
      .map(({ name, bad, badLine }) => `${counted(bad, 'cell')} of "${plain(name)}" left out, no number: the first is in line ${badLine}.`),
    ...(beyond.size > 0 ? [`${counted(beyond.size, 'run')} left out beyond the first ${MOST_RUNS}: ${quoted([...beyond])}.`] : []),
    ...left.notes(),
  ];
  const source = sourceOf(small, ofRuns, named.metric !== null);
  const groups = new Set([...runs.values()].map(({ group }) => JSON.stringify(group))).size;
  const found = [...runs.values()].flatMap(({ run, group, found: collector }): ForeignRun[] => {
    const identity = run === '' ? inGroup(named.identity, small, groupAt, group, groups > 1) : identify(run);
    const { columns: curves, notes: own } = collector.finish(identity.seed);
    return curves.length === 0 ? [] : [{ ...identity, source, columns: curves, notes: [...own, ...notes] }];
  });
  if (found.length === 0) throw broken(`This table holds no numbers at steps. ${notes.join(' ')}`.trim(), 'Choose one with curves.');
  return found;
}

/** The seed that a column says, and where there are several runs the names that the other columns say. */
function inGroup(of: Identity, small: readonly string[], at: readonly number[], group: readonly string[], several: boolean): Identity {
  const seedText = group[at.findIndex((column) => small[column] === SEED_COLUMN)] ?? '';
  const names = several ? group.filter((text, i) => small[at[i]!] !== SEED_COLUMN && text !== '') : [];
  const own = names.length === 0 ? of : identify(names.join(' '));
  return /^\d{1,9}(\.0)?$/.test(seedText) ? { name: own.name, seed: Number(seedText) } : own;
}

function sourceOf(small: readonly string[], ofRuns: boolean, exported: boolean): string {
  if (small.includes('time/total_timesteps')) return 'Stable-Baselines3';
  if (ofRuns || small.includes(WANDB_STEP)) return 'Weights & Biases';
  if (small.includes('training_iteration')) return 'RLlib';
  if (exported || (small[0] === 'wall time' && small.includes('value'))) return 'TensorBoard';
  return 'CSV';
}

/** Which column holds the steps; `carried`: a line without one stands at the step of the line before, as W&B has it. null: there is none. */
function stepOf(table: Table, small: readonly string[]): { readonly at: number; readonly carried: boolean } | null {
  const found = STEP_COLUMNS.map((name) => small.indexOf(name)).filter((at) => at >= 0);
  const [first] = found;
  if (first === undefined) return null;
  if (found.length === 1) return { at: first, carried: false };
  const missing = new Map(found.map((at) => [at, 0]));
  const quiet: Table = { ...table, left: new LeftOut() };
  for (const { cells } of quiet.rows())
    for (const at of found) if (typeof numberOf(cells[at] ?? '', table.separator) !== 'number') missing.set(at, (missing.get(at) ?? 0) + 1);
  // steps of the environment are what others are compared by: W&B's counter of calls stands in only where there are none
  const rows = found.filter((at) => small[at] !== WANDB_STEP);
  const whole = rows.find((at) => missing.get(at) === 0);
  if (whole !== undefined) return { at: whole, carried: false };
  const best = rows.toSorted((a, b) => (missing.get(a) ?? 0) - (missing.get(b) ?? 0))[0];
  return { at: best ?? first, carried: small.includes(WANDB_STEP) && best !== undefined };
}

/** Run and metric that the name of a file says; TensorBoard calls an export run-RUN-tag-TAG.csv. */
function ofFile(file: string): { readonly identity: Identity; readonly metric: string | null } {
  const parts = partsOf(file);
  const base = (parts.at(-1) ?? '').replace(/\.gz$/i, '').replace(/\.(csv|tsv|txt)$/i, '');
  const exported = /^run-(.+)-tag-(.+)$/i.exec(base);
  if (exported !== null)
    return {
      identity: identify((exported[1] ?? '').replace(/^\.?[\\/_]/, '')),
      metric: metricOfFile(exported[2] ?? '') ?? (exported[2] ?? '').replace(/ \(\d+\)$/, ''),
    };
  const folders = parts.slice(0, -1);
  // Monitor's own form of a name: NUMBER.monitor.csv, or what a person called it before .monitor.csv
  const own = base.replace(/^\d*\.(?=monitor$)/i, '').replace(/(?<=.)\.monitor$/i, '');
  return { identity: identifyPath(COMMON.test(own) && folders.length > 0 ? folders : [...folders, own]), metric: null };
}

/** What curvesToCsv wrote: a run for each seed, all of one name. */
function ownCurves(text: string, file: string): readonly ForeignRun[] {
  const end = text.lastIndexOf('\n') + 1;
  const notes = end === text.length ? [] : ['The last line has no line end and may be cut off: it was left out.'];
  const columns = curvesFromCsv(text.slice(0, end));
  for (const { seed, metric, steps } of columns) {
    if (!Number.isInteger(seed) || seed < 0 || seed > 0xffff_ffff)
      throw broken(`The seed ${seed} of these curves is none.`, 'Export the curves again.');
    const wrong = steps.find((step) => !(step >= 0 && step <= Number.MAX_SAFE_INTEGER));
    if (wrong !== undefined) throw broken(`"${plain(metric)}" of seed ${seed} has the step ${wrong}.`, 'Steps are numbers from 0 on.');
  }
  const seeds = [...new Set(columns.map(({ seed }) => seed))];
  if (seeds.length > MOST_RUNS) notes.push(`${counted(seeds.length - MOST_RUNS, 'seed')} left out beyond the first ${MOST_RUNS}.`);
  const { name } = ofFile(file).identity;
  const found = seeds.slice(0, MOST_RUNS).map((seed) => {
    const own = columns.filter((column) => column.seed === seed).map((column) => ({ ...column, metric: plain(column.metric) }));
    return { name, seed, source: 'RL Workbench', columns: own, notes };
  });
  if (found.length === 0) throw broken('This table holds no numbers.', 'Choose one with curves.');
  return found;
}

const isMonitor = ({ header }: Table): boolean => ['r', 'l'].every((name, at) => header[at]?.trim().toLowerCase() === name);

/** A monitor file: its path with slashes, and its text. */
export interface MonitorFile {
  readonly name: string;
  readonly text: string;
}

/** Whether a text is a monitor file of Stable-Baselines3. */
export const isMonitorText = (text: string): boolean => isTable(text) && !text.startsWith(CURVES_HEADER) && isMonitor(open(text));

/**
 * Returns and lengths of episodes, at the steps taken until each was over. Several files are those of one run's environments, which write one each:
 * their episodes stand in the order in which they ended, as Stable-Baselines3's own reader has it.
 */
export function readMonitorFiles(files: readonly MonitorFile[]): readonly ForeignRun[] {
  return readMonitors(files.map(({ name, text }) => ({ name, table: open(text) })));
}

function readMonitors(files: readonly { readonly name: string; readonly table: Table }[]): readonly ForeignRun[] {
  const episodes: { readonly total: number; readonly length: number; readonly ended: number }[] = [];
  const notes: string[] = [];
  let shortened = false;
  for (const { table } of files) {
    const { left } = table;
    const begun = Number(/"t_start"\s*:\s*([0-9.e+]+)/i.exec(table.metadata ?? '')?.[1] ?? 0);
    for (const { line, cells } of table.rows()) {
      const [total, length, time] = [0, 1, 2].map((at) => numberOf(cells[at] ?? '', table.separator));
      if (typeof total !== 'number' || typeof length !== 'number' || !(length >= 0))
        left.count('line', 'without a return ("r") or a length ("l")', `line ${line}`);
      else episodes.push({ total, length, ended: begun + (typeof time === 'number' ? time : 0) });
    }
    shortened ||= left.notes().some((note) => !note.includes('the last one'));
    notes.push(...left.notes());
  }
  if (files.length > 1) episodes.sort((a, b) => a.ended - b.ended);
  const found = new Collector();
  let step = 0;
  for (const { total, length } of episodes) {
    step += length;
    found.add('episodic_return', step, total);
    found.add('episodic_length', step, length);
  }
  if (shortened) notes.push('The steps behind what was left out are too low by its episodes.');
  if (files.length > 1) notes.push(`${files.length} monitor files are one run, its episodes in the order in which they ended.`);
  const { name, table } = files[0]!;
  const { identity } = ofFile(name);
  const { columns, notes: own } = found.finish(identity.seed);
  if (columns.length === 0)
    throw broken(`This monitor file holds no episodes. ${notes.join(' ')}`.trim(), 'Choose one of a run that finished some.');
  const id = /"env_id"\s*:\s*"([^"]{1,120})"/.exec(table.metadata ?? '')?.[1];
  return [
    {
      name: id === undefined ? identity.name : plain(`${id} (${identity.name})`),
      seed: identity.seed,
      source: 'Stable-Baselines3',
      columns,
      notes: [...own, ...notes],
    },
  ];
}

/** A cell as a number, infinite and NaN included. null: nothing was measured there. 'text': it is none. */
function numberOf(cell: string, separator: string): number | null | 'text' {
  const text = cell.trim();
  if (text === '' || /^(none|null|n\/a|-)$/i.test(text)) return null;
  if (/^[+-]?nan$/i.test(text)) return Number.NaN;
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const value = separator === ';' && /^[^.,]*,[^,]*$/.test(text) ? text.replace(',', '.') : withoutGroups(text); // 1,5 where semicolons part cells
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) ? Number(value) : 'text';
}

/** 12,345.6 as spreadsheets write it. */
const withoutGroups = (text: string): string => (/^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/.test(text) ? text.replaceAll(',', '') : text);

function open(text: string): Table {
  const left = new LeftOut();
  let metadata: string | null = null;
  for (const { line, text: own } of linesOf(text, left)) {
    if (own.startsWith('#')) {
      metadata ??= own.slice(1);
      continue;
    }
    const separator = separatorOf(own) ?? ',';
    const header = cellsOf(own, separator);
    if (header === null) throw broken(`Line ${line}, the header, has a quote that does not end.`, 'Export the table again.');
    if (header.length > MOST_COLUMNS)
      throw broken(`This table has ${header.length} columns.`, `It may have ${MOST_COLUMNS}; export fewer.`);
    return {
      header,
      separator,
      metadata,
      left,
      rows() {
        return rowsOf(linesBehind(text, line, this.left), header, separator, this.left);
      },
    };
  }
  throw broken('This table is empty.', 'Choose one with curves.');
}

function* linesBehind(text: string, line: number, left: LeftOut) {
  for (const next of linesOf(text, left)) if (next.line > line && !next.text.startsWith('#')) yield next;
}
