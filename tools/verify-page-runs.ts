import { indexedRun, indexText, runTexts, SEED_FILES, seedFolderName } from '#contract/files/container.ts';
import type { CurveColumn, RunFile } from '#contract/files/files.ts';
import { encodePoints } from '#contract/files/points-file.ts';
import { encodePolicies } from '#contract/files/policies-file.ts';
import { utf8 } from '#contract/kit/canonical.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import type { EditOf, PolicySnapshot, Saved, SeedResult } from '#contract/run/events.ts';
import { encodeSaved } from '#contract/run/saved.ts';
import { completeRun, createSession } from '#core/run/loaded.ts';
import { bundleReadme, citeRun } from '#report/bundle-texts.ts';
import { stepOf } from '../cli/kit/seed-folder.ts';
import type { Files } from './verify-copies.ts';

/** A run as the page keeps it, from sessions as its workers run them. */
export interface PageRun {
  readonly file: RunFile;
  readonly curves: readonly CurveColumn[];
  readonly beside: ReadonlyMap<string, Uint8Array>;
}

async function pageSeed(config: RunConfig, seed: number, edits: readonly EditOf[], stopAt: number | null) {
  const marks: RunFile['seeds'][number]['marks'] = [];
  const curves = new Map<string, { steps: number[]; values: number[] }>();
  const policies: PolicySnapshot[] = [];
  const points: Saved[] = [];
  let result: SeedResult | null = null;
  let clock = 0;
  const now = (): number => (clock += 0.37);
  let resume: Saved | null = null;
  for (const until of [...(stopAt === null ? [] : [stopAt]), null]) {
    const session = createSession({
      config: completeRun(config),
      seed,
      now,
      sliceMs: 0,
      edits,
      onRung: (saved) => void points.push(saved),
      ...(resume !== null && { resume }),
    });
    for await (const event of session) {
      if (event.kind === 'mark') marks.push(JSON.parse(JSON.stringify(event)));
      if (event.kind === 'policy' && event.keep === true) policies.push(event.snapshot);
      if (event.kind === 'result') result = event.result;
      if (event.kind === 'progress' && until !== null && event.step >= until) session.stop();
      if (event.kind !== 'metrics') continue;
      const width = event.columns.length + 1;
      event.columns.forEach((metric, i) => {
        for (let at = 0; at < event.rows.length; at += width) {
          const value = event.rows[at + 1 + i]!;
          if (Number.isNaN(value)) continue;
          const column = curves.get(metric) ?? { steps: [], values: [] };
          curves.set(metric, column);
          column.steps.push(event.rows[at]!);
          column.values.push(value);
        }
      });
    }
    resume = await session.save();
  }
  const columns = [...curves].map(
    ([metric, { steps, values }]): CurveColumn => ({ seed, metric, steps: Float64Array.from(steps), values: Float64Array.from(values) }),
  );
  const state = resume as Saved;
  const before = points.filter((point) => stepOf(point) < stepOf(state));
  return { marks, columns, policies, state, points: before, result: result as SeedResult | null };
}

export async function pageRun(id: string, asked: unknown, edits: readonly EditOf[] = [], stopAt: number | null = null): Promise<PageRun> {
  const config = completeRun(asked);
  const beside = new Map<string, Uint8Array>();
  const curves: CurveColumn[] = [];
  const seeds: RunFile['seeds'] = [];
  for (let seed = config.run.seedStart; seed < config.run.seedStart + config.run.seeds; seed++) {
    const done = await pageSeed(config, seed, edits, stopAt);
    curves.push(...done.columns);
    const at = (name: string): string => `${id}/${seedFolderName(seed)}/${name}`;
    beside.set(at(SEED_FILES.checkpoint), encodeSaved(done.state));
    beside.set(at(SEED_FILES.policies), encodePolicies(done.policies));
    const points = done.points.slice(0, 2).map((saved) => ({ saved, step: stepOf(saved), sealedNames: [] }));
    const packed = encodePoints({ newest: { saved: done.state, step: stepOf(done.state), sealedNames: [] }, point: false, points });
    if (packed !== null) beside.set(at(SEED_FILES.points), packed);
    const { result, marks } = done;
    if (result === null) throw new Error('the run has no result');
    seeds.push({
      seed,
      state: 'done',
      step: result.steps,
      seconds: result.seconds,
      stepsPerSecond: 5,
      checkpointStep: stepOf(done.state),
      result,
      failure: null,
      marks,
    });
  }
  const file: RunFile = {
    kind: 'run', version: 1, id, name: 'My run', config, hash: configHash(config), colour: 2, dash: 1, createdAt: 1_790_000_000_000,
    visible: true, note: 'a note', parent: null, executorReason: 'exact, the default', origin: { kind: 'own', title: '' }, seeds,
  }; // biome-ignore format: one record
  return { file, curves, beside };
}

/** What the page saves as a bundle. */
export function bundleOf(runs: readonly PageRun[]): Files {
  const files = new Map<string, Uint8Array>();
  const index = runs.map(({ file }) => indexedRun({ folder: file.id, file }));
  files.set('project.json', utf8(indexText(index, '2026-11-20T10:00:00.000Z')));
  for (const { file, curves, beside } of runs) {
    for (const [name, text] of runTexts(file, curves)) files.set(`${file.id}/${name}`, utf8(text));
    for (const [name, data] of beside) files.set(name, data);
  }
  const bundled = runs.map(({ file }) => ({
    name: file.name,
    config: file.config,
    hash: file.hash,
    folder: file.id,
    results: file.seeds.flatMap(({ result }) => result ?? []),
    link: null,
  }));
  files.set('README.md', utf8(bundleReadme(bundled, 'bundle.zip', '0.2.0 (abc)')));
  files.set('CITATION.bib', utf8(bundled.map((run) => citeRun(run, '0.2.0 (abc)', 2026)).join('\n')));
  const rows = runs.flatMap(({ file, curves }) =>
    file.seeds.flatMap(({ seed, marks }) => [
      ...curves
        .filter((column) => column.seed === seed)
        .flatMap(({ metric, steps, values }) => Array.from(steps, (step, i) => `${file.name},${seed},${step},${metric},${values[i]}`)),
      ...marks.map(
        (mark) =>
          `${file.name},${seed},${mark.step},event:${mark.type},${/[",]/.test(mark.text) ? `"${mark.text.replaceAll('"', '""')}"` : mark.text}`,
      ),
    ]),
  );
  files.set('figure.csv', utf8(`run,seed,step,metric,value\n${rows.join('\n')}\n`));
  files.set('figure.svg', utf8('<svg></svg>'));
  return files;
}
