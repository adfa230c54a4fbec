/**
 * Trains one seed after another on a thread of its own (node:worker_threads): jobs in, messages out. Writes the seed's files itself.
 * A seed that is done is not trained again; one with a checkpoint goes on from it.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { outcomesOfCurves } from '#claims/quantity.ts';
import { curvesToCsv } from '#contract/files/curves-csv.ts';
import { encodePolicyFile } from '#contract/files/files.ts';
import { encodePolicies } from '#contract/files/policies-file.ts';
import { isGymEnv } from '#contract/game/gym-id.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { PolicySnapshot, Saved, SeedResult, SessionEvent } from '#contract/run/events.ts';
import { encodeSaved } from '#contract/run/saved.ts';
import { createSession, loadRun } from '#core/run/by-id.ts';
import type { Session } from '#core/run/session.ts';
import { type Gym, giveGym } from '../gym/gyms.ts';
import { loadExtern } from '../kit/extern.ts';
import { type Curves, coreSecondsOf, readSeed, removeCheckpoint, seedFolder, stepOf, writeWhole } from '../kit/seed-folder.ts';
import { type CodeFile, runCode } from '../own/code.ts';
import { findDataset } from './datasets.ts';
import { scriptedOutcome } from './exact.ts';
import { Kept } from './kept.ts';
import { measuredAlike, measureLearned } from './measured.ts';
import { AGAIN_FILES, type FromSeed, type Job, type SeedOutcome, type ToSeed } from './seeds.ts';
import { EventLog } from './tensorboard.ts';
import { prepareTfjs } from './tfjs-files.ts';
import { threadMs } from './thread-clock.ts';
import { engineOn } from './threads.ts';
import { readWeights } from './weights.ts';

const CHECKPOINT_SHARE = 0.05;
type Mark = Extract<SessionEvent, { kind: 'mark' }>;

const port = parentPort;
if (!port) throw new Error('this file is started by cli/train/seeds.ts');
const send = (message: FromSeed): void => port.postMessage(message);

loadExtern();
const given = workerData as { readonly codes?: readonly CodeFile[]; readonly gyms?: readonly Gym[] } | null;
for (const file of given?.codes ?? []) await runCode(file);
for (const gym of given?.gyms ?? []) giveGym(gym);
let session: Session | null = null;
let stopping = false;

function append(curves: Curves, columns: readonly string[], rows: Float64Array): void {
  const width = columns.length + 1;
  for (let at = 0; at < rows.length; at += width) {
    columns.forEach((metric, i) => {
      const value = rows[at + 1 + i]!;
      if (Number.isNaN(value)) return;
      let column = curves.get(metric);
      if (!column) curves.set(metric, (column = { steps: [], values: [] }));
      column.steps.push(rows[at]!);
      column.values.push(value);
    });
  }
}

async function train(job: Job): Promise<SeedOutcome | null> {
  const { config, seed, folder, script, checkpointEvery = 2000, log: logAt, threads = 1, stops, keeping, again } = job;
  const stored = folder === null ? null : readSeed(folder, seed);
  if (stored?.result) return stored.result as SeedOutcome;
  const at = folder === null ? null : seedFolder(folder, seed);
  if (at !== null) mkdirSync(at, { recursive: true });
  if (script !== undefined) {
    const outcome = await scriptedOutcome(config, seed, script);
    if (at !== null) writeWhole(join(at, 'result.json'), `${JSON.stringify(outcome, null, 2)}\n`);
    return outcome;
  }
  if (at !== null && again === undefined) {
    const known = await measuredAlike(job, at);
    if (known !== null) return known;
  }
  const curves: Curves = stored?.curves ?? new Map();
  const log = logAt === undefined ? null : new EventLog(logAt, config);
  const now = (): number => performance.now();
  if (config.run.executor === 'tfjs-wasm') prepareTfjs();
  await loadRun(config);
  const keepState = (saved: Saved): void => {
    const step = stepOf(saved);
    if (again?.keep.includes(step)) writeWhole(join(at as string, AGAIN_FILES.state(step)), encodeSaved(saved));
  };
  const marks: Mark[] = [];
  const policies: PolicySnapshot[] = [];
  const kept = keeping === undefined ? null : await Kept.open(keeping, seed, at, curves);
  const current = createSession({
    config,
    seed,
    now,
    dataset: findDataset,
    weights: readWeights,
    createEngine: engineOn(threads),
    ...(stops !== undefined && { stops }),
    ...(kept !== null && { onEvaluation: kept.evaluated }),
    ...(again !== undefined && { edits: again.edits, keepAt: new Set(again.keep), onRung: (saved) => keepState(saved) }),
    ...(stored?.checkpoint ? { resume: stored.checkpoint } : {}),
  });
  session = current;
  if (stopping) current.stop();
  const begun = { passed: now(), computed: threadMs() };
  const before = stored?.checkpoint ? coreSecondsOf(stored.checkpoint) : 0;
  const computed = (): number => (threadMs() - begun.computed) / 1000;

  const resumable = !isGymEnv(config.env.id);
  let policy: PolicySnapshot | null = null;
  let result: SeedResult | null = null;
  let checkpointAt = now();
  let pause = checkpointEvery; // ms between checkpoints; stretches so that saving stays under a twentieth of the time
  let saying = 0;
  const writeCurves = (): void => {
    const columns = [...curves].map(([metric, { steps, values }]) => ({
      seed,
      metric,
      steps: Float64Array.from(steps),
      values: Float64Array.from(values),
    }));
    writeWhole(join(at as string, 'curve.csv'), curvesToCsv('cli', columns));
  };
  const writeCheckpoint = (saved: Saved): void => {
    // The end of the run is stored as a result; a checkpoint there would have nothing left to do.
    if (stepOf(saved) >= config.run.steps) return;
    const from = now();
    writeCurves();
    const cost = before === null ? {} : { coreSeconds: before + computed() };
    writeWhole(join(at as string, 'checkpoint.rlwb'), encodeSaved({ ...saved, meta: { ...saved.meta, ...cost } }));
    checkpointAt = now();
    pause = Math.max(pause, (checkpointAt - from) / CHECKPOINT_SHARE);
    send({ kind: 'checkpoint', seed, step: stepOf(saved) });
  };
  // Answered at the next safe point, which is reached only while events are asked for: not awaited here. Rows measured before that
  // point may still be on their way; they have come by at the next progress event, and then both are written.
  let asked = false;
  let pending: Saved | null = null;
  const askForCheckpoint = (): void => {
    asked = true;
    current.save().then(
      (saved) => {
        pending = saved;
      },
      () => {}, // the run ended first
    );
  };

  for await (const event of current) {
    if (event.kind === 'metrics') {
      append(curves, event.columns, event.rows);
      log?.addRows(event.columns, event.rows);
    } else if (event.kind === 'policy') {
      policy = event.snapshot;
      if (again?.keep.includes(policy.step)) policies.push(policy);
    } else if (event.kind === 'result') result = event.result;
    else if (event.kind === 'mark') {
      marks.push(event);
      const { step, type, text, finding, ends } = event;
      send({ kind: 'mark', seed, step, type, text, finding, ends });
    } else if (event.kind === 'state' && event.error) throw Object.assign(new Error(event.error.message), { failure: event.error });
    else if (event.kind === 'progress' && now() - saying > 500) {
      saying = now();
      log?.flush();
      const { step, seconds, stepsPerSecond } = event;
      send({ kind: 'progress', seed, step, seconds, stepsPerSecond, episodicReturn: curves.get('episodicReturn')?.values.at(-1) ?? null });
    }
    if (again !== undefined) {
      if (event.kind === 'progress' && again.until !== null && event.step >= again.until) current.stop();
    } else if (at !== null && resumable && event.kind === 'progress') {
      if (pending) {
        writeCheckpoint(pending);
        pending = null;
        asked = false;
      } else if (!asked && now() - checkpointAt > pause) askForCheckpoint();
    }
    await setImmediate();
  }
  session = null;
  log?.flush();
  const share = Math.min(1, computed() / ((now() - begun.passed) / 1000));
  const learning = computed();
  if (at !== null && policy) writeWhole(join(at, 'policy.json'), encodePolicyFile(policy));
  if (at !== null && again !== undefined) {
    if (result !== null) keepState(await current.save());
    writeWhole(join(at, AGAIN_FILES.policies), encodePolicies(policies));
    writeWhole(join(at, AGAIN_FILES.marks), JSON.stringify(marks));
    if (result === null) writeCurves();
  } else if (!result) {
    if (at !== null && resumable && current.state === 'stopped' && current.step > 0) writeCheckpoint(await current.save());
  }
  if (!result) return null;
  const trained = threadMs();
  const measured = await measureLearned(policy, job);
  const outcome: SeedOutcome = {
    ...result,
    // A checkpoint of an earlier version does not say what it cost: its seconds are taken to have had the same share of a core.
    // Measuring what was learned may take longer than learning it.
    coreSeconds: (before === null ? result.seconds * share : before + learning) + (threadMs() - trained) / 1000,
    ...outcomesOfCurves(curves),
    ...measured,
  };
  if (at !== null) {
    writeCurves();
    writeWhole(join(at, 'result.json'), `${JSON.stringify(outcome, null, 2)}\n`);
    removeCheckpoint(folder as string, seed);
  }
  return outcome;
}

port.on('message', (message: ToSeed) => {
  if (message.kind === 'stop') {
    stopping = true;
    session?.stop();
    return;
  }
  const { seed } = message;
  train(message).then(
    (outcome) => send(outcome ? { kind: 'done', seed, outcome } : { kind: 'stopped', seed }),
    (error: unknown) => send({ kind: 'failed', seed, failure: toFailure(error) }),
  );
});
