/**
 * Raw steps of a body: through the interface that trainers use, and a bare loop of mj_step over the same starts and controls, so that
 * both visit the same states, bit for bit (checked). The two take turns in short passes, and the best pass of each counts: a neighbour
 * on the core makes passes slower, never faster.
 */
import { loadEnv } from '#core/envs/all.ts';
import { createVectorEnv, type VectorEnv } from '#core/envs/api/vector-env.ts';
import { modelOf } from '#core/envs/mujoco/lib/define.ts';
import { loadBindings } from '#core/envs/mujoco/lib/load.ts';
import { Rng } from '#math/rng.ts';

export interface RawRates {
  /** Environment steps per second of one row. */
  readonly ours: number;
  /** The same physics steps without an environment around them. */
  readonly bare: number;
}

/** Where an episode begins. */
interface Start {
  readonly step: number;
  readonly qpos: readonly number[];
  readonly qvel: readonly number[];
}

const STEPS = 1000; // of a pass

/** One pass of `STEPS` steps; seconds that it took. */
type Pass = () => number;

function randomActions(vector: VectorEnv): Float32Array[] {
  const space = vector.meta.agents[0]?.action;
  if (space?.kind !== 'box') throw new Error('a body has motors');
  const rng = Rng.from(2);
  return Array.from({ length: STEPS }, () =>
    Float32Array.from(space.low, (low, i) => low + ((space.high[i] ?? low) - low) * rng.uniform()),
  );
}

const seconds = (from: number): number => (performance.now() - from) / 1000;

/** Runs once to note the starts and the last positions, which every further pass repeats. */
async function passes(id: string): Promise<{ readonly ours: Pass; readonly bare: Pass; free(): void }> {
  const entry = await loadEnv(id);
  const fresh = (): VectorEnv => {
    const vector = createVectorEnv(entry, {}, 1, Rng.from(1));
    vector.reset();
    return vector;
  };
  const recorded = fresh();
  const actions = randomActions(recorded);
  const { state } = recorded.meta;
  const positions = (): { readonly qpos: readonly number[]; readonly qvel: readonly number[] } => {
    const { qpos, qvel } = state.toJSON(recorded.env.save(0)) as { readonly [key: string]: number[] };
    return { qpos: qpos ?? [], qvel: qvel ?? [] };
  };
  const starts: Start[] = [{ step: 0, ...positions() }];
  actions.forEach((action, step) => {
    recorded.step(action);
    const over = recorded.buffers.terminated[0] !== 0 || recorded.buffers.truncated[0] !== 0;
    if (over && step < STEPS - 1) starts.push({ step: step + 1, ...positions() });
  });
  const last = recorded.buffers.terminated[0] !== 0 || recorded.buffers.truncated[0] !== 0 ? null : positions().qpos;

  const engine = await loadBindings();
  const { mjcf, substeps } = modelOf(entry);
  const model = engine.MjModel.from_xml_string(mjcf);
  const data = new engine.MjData(model);
  const { qpos, qvel, ctrl } = data; // nothing is allocated from here on
  const bare: Pass = () => {
    let next = 0;
    const from = performance.now();
    actions.forEach((action, step) => {
      const start = starts[next];
      if (start?.step === step) {
        engine.mj_resetData(model, data);
        qpos.set(start.qpos);
        qvel.set(start.qvel);
        engine.mj_forward(model, data);
        next++;
      }
      ctrl.set(action);
      for (let i = 0; i < substeps; i++) engine.mj_step(model, data);
    });
    return seconds(from);
  };
  bare();
  if (last?.some((value, i) => value !== qpos[i])) throw new Error(`${id}: the bare loop does not move as the environment does`);
  return {
    bare,
    ours() {
      const vector = fresh();
      const from = performance.now();
      for (const action of actions) vector.step(action);
      return seconds(from);
    },
    free() {
      data.delete();
      model.delete();
    },
  };
}

export async function rawRates(id: string, rounds: number): Promise<RawRates> {
  const { ours, bare, free } = await passes(id);
  let [best, bestBare] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < rounds; round++) {
    best = Math.min(best, ours());
    bestBare = Math.min(bestBare, bare());
  }
  free();
  return { ours: Math.round(STEPS / best), bare: Math.round(STEPS / bestBare) };
}
