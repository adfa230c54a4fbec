/**
 * One training run without a worker: a complete config and a seed in, events out, commands at any time.
 *
 *   const session = createSession({ config, env, algo, seed: 1, now: () => performance.now() });
 *   for await (const event of session) { ...; await macrotask(); }   // the run goes on only while events are asked for
 *
 * Commands take effect at the next safe point (a yield of the algorithm). The clock decides when events are sent and nothing
 * else: the same config, seed and edits give the same parameters and metrics at any speed. The consumer gets control at least
 * every `sliceMs` (or after each iteration, if that is longer) and must itself let the event loop run.
 */
import type { CompleteConfig, ExecutorId, RunConfig } from '#contract/config.ts';
import { withoutOrder } from '#contract/contexts.ts';
import { type Dataset, datasetMissing } from '#contract/dataset.ts';
import { fail, toFailure } from '#contract/errors.ts';
import type { EngineUsage, PolicySnapshot, Saved, SessionEvent, SessionState } from '#contract/events.ts';
import { nestedPath } from '#contract/flat-settings.ts';
import type { Json, JsonObject } from '#contract/json.ts';
import { withPopulation } from '#contract/population-file.ts';
import type { StepSize } from '#contract/session.ts';
import { potentialOf } from '#contract/shaping.ts';
import type { StopRules } from '#contract/stop-rules.ts';
import { Rng } from '#math/rng.ts';
import type { AlgoEntry, EngineFactory, Progress } from '../algos/api/types.ts';
import { createEngine } from '../engine/index.ts';
import type { Engine } from '../engine/types.ts';
import { lifetimeOf } from '../envs/api/lifetime.ts';
import { coverageMeasures, coverageOf, teamMeasures } from '../envs/api/team-measures.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import { createVectorEnv, type VectorEnv } from '../envs/api/vector-env.ts';
import { joinSaved, partOf } from '../state/saved.ts';
import { newestRun } from './complete.ts';
import { brokenNumbers } from './diagnoses/broken.ts';
import type { Patient } from './diagnoses/types.ts';
import { checkEdit } from './edits.ts';
import { type Evaluation, evaluate } from './evaluate.ts';
import { examine, warningOf } from './health.ts';
import { inputFinding, watchInputs } from './inputs.ts';
import { MetricRows } from './metric-rows.ts';
import { applyEdit, copyJson, type Edit, forkFailure, forkMemory, openMemory, rungAt } from './session-memory.ts';
import { type MadeStarts, makeStarts, START_STEPS } from './starts.ts';
import { stopReason } from './stop-rules.ts';
import { crossedBorder, evaluateTasks, taskColumns } from './tasks.ts';

/** An evaluation, with the return in each task of a sequence. */
type Judged = Evaluation & { readonly tasks: Readonly<Record<string, number>> };

export interface SessionOptions {
  readonly config: CompleteConfig;
  /** The entries that the config names. */
  readonly env: EnvEntry;
  readonly algo: AlgoEntry;
  readonly seed: number;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  /** What save() gave. */
  readonly resume?: Saved;
  /**
   * `resume` is of another run, which had other settings: this run's hold from there on. In another world episodes begin anew; what was
   * learned goes on. Settings of which the state is of another size are refused.
   */
  readonly fork?: boolean;
  /**
   * Gets the state at about forty places of the run (session-memory.ts), at the steps whose policies are kept, and before each live edit. The
   * end is not among them.
   */
  readonly onRung?: (saved: Saved) => void;
  /** Live edits to repeat, by step. */
  readonly edits?: readonly Edit[];
  readonly createEngine?: EngineFactory;
  /** Finds recorded datasets by hash; none are there without it. */
  readonly dataset?: (hash: string) => Promise<Dataset | null>;
  readonly sliceMs?: number;
  readonly stops?: StopRules;
}

export interface Session extends AsyncIterable<SessionEvent> {
  readonly state: SessionState;
  readonly step: number;
  pause(): void;
  resume(): void;
  /** One iteration (one yield of the algorithm), or those until an episode has ended, then pauses. */
  stepOnce(size?: StepSize): void;
  /** Ends the run at the next safe point; save() still gives its state afterwards. */
  stop(): void;
  /** From the next safe point on. */
  stopAt(rules: StopRules): void;
  /** A field marked `live`, e.g. ('algo.lr', 1e-4) or ('env.gravity', 3). Throws LabError('config-invalid'). */
  edit(path: string, value: Json): void;
  /** Everything the run is, at the next safe point. Rejects if the run fails before. */
  save(): Promise<Saved>;
}

const POLICY_EVERY_MS = 1000;
const POPULATION_EVERY_MS = 1000;

type Wanted = 'run' | 'pause' | 'once' | 'episode' | 'stop';

export function createSession(options: SessionOptions): Session {
  const { algo, seed, now, sliceMs = 50 } = options;
  const lifetime = lifetimeOf(options.env);
  const env = lifetime.entry;
  const config = newestRun(options.config, env, algo, options.resume !== undefined);
  const executor: Exclude<ExecutorId, 'auto'> = config.run.executor === 'auto' ? 'wasm' : config.run.executor;
  const makeEngine = options.createEngine ?? createEngine;
  const { steps: budget, evalEvery, evalEpisodes } = config.run;
  const settings = config.algo.config as JsonObject;
  const own = { algo: algo.id, env: env.id, seed, config: settings, world: config.env.config as JsonObject, complete: algo.parse };
  const { memory, elsewhere: moved } =
    options.fork === true && options.resume !== undefined
      ? forkMemory(own, options.resume)
      : { memory: openMemory(own, options.resume), elsewhere: false };
  const script = (options.edits ?? [])
    .filter((edit) => edit.step >= memory.step)
    .map((edit) => ({ ...edit, path: nestedPath(algo.id, edit.path) }));
  const envMeta = env.meta(config.env.config);
  const shaping = config.run.shaping && {
    potential: potentialOf(config.run.shaping),
    gamma: () => (typeof memory.live.gamma === 'number' ? memory.live.gamma : 1),
  };
  const told = [...algo.metrics, ...(algo.metricsOf?.(envMeta) ?? []), ...teamMeasures(envMeta), ...coverageMeasures(envMeta)].map(
    (m) => m.id,
  );
  const begun = config.run.starts === undefined ? [] : [START_STEPS];
  const columns = [...new Set(told), ...begun, ...taskColumns(config.env.config as JsonObject), 'evalReturn', 'seconds'];
  const rows = new MetricRows(columns);
  /** Where training episodes begin besides the usual starts; made before the first step. */
  let starts: MadeStarts | null = null;
  const engines: Engine[] = [];
  const envs: VectorEnv[] = [];
  const elsewhere = new Set<VectorEnv>(); // those that an algorithm gave a config of their own
  let state: SessionState = 'starting';
  let wanted: Wanted = 'run';
  let stops: StopRules = options.stops ?? {};
  /** Episodes finished when the next one was asked for. */
  let episodesBefore = 0;
  const wish = (): Wanted => wanted; // commands change it between any two awaits
  let wake: () => void = () => {};
  let last: Progress | null = null;
  let kept: Saved | null = null; // once the run is over
  let waiting: { resolve(saved: Saved): void; reject(error: unknown): void }[] = [];
  const asked: Edit[] = [];
  const inputs = watchInputs(memory.step);
  const usual = { algoDefaults: algo.parse({}), algoSchema: algo.schema, envDefaults: env.parse({}), meta: envMeta };
  const patient = (): Patient => ({ budget, algo: memory.live, env: memory.env, ...usual });

  const nudge = (): void => wake();
  const finishedEpisodes = (): number => envs[0]?.episodes.finished ?? memory.episodes;

  async function saveNow(progress: Progress): Promise<Saved> {
    const session = copyJson(memory);
    const meta = { kind: 'checkpoint', version: 1, seed, algo: algo.id, env: env.id, session } satisfies JsonObject;
    return joinSaved(meta, { algo: await progress.save() });
  }

  async function answerSaves(progress: Progress): Promise<void> {
    if (waiting.length === 0) return;
    const saved = await saveNow(progress);
    const answered = waiting;
    waiting = [];
    for (const { resolve } of answered) resolve(saved);
  }

  /** A run that goes on without an edit begins at the state before it. */
  async function keepBeforeEdit(): Promise<void> {
    if (asked.length === 0 || options.onRung === undefined) return;
    const begun = options.fork === true ? undefined : options.resume;
    const state = last === null ? begun : await saveNow(last);
    if (state !== undefined) options.onRung(state);
  }

  function applyEdits(events: SessionEvent[]): void {
    while (script[0] !== undefined && script[0].step <= memory.step) asked.push(script.shift() as Edit);
    for (const { path, value } of asked.splice(0)) {
      applyEdit(memory, path, value);
      if (path.startsWith('env.')) for (const made of envs) if (!elsewhere.has(made)) made.env.configure?.(memory.env);
      const text = `${path} set to ${JSON.stringify(value)}`;
      events.push({ kind: 'mark', step: memory.step, type: 'edit', text, path, value, by: 'user' });
    }
  }

  /** Marks of what begins or ceases to be wrong with the run. */
  function judge(metrics: Progress['metrics']): SessionEvent[] {
    const { step, episodes, edits } = memory;
    const tally = inputs.take(step);
    const report = examine(memory.health, metrics, { step, episodes, tally, patient: patient(), edits });
    memory.health = report.state;
    return [
      ...report.findings.map((finding) => warningOf(finding, step)),
      ...report.over.map(({ id, text }) => ({ kind: 'mark', step, type: 'recovered', text, by: 'system', ends: id }) as const),
    ];
  }

  async function snapshotOf(progress: Progress): Promise<PolicySnapshot> {
    const ref = (r: RunConfig['env']): PolicySnapshot['env'] => ({ id: r.id, version: r.version, config: r.config as JsonObject });
    const own = await progress.snapshot();
    const saved = progress.population === undefined ? own : withPopulation(own, progress.population());
    return {
      kind: 'policy',
      version: 1,
      env: { ...ref(config.env), config: withoutOrder(memory.env) }, // it acts in all tasks
      algo: ref(config.algo),
      seed,
      step: memory.step,
      executor,
      saved,
    };
  }

  /** What the first environment measures of itself. */
  function worldMeasures(): Readonly<Record<string, number>> {
    const [first] = envs;
    if (first === undefined) return {};
    const made = starts === null ? {} : { [START_STEPS]: memory.step + starts.steps };
    return { ...first.episodes.measures(), ...coverageOf(first.visits), ...made };
  }

  async function measure(progress: Progress): Promise<Judged> {
    const policy = await progress.policy();
    try {
      const tasks = await evaluateTasks(policy, env, memory.env, evalEpisodes);
      return { ...(await evaluate(policy, env, withoutOrder(memory.env), { episodes: evalEpisodes })), tasks };
    } finally {
      policy.dispose();
    }
  }

  async function recordingOf(hash: string): Promise<Dataset> {
    const found = await options.dataset?.(hash);
    if (found === undefined || found === null) throw datasetMissing(hash);
    return found;
  }

  async function* events(): AsyncGenerator<SessionEvent, void, void> {
    const out: SessionEvent[] = [];
    const become = (next: SessionState): SessionEvent => {
      state = next;
      return { kind: 'state', state: next, step: memory.step };
    };
    yield become('starting');
    const train = executor === 'webgpu-rollouts' ? (await import('../rollouts/ppo.ts')).trainOnDevice : algo.train;
    const trainer = train(
      {
        config: memory.live,
        envEntry: env,
        get envConfig() {
          return memory.env; // as live edits left it
        },
        meta: envMeta,
        steps: budget,
        seed,
        rng: Rng.from(seed),
        makeEnv(batch, other) {
          const rng = Rng.from(seed).split('env', envs.length);
          const here = other === undefined; // elsewhere nothing is shaped, and episodes begin as usual
          const begin = here && starts !== null ? { states: starts.states, share: config.run.starts?.share ?? 0 } : undefined;
          const made = createVectorEnv(env, other ?? memory.env, batch, rng, here ? shaping : undefined, begin);
          envs.push(made);
          if (other !== undefined) elsewhere.add(made);
          return inputs.watch(moved && other === undefined ? { ...made, load: () => made.reset() } : made);
        },
        async makeEngine() {
          const engine = await makeEngine(executor);
          engines.push(engine);
          return engine;
        },
        dataset: recordingOf,
      },
      options.resume === undefined ? undefined : partOf(options.resume, 'algo'),
    );
    let sentAt = now();
    let policyAt = Number.NEGATIVE_INFINITY;
    let populationAt = Number.NEGATIVE_INFINITY;
    let sentStep = -1; // of the newest policy sent
    let speed = { at: memory.seconds, step: memory.step, value: 0 };
    const flush = (): SessionEvent[] => {
      const batch = out.splice(0);
      if (rows.length > 0) batch.push({ kind: 'metrics', columns, rows: rows.take() });
      const elapsed = memory.seconds - speed.at;
      if (elapsed >= 0.25) speed = { at: memory.seconds, step: memory.step, value: (memory.step - speed.step) / elapsed };
      const stepsPerSecond = speed.value || (memory.seconds > 0 ? memory.step / memory.seconds : 0);
      const usage = engines.length === 0 ? {} : { usage: usageOf(engines) };
      batch.push({ kind: 'progress', step: memory.step, seconds: memory.seconds, stepsPerSecond, ...usage });
      const visits = envs[0]?.visits;
      if (visits !== undefined && visits.length > 0) batch.push({ kind: 'visits', step: memory.step, counts: visits.slice() });
      sentAt = now();
      return batch;
    };
    try {
      await env.prepare?.();
      if (config.run.starts !== undefined) starts = await makeStarts(env, memory.env, config.run.starts, seed, recordingOf);
      if (options.resume !== undefined) {
        const text = options.fork === true ? `goes on from step ${memory.step} of another run` : `resumed at step ${memory.step}`;
        yield { kind: 'mark', step: memory.step, type: 'resume', text, by: 'system' };
      }
      yield become('running');
      for (;;) {
        await keepBeforeEdit();
        applyEdits(out);
        if (wish() === 'stop') break;
        if (wish() === 'pause') {
          yield* flush();
          yield become('paused');
          while (wish() === 'pause') {
            const woken = new Promise<void>((resolve) => {
              wake = resolve;
            });
            if (waiting.length > 0 && last !== null) await answerSaves(last);
            else await woken;
            await keepBeforeEdit();
            applyEdits(out);
            yield* out.splice(0);
          }
          if (wish() === 'stop') break;
          yield become('running');
          continue;
        }
        if (wish() === 'once') wanted = 'pause';
        const from = now();
        const next = await trainer.next();
        memory.seconds += (now() - from) / 1000;
        if (next.done === true) break;
        const progress = next.value;
        const before = memory.step;
        last = progress;
        memory.step = progress.step;
        memory.episodes = progress.metrics.episodes ?? memory.episodes;
        out.push(...judge(progress.metrics));
        const over = memory.step >= budget;
        const due = evalEvery > 0 && Math.floor(memory.step / evalEvery) > memory.evaluations;
        if (due && !over) memory.evaluations = Math.floor(memory.step / evalEvery);
        const judged = !over && (due || crossedBorder(memory.env, before, memory.step)) ? await measure(progress) : null;
        if (wish() === 'episode' && finishedEpisodes() > episodesBefore) wanted = 'pause';
        const said = { ...judged?.tasks, evalReturn: judged?.score ?? Number.NaN };
        rows.add(memory.step, { ...worldMeasures(), ...progress.metrics, ...said, seconds: memory.seconds });
        const rung = rungAt(memory.step, budget);
        const onRung = rung > memory.rung;
        memory.rung = rung;
        if (onRung || over || now() - policyAt >= POLICY_EVERY_MS) {
          out.push({ kind: 'policy', snapshot: await snapshotOf(progress), keep: onRung || over });
          policyAt = now();
          sentStep = memory.step;
        }
        if (progress.population !== undefined && (over || now() - populationAt >= POPULATION_EVERY_MS)) {
          out.push({ kind: 'population', report: progress.population() });
          populationAt = now();
        }
        if (onRung && !over) options.onRung?.(await saveNow(progress));
        // Who asks for the state at the very end gets it once the result is known: a run resumed from there has none to give.
        if (over) break;
        const { seconds, episodes } = memory;
        const reason = stopReason(stops, {
          seconds,
          episodes,
          meanReturn: envs[0]?.episodes.meanReturn() ?? progress.metrics.episodicReturn ?? Number.NaN,
        });
        if (reason !== null && wish() !== 'stop') {
          out.push({ kind: 'mark', step: memory.step, type: 'stop', text: reason, by: 'system' });
          wanted = 'stop';
        }
        await answerSaves(progress);
        if (now() - sentAt >= sliceMs) yield* flush();
      }
      yield* flush();
      if (last === null) {
        kept = options.fork === true ? null : (options.resume ?? null); // its state is the one it began with, unless that is another run's
        yield become(memory.step >= budget ? 'done' : 'stopped'); // resumed at its very end, or stopped before it began
        return;
      }
      kept = await saveNow(last);
      const finished = wish() !== 'stop' || memory.step >= budget;
      if (finished) {
        if (sentStep !== memory.step) out.push({ kind: 'policy', snapshot: await snapshotOf(last), keep: true });
        if (memory.step < budget && last.population !== undefined) out.push({ kind: 'population', report: last.population() });
        const final = await measure(last);
        rows.add(memory.step, { ...final.tasks, evalReturn: final.score, seconds: memory.seconds });
        yield* flush();
        const result = {
          seed,
          finalReturn: envs[0]?.episodes.meanReturn() ?? Number.NaN,
          evalReturn: final.score,
          evalLoops: final.loops,
          perAgent: final.perAgent,
          ...(Object.keys(final.measures).length > 0 && { measured: final.measures }),
          steps: memory.step,
          seconds: memory.seconds,
          stepsPerSecond: memory.seconds > 0 ? memory.step / memory.seconds : 0,
          parameterHash: await last.hash(),
        };
        yield { kind: 'result', result };
      }
      yield become(finished ? 'done' : 'stopped');
    } catch (error) {
      yield* flush();
      state = 'failed';
      const failure = toFailure(error);
      const finding =
        failure.id === 'nan-input' ? inputFinding(failure, memory.step, patient()) : brokenNumbers(failure, memory.step, patient());
      if (finding !== null) yield warningOf(finding, memory.step);
      yield { kind: 'state', state, step: memory.step, error: options.fork === true && last === null ? forkFailure(failure) : failure };
    } finally {
      const answered = waiting;
      waiting = [];
      for (const { resolve, reject } of answered) {
        if (kept !== null) resolve(kept);
        else reject(fail('internal', 'The run ended before it could be saved.', 'Its last checkpoint is kept.'));
      }
      await trainer.return();
      for (const engine of engines) engine.dispose();
      lifetime.dispose();
    }
  }

  const stream = events();
  return {
    get state() {
      return state;
    },
    get step() {
      return memory.step;
    },
    pause() {
      if (wanted !== 'stop') wanted = 'pause';
    },
    resume() {
      if (wanted !== 'stop') wanted = 'run';
      nudge();
    },
    stepOnce(size = 'update') {
      if (wanted !== 'stop') wanted = size === 'update' ? 'once' : 'episode';
      episodesBefore = finishedEpisodes();
      nudge();
    },
    stop() {
      wanted = 'stop';
      nudge();
    },
    stopAt(rules) {
      stops = rules;
    },
    edit(named, value) {
      const path = nestedPath(algo.id, named);
      asked.push({ step: memory.step, path, value: checkEdit(memory, algo, env, path, value) });
      nudge();
    },
    save() {
      if (kept !== null) return Promise.resolve(kept);
      if (state === 'failed' || state === 'stopped' || state === 'done') {
        return Promise.reject(fail('internal', 'This run ended without a state to save.', 'Its last checkpoint is kept.'));
      }
      const saved = new Promise<Saved>((resolve, reject) => waiting.push({ resolve, reject }));
      nudge();
      return saved;
    },
    [Symbol.asyncIterator]: () => stream,
  };
}

function usageOf(engines: readonly Engine[]): EngineUsage {
  const used = engines.map((engine) => engine.usage());
  return { bytes: used.reduce((sum, { bytes }) => sum + bytes, 0), tensors: used.reduce((sum, { tensors }) => sum + tensors, 0) };
}
