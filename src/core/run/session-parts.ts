/** What a run is made of: its completed config, its memory, and the environments and engines that its method makes. */

import { type Dataset, datasetMissing } from '#contract/files/dataset.ts';
import { present } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { CompleteConfig, ExecutorId } from '#contract/run/config.ts';
import type { EngineUsage, Saved } from '#contract/run/events.ts';
import { potentialOf } from '#contract/run/shaping.ts';
import { Rng } from '#math/rng.ts';
import type { AlgoEntry, Progress, Run } from '../algos/api/types.ts';
import { createEngine } from '../engine/index.ts';
import type { Engine } from '../engine/types.ts';
import { type Lifetime, lifetimeOf } from '../envs/api/lifetime.ts';
import { coverageMeasures, coverageOf, teamMeasures } from '../envs/api/team-measures.ts';
import type { EnvEntry, EnvMeta } from '../envs/api/types.ts';
import { createVectorEnv, type VectorEnv } from '../envs/api/vector-env.ts';
import { partOf } from '../state/saved.ts';
import { newestRun } from './complete.ts';
import type { RunSettings } from './diagnoses/types.ts';
import { heldOutColumns } from './held-out.ts';
import { watchInputs } from './inputs.ts';
import { type Edit, editsToCome, forkMemory, type Memory, openMemory } from './session-memory.ts';
import type { SessionOptions } from './session-types.ts';
import { type MadeStarts, makeStarts, START_STEPS } from './starts.ts';
import { taskColumns } from './tasks.ts';

/** The column of runs that measure the emergence of hidden units (activations.ts). */
export const EMERGENCE = 'emergence';

/** An environment that trains, and whether the method gave it a config of its own, which edits do not reach. */
interface Made {
  readonly vector: VectorEnv;
  readonly elsewhere: boolean;
}

export class RunParts {
  readonly options: SessionOptions;
  readonly algo: AlgoEntry;
  readonly env: EnvEntry;
  readonly meta: EnvMeta;
  readonly seed: number;
  readonly config: CompleteConfig;
  readonly executor: Exclude<ExecutorId, 'auto'>;
  readonly budget: number; // environment steps
  readonly memory: Memory;
  /** Edits that are still to come, by step. */
  script: readonly Edit[] = [];
  readonly inputs: ReturnType<typeof watchInputs>;
  /** What no edit changes; made once, since completing a config costs as much as the rules that read it at every row. */
  private readonly fixed: Omit<RunSettings, 'algo' | 'env'>;
  /** The state is that of a run in another environment: episodes begin anew. */
  private readonly moved: boolean;
  private readonly lifetime: Lifetime;
  private readonly others: Lifetime[] = [];
  private readonly made: Made[] = [];
  private readonly engines: Engine[] = [];
  /** Where training episodes begin besides the usual starts; made before the first step. */
  private starts: MadeStarts | null = null;

  /** Throws LabError where the config or what it resumes from cannot be. */
  constructor(options: SessionOptions) {
    const { algo, seed, resume, fork = false } = options;
    this.options = options;
    this.lifetime = lifetimeOf(options.env);
    const { entry: env } = this.lifetime;
    const config = newestRun(options.config, env, algo, resume !== undefined);
    const world = config.env.config as JsonObject;
    const own = { algo, env, seed, config: config.algo.config as JsonObject, world };
    const begun = fork && resume !== undefined ? forkMemory(own, resume) : { memory: openMemory(own, resume), elsewhere: false };
    this.algo = algo;
    this.env = env;
    this.seed = seed;
    this.config = config;
    this.executor = config.run.executor === 'auto' ? 'wasm' : config.run.executor;
    this.budget = config.run.steps;
    this.memory = begun.memory;
    this.moved = begun.elsewhere;
    this.schedule(options.edits ?? []);
    this.meta = env.meta(config.env.config);
    this.inputs = watchInputs(this.memory.step);
    this.fixed = {
      budget: this.budget,
      algoDefaults: algo.parse({}),
      algoSchema: algo.schema,
      envDefaults: env.parse({}),
      meta: this.meta,
    };
  }

  /** All edits of the run, each at its step: the run makes those that it has not made. */
  schedule(edits: readonly Edit[]): void {
    this.script = editsToCome({ algo: this.algo.id, env: this.env.id }, this.memory, edits);
  }

  /** The run goes on from the state of another run. */
  get forks(): boolean {
    return this.options.fork === true;
  }

  /** Names of everything that a row of metrics holds. */
  columns(): readonly string[] {
    const { algo, meta, config } = this;
    const metrics = [...algo.metrics, ...(algo.metricsOf?.(meta) ?? []), ...teamMeasures(meta), ...coverageMeasures(meta)];
    const begun = config.run.starts === undefined ? [] : [START_STEPS];
    const emerges = config.run.emergence === true && meta.agentCount === 1 ? [EMERGENCE] : [];
    return [
      ...new Set(metrics.map(({ id }) => id)),
      ...begun,
      ...emerges,
      ...taskColumns(config.env.config as JsonObject),
      ...heldOutColumns(config.env.config as JsonObject),
      'evalReturn',
      'seconds',
    ];
  }

  /** The settings as live edits left them, for the rules that judge a run. */
  readonly settings = (): RunSettings => ({ ...this.fixed, algo: this.memory.live, env: this.memory.env });

  /** The first environment that the method made: returns, visits and measures are read from it. */
  get first(): VectorEnv | undefined {
    return this.made[0]?.vector;
  }

  finishedEpisodes(): number {
    return this.first?.episodes.finished ?? this.memory.episodes;
  }

  /** What is loaded or played before the first step. */
  async prepare(): Promise<void> {
    const { env, memory, config, seed } = this;
    await env.prepare?.();
    if (config.run.starts !== undefined) this.starts = await makeStarts(env, memory.env, config.run.starts, seed, this.recording);
  }

  /** The method's loop, from its beginning or from what `resume` holds of it; an iteration is one `next`. */
  async train(): Promise<AsyncGenerator<Progress, void, void>> {
    const { algo, executor, options } = this;
    const train = executor === 'webgpu-rollouts' ? (await import('../rollouts/ppo.ts')).trainOnDevice : algo.train;
    return train(this.context(), options.resume === undefined ? undefined : partOf(options.resume, 'algo'));
  }

  private context(): Run<JsonObject> {
    const { memory, env, meta, budget, seed, executor, engines } = this;
    const makeEngine = this.options.createEngine ?? createEngine;
    return {
      config: memory.live,
      envEntry: env,
      get envConfig() {
        return memory.env; // as live edits left it
      },
      meta,
      steps: budget,
      seed,
      rng: Rng.from(seed),
      makeEnv: (batch, other) => this.makeEnv(batch, other),
      ...(this.options.world !== undefined && { makeOther: this.makeOther }),
      async makeEngine() {
        const engine = await makeEngine(executor);
        engines.push(engine);
        return engine;
      },
      dataset: this.recording,
      ...(this.options.weights !== undefined && { weights: this.options.weights }),
    };
  }

  private makeEnv(batch: number, other: JsonObject | undefined): VectorEnv {
    const { env, memory, config, seed, made, starts } = this;
    const rng = Rng.from(seed).split('env', made.length);
    const here = other === undefined; // elsewhere nothing is shaped, and episodes begin as usual
    const shaping = config.run.shaping && {
      potential: potentialOf(config.run.shaping),
      gamma: () => (typeof memory.live.gamma === 'number' ? memory.live.gamma : 1),
    };
    const { share = 0, until } = config.run.starts ?? {};
    const begin =
      here && starts !== null
        ? { states: starts.states, share, ...(until !== undefined && { lasts: () => memory.step < until }) }
        : undefined;
    const vector = createVectorEnv(env, other ?? memory.env, batch, rng, here ? shaping : undefined, begin);
    made.push({ vector, elsewhere: !here });
    return this.inputs.watch(this.moved && here ? { ...vector, load: () => vector.reset() } : vector);
  }

  private readonly makeOther: NonNullable<Run<JsonObject>['makeOther']> = async (id, batch, config) => {
    const { seed, made, options, others } = this;
    const lifetime = lifetimeOf(await present(options.world, 'other environments')(id));
    others.push(lifetime);
    const { entry } = lifetime;
    const vector = createVectorEnv(entry, entry.parse(config), batch, Rng.from(seed).split('env', made.length));
    made.push({ vector, elsewhere: true });
    return this.inputs.watch(vector);
  };

  private readonly recording = async (hash: string): Promise<Dataset> => {
    const found = await this.options.dataset?.(hash);
    if (found === undefined || found === null) throw datasetMissing(hash);
    return found;
  };

  /** Gives the environments of the run its config as it is now. */
  configure(): void {
    for (const { vector, elsewhere } of this.made) if (!elsewhere) vector.env.configure?.(this.memory.env);
  }

  /** What the first environment measures of itself. */
  measures(): Readonly<Record<string, number>> {
    const { first, starts, memory } = this;
    if (first === undefined) return {};
    const made = starts === null ? {} : { [START_STEPS]: memory.step + starts.steps };
    return { ...first.episodes.measures(), ...coverageOf(first.visits), ...made };
  }

  /** Of all engines together; null: there is none. */
  usage(): EngineUsage | null {
    if (this.engines.length === 0) return null;
    const used = this.engines.map((engine) => engine.usage());
    const threads = Math.max(...used.map(({ threads = 1 }) => threads));
    return {
      bytes: used.reduce((sum, { bytes }) => sum + bytes, 0),
      tensors: used.reduce((sum, { tensors }) => sum + tensors, 0),
      ...(threads > 1 && { threads }),
    };
  }

  /** The state of a run that has trained nothing yet; null: there is none, or it is that of another run. */
  begun(): Saved | null {
    return this.forks ? null : (this.options.resume ?? null);
  }

  dispose(): void {
    for (const engine of this.engines) engine.dispose();
    this.lifetime.dispose();
    for (const other of this.others) other.dispose();
  }
}
