/**
 * What every environment has in common, so that each writes only its dynamics: which rows start, generators, flags, saving.
 * A core keeps its state in StateRows and steps all rows in its own loop.
 */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Rng } from '#math/rng.ts';
import type { StateRows } from './state.ts';
import type { Actions, Environment, EnvMeta, StepBuffers } from './types.ts';

export interface Core {
  /** Puts a row into a start state, drawing from its generator. */
  start(row: number): void;
  /** One step of every row; writes obs, reward, both flags and whatever else the meta names. */
  step(actions: Actions, out: StepBuffers): void;
  /** Writes obs (and mask, state, alive) of one row. */
  observe(row: number, out: StepBuffers): void;
  frame(row: number, out: Float32Array): void;
  /** Rebuilds what is derived from the state of a row that was loaded; throws LabError('state-invalid'). */
  loaded?(row: number): void;
  /** Takes new values of live fields (types.ts). */
  configure?(config: JsonObject): void;
  extras?(row: number): JsonObject;
  measure?(row: number, out: Float64Array, at: number): void;
  terms?(row: number, out: Float64Array, at: number): void;
  goalReward?: Environment['goalReward'];
  goalDistance?: Environment['goalDistance'];
  latticeObs?: Environment['latticeObs'];
  pull?: Environment['pull'];
  readonly orders?: NonNullable<Environment['orders']>;
  cellOf?(row: number): number;
  placements?: Environment['placements'];
  model?: Environment['model'];
  game?: Environment['game'];
  joint?: Environment['joint'];
  dispose?: Environment['dispose'];
}

export function assemble(meta: EnvMeta, batch: number, rows: StateRows, core: Core): Environment {
  const rewardWidth = meta.agentCount * meta.rewards.length;
  const clear = (row: number, out: StepBuffers) => {
    out.terminated[row] = 0;
    out.truncated[row] = 0;
    out.reward.fill(0, row * rewardWidth, (row + 1) * rewardWidth);
    if (out.cost) {
      const width = meta.agentCount * meta.costs.length;
      out.cost.fill(0, row * width, (row + 1) * width);
    }
  };
  return {
    meta,
    batch,
    reset(seeds, out, marked) {
      for (let row = 0; row < batch; row++) {
        if (marked !== undefined && marked[row] !== 1) continue;
        (rows.rng[row] as Rng).reseed(seeds[row]!);
        core.start(row);
        clear(row, out);
        core.observe(row, out);
      }
    },
    restart(marked, out) {
      for (let row = 0; row < batch; row++) {
        if (marked[row] !== 1) continue;
        core.start(row);
        core.observe(row, out);
      }
    },
    step: (actions, out) => core.step(actions, out),
    frame: (row, out) => core.frame(row, out),
    save: (row) => rows.save(row),
    load(row, state, out) {
      rows.load(row, state);
      core.loaded?.(row);
      clear(row, out);
      core.observe(row, out);
    },
    ...(core.configure && { configure: core.configure.bind(core) }),
    ...(core.extras && { extras: core.extras.bind(core) }),
    ...(core.measure && { measure: core.measure.bind(core) }),
    ...(core.terms && { terms: core.terms.bind(core) }),
    ...(core.goalReward && { goalReward: core.goalReward.bind(core) }),
    ...(core.goalDistance && { goalDistance: core.goalDistance.bind(core) }),
    ...(core.latticeObs && { latticeObs: core.latticeObs.bind(core) }),
    ...(core.pull && { pull: core.pull.bind(core) }),
    ...(core.orders && { orders: core.orders }),
    ...(core.cellOf && { cellOf: core.cellOf.bind(core) }),
    ...(core.placements && { placements: core.placements.bind(core) }),
    ...(core.model && { model: core.model.bind(core) }),
    ...(core.game && { game: core.game.bind(core) }),
    ...(core.joint && { joint: core.joint.bind(core) }),
    ...(core.dispose && { dispose: core.dispose.bind(core) }),
  };
}
