/** Real logs and tables, and their neighbours: what of them is read, and what is said of the rest. `field/` holds files of tensorboardX and others. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { textOf } from '../kit/bytes.ts';
import { utf8 } from '../kit/canonical.ts';
import { type ForeignFile, readForeign, readForeignFiles, saidOf } from './read.ts';
import type { ForeignRun } from './runs.ts';
import { scalarRecord, versionRecord } from './tensorboard-write.ts';

const FIELD = join(import.meta.dirname, 'field');
const file = (name: string): ForeignFile => ({ name, bytes: new Uint8Array(readFileSync(join(FIELD, name))) });
const folder = (name: string): ForeignFile[] => readdirSync(join(FIELD, name)).map((own) => file(`${name}/${own}`));
const named = (name: string, content: string): ForeignFile => ({ name, bytes: utf8(content) });

function open({ name, bytes }: ForeignFile): ForeignRun {
  const [run, ...more] = readForeign(bytes, new TextDecoder().decode(bytes), name) ?? [];
  expect(more).toEqual([]);
  if (run === undefined) throw new Error(`${name} was not read`);
  return run;
}
const points = (run: ForeignRun | undefined, metric = 'episodicReturn'): readonly (readonly [step: number, value: number])[] => {
  const column = run?.columns.find((one) => one.metric === metric);
  return [...(column?.steps ?? [])].map((step, i) => [step, column!.values[i]!] as const);
};

describe('a log that was resumed', () => {
  /** What EventAccumulator of TensorBoard 2.21 gives for both inputs: 10 until the crash at 1,500 without the steps from 1,000 on, then 20. */
  const whole = Array.from({ length: 21 }, (_, i) => [100 * i, i < 10 ? 10 : 20]);

  test('in one file: the branch that was left is dropped, and that is said', () => {
    const run = open(file('resumed-one-file/events.out.tfevents.1700000001.host'));
    expect(points(run)).toEqual(whole);
    expect(run.notes).toEqual(['The run was resumed at step 1,000: 6 points of the branch that it left dropped.']);
  });

  test('in two files of one folder: one run', () => {
    const { runs } = readForeignFiles(folder('resumed__ppo__1__1700000001').reverse());
    expect(runs).toMatchObject([{ name: 'resumed__ppo', seed: 1 }]);
    expect(points(runs[0])).toEqual(whole);
    expect(runs[0]?.notes.join()).toContain('resumed at step 1,000: 6 points');
  });

  const log = (from: number, to: number, value: number, by = 100): Uint8Array => {
    const records = [versionRecord(1)];
    for (let step = from; step <= to; step += by) records.push(scalarRecord(1, step, [['charts/episodic_return', value]]));
    return Uint8Array.from(records.flatMap((bytes) => [...bytes]));
  };
  const join2 = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));

  test('where only the steps say so, several times', () => {
    const run = open({ name: 'a/events.out.tfevents.1.h', bytes: join2(log(0, 1500, 1), log(1000, 1700, 2), log(1600, 3000, 3)) });
    expect(points(run)).toEqual(Array.from({ length: 31 }, (_, i) => [100 * i, i < 10 ? 1 : i < 16 ? 2 : 3]));
  });

  test('a table that goes back, also where its header is repeated', () => {
    const run = open(named('progress.csv', 'step,a\n100,1\n200,1\n300,1\nstep,a\n200,2\n300,2\n400,2\n'));
    expect(points(run, 'a')).toEqual([
      [100, 1],
      [200, 2],
      [300, 2],
      [400, 2],
    ]);
    expect(run.notes).toEqual(['The run was resumed at step 200: 2 points of the branch that it left dropped.']);
  });

  test('points in no order are sorted and kept; several at one step are kept', () => {
    const back = open(named('a.csv', 'step,a\n400,4\n300,3\n200,2\n100,1\n'));
    expect(points(back, 'a').map(([step]) => step)).toEqual([100, 200, 300, 400]);
    expect(back.notes).toEqual(['The points of "a" are in no order and were sorted by their steps.']);
    expect(points(open(named('a.csv', 'step,a\n1,1\n1,2\n2,3\n')), 'a')).toHaveLength(3);
  });

  test('two runs in one folder stay two: the second begins where the first did', () => {
    const { runs } = readForeignFiles([
      { name: 'logs/events.out.tfevents.200.h', bytes: log(0, 300, 2) },
      { name: 'logs/events.out.tfevents.100.h', bytes: log(0, 500, 1) },
    ]);
    expect(runs.map(({ name }) => name)).toEqual(['logs', 'logs (2)']);
    expect(runs.map((run) => points(run).length)).toEqual([6, 4]);
  });
});

describe('what is cut off at its end', () => {
  test('a record of an event file', () => {
    const run = open(file('cut/events.out.tfevents.1.h'));
    expect(points(run).length).toBeGreaterThan(40);
    expect(run.notes.join()).toContain('1 record left out, cut off at the end of the file');
  });

  test.each(['progress-cut-step.csv', 'progress-cut.csv'])('%s: the last line', (name) => {
    const run = open(file(name));
    expect(points(run)).toEqual([
      [2048, 10],
      [4096, 20.5],
    ]);
    expect(run.notes).toEqual(['1 line left out, the last one, which has no line end and may be cut off: line 4.']);
  });

  test('monitor-cut.csv', () => {
    const run = open(file('monitor-cut.csv'));
    expect(points(run).map(([, value]) => value)).toEqual([10, 20]);
    expect(run.notes.join()).toContain('may be cut off: line 5');
  });

  test('the curves that the page exports', () => {
    const run = open(named('mine.csv', 'run,seed,step,metric,value\nr,1,10,a,1\nr,1,2'));
    expect(points(run, 'a')).toEqual([[10, 1]]);
    expect(run.notes).toEqual(['The last line has no line end and may be cut off: it was left out.']);
  });

  test('a last line is whole where its last cell ends with a quote', () => {
    const run = open(named('wandb.csv', '"step","x - a"\n"1","2"\n"2","3"'));
    expect(points(run, 'a')).toHaveLength(2);
    expect(run.notes).toEqual([]);
  });
});

describe('what can be read is read', () => {
  test('260 metrics: the first 200', () => {
    const run = open(folder('many')[0]!);
    expect(run.columns.length).toBeGreaterThanOrEqual(200);
    expect(run.notes.join()).toMatch(/metrics left out beyond the first 200/);
  });

  test('a history of W&B whose calls logged different things', () => {
    const run = open(file('wandb-history.csv'));
    expect(run.source).toBe('Weights & Biases');
    expect(points(run)).toEqual([
      [100, 10],
      [200, 20],
    ]);
    expect(points(run, 'eval/mean')).toEqual([[100, 5]]);
    expect(run.notes).toEqual(['Lines without "global_step" stand at that of the line before.']);
  });

  test('a column of texts', () => {
    const run = open(file('wandb-text.csv'));
    expect(points(run)).toEqual([
      [0, 10],
      [1, 20],
    ]);
    expect(run.notes).toEqual(['1 column without numbers left out: "videos".']);
  });

  test('a line that two processes wrote at once', () => {
    const run = open(file('monitor-joined.csv'));
    expect(points(run)).toEqual([
      [141, 140],
      [203, 61],
    ]);
    expect(run.notes.join(' ')).toMatch(
      /1 line left out, of another number of cells.*line 4\. The steps behind what was left out are too low/,
    );
  });

  test('progress.csv of RLlib, by its own names', () => {
    const run = open(file('rllib-progress.csv'));
    expect(run.source).toBe('RLlib');
    expect(points(run)).toEqual([
      [4000, 20.5],
      [8000, 30.5],
    ]);
    expect(run.notes).toEqual(['1 column without numbers left out: "hostname".']);
  });

  test('a step below 0', () => {
    const run = open(folder('minus-one-step')[0]!);
    expect(points(run)).toHaveLength(5);
    expect(run.notes).toEqual(['5 points left out, with a step below 0 or none: "a".']);
  });

  test('a loss that became NaN is said with the step', () => {
    const run = open(folder('CartPole-v1__ppo__7__1700000000')[0]!);
    expect(run).toMatchObject({ name: 'CartPole-v1__ppo', seed: 7 });
    expect(points(run, 'losses/value_loss')).toHaveLength(31);
    expect(run.notes).toEqual([
      '19 values of "losses/value_loss" NaN or infinite, the first at step 3,100: the curve has no points there.',
    ]);
    expect(open(named('a.csv', 'step,loss\n1,2\n2,nan\n3,-Infinity\n')).notes[0]).toContain(
      '2 values of "loss" NaN or infinite, the first at step 2',
    );
  });

  test('a cell with line ends within quotes; a quote that does not end costs its line alone', () => {
    const rows = Array.from({ length: 60 }, (_, i) => `${i + 10},1,x`).join('\n');
    const run = open(named('a.csv', `step,a,note\n1,2,"two\nlines"\n3,4,"open\n${rows}\n`));
    expect(points(run, 'a').length).toBeGreaterThan(10);
    expect(points(run, 'a')[0]).toEqual([1, 2]);
    expect(run.notes.join()).toContain('quote that does not end');
  });
});

describe('names and forms', () => {
  test('the export of TensorBoard: the time of the clock is no curve', () => {
    expect(open(file('tb-export.csv'))).toMatchObject({ source: 'TensorBoard', columns: [{ metric: 'Value' }] });
    const run = open(named('run-CartPole-v1__ppo__3__1700000000-tag-charts_episodic_return.csv', 'Wall time,Step,Value\n1.5,100,2\n'));
    expect(run).toMatchObject({ name: 'CartPole-v1__ppo', seed: 3 });
    expect(points(run)).toEqual([[100, 2]]);
  });

  test.each([
    ['in capitals', 'WALL TIME,STEP,Charts/Episodic_Return\n1,100,2\n'],
    ['with tabs', 'Relative Time (Process)\tStep\tcharts/episodic_return\n1\t100\t2\n'],
    ['with semicolons and commas in numbers', 'wall_time;step;charts/episodic_return\n1;100,0;2,0\n'],
    ['with a mark before it', '\ufeffstep,charts/episodic_return\n100,2\n'],
    ['with line ends of an old Mac', 'step,charts/episodic_return\r100,2\r'],
    ['with line ends of Windows', 'step,charts/episodic_return\r\n100,2\r\n'],
    ['with spaces and groups of digits', 'step, charts/episodic_return\n"100", 2\n'],
  ])('a table %s', (_, content) => {
    expect(points(open(named('a.csv', content)))).toEqual([[100, 2]]);
  });

  test('UTF-16, as a shell of Windows writes it, and gzip', () => {
    const content = 'step,charts/episodic_return\n100,2\n';
    const wide = new Uint8Array([0xff, 0xfe, ...new Uint8Array(Uint16Array.from(content, (letter) => letter.charCodeAt(0)).buffer)]);
    expect(points(open({ name: 'a.csv', bytes: wide }))).toEqual([[100, 2]]);
    expect(points(open({ name: 'a.csv.gz', bytes: gzipSync(utf8(content), { filename: 'a.csv' }) }))).toEqual([[100, 2]]);
    const packed = gzipSync(file('resumed-one-file/events.out.tfevents.1700000001.host').bytes);
    expect(points(open({ name: 'events.out.tfevents.1.gz', bytes: packed }))).toHaveLength(21);
    expect(() => open({ name: 'a.gz', bytes: packed.subarray(0, 60) })).toThrow('"a.gz" cannot be unpacked');
  });

  test.each([
    ['runs/CartPole-v1__ppo__5__1700000000/events.out.tfevents.1.h', 'CartPole-v1__ppo', 5],
    ['runs\\CartPole-v1__ppo__5__1700000000\\events.out.tfevents.1.h', 'CartPole-v1__ppo', 5],
    ['logs/ppo_seed_4/progress.csv', 'ppo', 4],
    ['logs/ppo/seed-4/monitor.csv', 'ppo', 4],
    ['ant_s12/progress.txt', 'ant', 12],
    ['ppo-seed=4.csv', 'ppo', 4],
    ['walker.csv', 'walker', null],
  ])('%s', (name, run, seed) => {
    const bytes = name.includes('tfevents') ? scalarRecord(1, 5, [['a', 1]]) : utf8('step,a\n5,1\n');
    expect(open({ name, bytes })).toMatchObject({ name: run, seed });
  });

  test('several runs in one table, by a column of seeds', () => {
    const runs = readForeign(new Uint8Array(), 'seed,step,a\n1,10,1\n1,20,2\n2,10,3\n2,20,4\n', 'ppo.csv');
    expect(runs?.map(({ name, seed, notes }) => [name, seed, notes])).toEqual([
      ['ppo', 1, []],
      ['ppo', 2, []],
    ]);
  });

  test('two names of one metric are two curves, and two runs of one name two runs', () => {
    const run = open(named('a.csv', 'step,episodic_return,charts/episodic_return\n1,2,3\n'));
    expect(run.columns.map(({ metric }) => metric)).toEqual(['episodicReturn', 'charts/episodic_return']);
    expect(readForeign(new Uint8Array(), 'Step,b - a,b - a\n1,2,3\n', 'w.csv')?.map(({ name }) => name)).toEqual(['b', 'b (2)']);
  });
});

describe('several files at once', () => {
  const seeds = [1, 2, 3, 4, 5].map((seed) => ({
    name: `runs/CartPole-v1__ppo__${seed}__1700000000/events.out.tfevents.1.h`,
    bytes: scalarRecord(1, 5, [['charts/episodic_return', seed]]),
  }));

  test('five runs of CleanRL are five seeds of one set-up', () => {
    const read = readForeignFiles(seeds);
    expect(read.runs.map(({ name, seed }) => [name, seed])).toEqual([1, 2, 3, 4, 5].map((seed) => ['CartPole-v1__ppo', seed]));
    expect(saidOf(read)[0]).toBe(
      '5 runs opened: "CartPole-v1__ppo, seed 1", "CartPole-v1__ppo, seed 2", "CartPole-v1__ppo, seed 3", "CartPole-v1__ppo, seed 4" and 1 more.',
    );
  });

  test('what is broken or unknown is named, and the others open', () => {
    const read = readForeignFiles([seeds[0]!, named('broken.csv', 'a,b\n1,2\n'), named('notes.md', 'hello')]);
    expect(read.runs).toHaveLength(1);
    expect(saidOf(read).slice(1)).toEqual([
      expect.stringContaining('"broken.csv" left out: This table has no column of steps'),
      '1 file left out, none that is known here: "notes.md".',
    ]);
  });

  test('monitor files of one run’s environments are one run, in the order in which its episodes ended', () => {
    const monitor = (start: number, rows: string): string => `#{"t_start": ${start}, "env_id": "Ant"}\nr,l,t\n${rows}`;
    const read = readForeignFiles([
      named('ppo/0.monitor.csv', monitor(100, '1,10,1\n3,10,3\n')),
      named('ppo/1.monitor.csv', monitor(100.5, '2,5,1.0\n4,5,3\n')),
    ]);
    expect(read.runs).toHaveLength(1);
    expect(read.runs[0]?.name).toBe('Ant (ppo)');
    expect(points(read.runs[0])).toEqual([
      [10, 1],
      [15, 2],
      [25, 3],
      [30, 4],
    ]);
  });

  test('a progress.csv beside its event file is not counted twice', () => {
    const read = readForeignFiles([seeds[0]!, named('runs/CartPole-v1__ppo__1__1700000000/progress.csv', 'step,a\n1,2\n')]);
    expect(read.runs).toHaveLength(1);
    expect(read.left).toEqual([expect.stringContaining('holds the same run')]);
  });

  test('all real inputs at once: nothing is lost without a word', () => {
    const names = readdirSync(FIELD, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(FIELD.length + 1));
    const read = readForeignFiles(names.map(file));
    expect(read.unknown).toEqual([]);
    expect(read.left).toEqual([]);
    expect(read.runs).toHaveLength(14);
    expect(textOf(utf8(saidOf(read)[0]!))).toContain('14 runs opened');
  });
});
