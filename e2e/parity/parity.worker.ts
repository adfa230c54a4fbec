/**
 * Five gradient steps of PPO on one recorded rollout, on wasm and on an executor that uses WebGPU: PPO runs on wasm while every minibatch that
 * its learner is fed is kept; then the same seed (so, the same initial parameters) runs on webgpu, and its learner is fed what was kept.
 * Posts losses of each step and parameters after the last, as plain arrays.
 */
import type { ExecutorId } from '#contract/run/config.ts';
import { loadAlgo } from '#core/algos/index.ts';
import { createEngine } from '#core/engine/index.ts';
import { compileWith } from '#core/engine/trace.ts';
import type { Engine, ParamGroup, Program } from '#core/engine/types.ts';
import { createVectorEnv } from '#core/envs/api/vector-env.ts';
import { loadEnv } from '#core/envs/index.ts';
import { Rng } from '#math/rng.ts';

const STEPS = 5;
type Batch = { readonly [input: string]: Float32Array };

interface Trace {
  readonly losses: number[];
  readonly parameters: { readonly [name: string]: readonly number[] };
}

/** The engine with its learner replaced: `feed` may change the inputs of step k; steps after the last one do nothing. */
function tapped(engine: Engine, losses: number[], groups: ParamGroup[], feed: (program: Program, step: number) => void): Engine {
  return {
    ...engine,
    executor: engine.executor,
    exact: true, // so that every step is read back
    compile: compileWith((build, options) => {
      const program: Program = engine.compile(build, options);
      if (options.minimise === undefined) return program;
      const { minimise } = options;
      let step = 0;
      const run = async (): Promise<void> => {
        if (step >= STEPS) return;
        feed(program, step++);
        await program.run({ read: true });
        losses.push(program.out[minimise]?.[0] ?? Number.NaN);
      };
      return { ...program, in: program.in, out: program.out, stats: program.stats, run };
    }),
    group: (name) => {
      const group = engine.group(name);
      groups.push(group);
      return group;
    },
    polyak: (target, source) => engine.polyak(target, source),
    read: (param) => engine.read(param),
    write: (param, data) => engine.write(param, data),
    save: () => engine.save(),
    load: (saved) => engine.load(saved),
    hash: () => engine.hash(),
    dispose: () => engine.dispose(),
  };
}

async function trace(executor: Exclude<ExecutorId, 'auto'>, feed: (program: Program, step: number) => void): Promise<Trace> {
  // Loaded here and not in an import that waits: the first message comes before such a module has its listener.
  const ppo = await loadAlgo('ppo');
  const envEntry = await loadEnv('cartpole');
  const envConfig = envEntry.parse({});
  const config = ppo.parse({ rolloutSteps: 32 });
  const losses: number[] = [];
  const groups: ParamGroup[] = [];
  const engine = await createEngine(executor);
  const run = ppo.train({
    config,
    envEntry,
    envConfig,
    meta: envEntry.meta(envConfig),
    steps: 128,
    seed: 1,
    rng: Rng.from(1),
    makeEnv: (batch) => createVectorEnv(envEntry, envConfig, batch, Rng.from(1).split('env')),
    makeEngine: async () => tapped(engine, losses, groups, feed),
  });
  await run.next();
  const parameters: Record<string, readonly number[]> = {};
  for (const param of groups.flatMap((group) => group.params)) parameters[param.name] = Array.from(await engine.read(param));
  engine.dispose();
  return { losses, parameters };
}

async function compare(executor: Exclude<ExecutorId, 'auto'>): Promise<unknown> {
  const kept: Batch[] = [];
  const wasm = await trace('wasm', (program) => {
    kept.push(Object.fromEntries(Object.entries(program.in).map(([name, data]) => [name, data?.slice() ?? new Float32Array(0)])));
  });
  const webgpu = await trace(executor, (program, step) => {
    for (const [name, data] of Object.entries(kept[step] ?? {})) program.in[name]?.set(data);
  });
  return { wasm, webgpu };
}

self.addEventListener('message', ({ data }: MessageEvent<{ readonly executor: Exclude<ExecutorId, 'auto'> }>) => {
  compare(data.executor).then(
    (answer) => postMessage(answer),
    (error: unknown) => postMessage({ error: error instanceof Error ? `${error.message}\n${error.stack}` : String(error) }),
  );
});
