/**
 * Small known models: their table, exact values, and an environment that samples from it.
 * Outcomes of (state, action) stand from offset[s * N + a] to offset[s * N + a + 1], in the order of the reference.
 */
import type { MetricCard } from '#contract/catalog/catalog.ts';
import type { GridLayout } from '#contract/game/frames.ts';
import { checkCell, numberOf } from '../../api/checks.ts';
import { Draws } from '../../api/draws.ts';
import { assemble, type Core } from '../../api/environment.ts';
import { allocateRows, defineState } from '../../api/state.ts';
import type { DrawSource, Environment, EnvMeta, ScriptedPolicy, StepBuffers, TabularModel } from '../../api/types.ts';
import { finitePlan, optimalValues } from './values.ts';

export interface Outcome {
  readonly probability: number;
  readonly next: number;
  readonly reward: number;
  readonly terminated: boolean;
}

export function buildModel(
  states: number,
  actions: number,
  outcomes: (state: number, action: number) => readonly Outcome[],
  starts: readonly number[],
): TabularModel {
  const offset = new Int32Array(states * actions + 1);
  const all: Outcome[] = [];
  for (let s = 0; s < states; s++)
    for (let a = 0; a < actions; a++) {
      all.push(...outcomes(s, a));
      offset[s * actions + a + 1] = all.length;
    }
  const start = new Float64Array(states);
  for (const s of starts) start[s] = 1 / starts.length;
  return {
    states,
    actions,
    offset,
    probability: Float64Array.from(all, (o) => o.probability),
    next: Int32Array.from(all, (o) => o.next),
    reward: Float64Array.from(all, (o) => o.reward),
    terminated: Uint8Array.from(all, (o) => (o.terminated ? 1 : 0)),
    start,
  };
}

/** The state of every environment with a table. */
export const tabularState = defineState(1, [
  { name: 'state', type: 'u32', shape: [], doc: 'number of the state, as in the reference' },
  { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
]);
const STATE = 0;
const STEPS = 1;

/** The same where what an action loses against the best one is known: worlds whose best policy does not depend on the steps done. */
export const regretState = defineState(1, [
  { name: 'regret', type: 'f64', shape: [], doc: 'what this episode lost so far against best play, on average' },
  { name: 'state', type: 'u32', shape: [], doc: 'number of the state' },
  { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
]);

/** What a world with `regretState` measures of an episode. */
export const EPISODE_REGRET: MetricCard = {
  id: 'episodeRegret',
  title: 'regret of an episode',
  description:
    'What the actions of an episode lost against the best ones, on average, by the exact values: its expected return lies so far below the optimum.',
};

export interface TabularParts {
  readonly meta: EnvMeta;
  readonly model: TabularModel;
  /** Legal actions of a state, where the environment has masks. */
  readonly mask?: (state: number) => readonly number[];
  readonly frame: (state: number, out: Float32Array) => void;
  /** [S, N] What an action loses against the best one of its state, V*(s) - Q*(s, a). Its meta has `regretState`, the cost "regret" and EPISODE_REGRET. */
  readonly gap?: Float64Array;
  /** The one measure of its meta, of an episode that ended in this state; not with `gap`. */
  readonly measure?: (state: number) => number;
  /** Grids: the cell of a state, and the states equal to it with the agent at every place it could stand. */
  readonly grid?: { readonly cellOf: (state: number) => number; readonly places: (state: number) => readonly number[] };
}

export function createTabular(parts: TabularParts, batch: number, script?: DrawSource): Environment {
  const { meta, model } = parts;
  const { gap } = parts;
  const rows = allocateRows(gap ? regretState : tabularState, batch);
  const draws = new Draws(rows.rng, script);
  const { words, wordStride, floats } = rows; // `floats` [B]: the regret, where there is one
  const starts = Array.from(model.start.keys()).filter((s) => model.start[s]! > 0);
  const n = model.states;
  const actionCount = model.actions;
  const masks = parts.mask && Array.from({ length: n }, (_, s) => Uint8Array.from(parts.mask?.(s) ?? []));
  const observe = (row: number, out: StepBuffers) => {
    const s = words[row * wordStride + STATE]!;
    out.obs.fill(0, row * n, (row + 1) * n);
    out.obs[row * n + s] = 1;
    if (masks && out.mask) out.mask.set(masks[s] as Uint8Array, row * actionCount);
  };
  const { grid, measure } = parts;
  const core: Core = {
    start(row) {
      const k = starts.length === 1 ? 0 : draws.int(row, starts.length, 'start');
      words[row * wordStride + STATE] = starts[k]!;
      words[row * wordStride + STEPS] = 0;
      if (gap) floats[row] = 0;
    },
    step(actions, out) {
      const { offset, probability, next, reward, terminated } = model;
      for (let row = 0; row < batch; row++) {
        const base = row * wordStride;
        const s = words[base + STATE]!;
        const pair = s * actionCount + actions[row]!;
        if (gap) {
          floats[row]! += gap[pair]!;
          if (out.cost) out.cost[row] = gap[pair]!;
        }
        let at = offset[pair]!;
        const last = offset[pair + 1]! - 1;
        if (at < last) {
          let u = draws.uniform(row, 'outcome');
          while (at < last && u >= probability[at]!) {
            u -= probability[at]!;
            at++;
          }
        }
        const t = words[base + STEPS]! + 1;
        const s2 = next[at]!;
        words[base + STATE] = s2;
        words[base + STEPS] = t;
        out.reward[row] = reward[at]!;
        out.terminated[row] = terminated[at]!;
        out.truncated[row] = meta.maxSteps > 0 && t >= meta.maxSteps ? 1 : 0;
        out.obs[row * n + s] = 0;
        out.obs[row * n + s2] = 1;
        if (masks && out.mask) out.mask.set(masks[s2] as Uint8Array, row * actionCount);
      }
    },
    observe,
    loaded: (row) => checkCell(words[row * wordStride + STATE]!, n, 'state'),
    frame: (row, out) => parts.frame(words[row * wordStride + STATE]!, out),
    extras: (row) => ({ state: words[row * wordStride + STATE]! }),
    model: () => model,
    ...(gap && {
      measure(row: number, out: Float64Array, at: number) {
        out[at] = floats[row]!;
      },
    }),
    ...(measure && {
      measure(row: number, out: Float64Array, at: number) {
        out[at] = measure(words[row * wordStride + STATE]!);
      },
    }),
    ...(grid && {
      cellOf: (row: number) => grid.cellOf(words[row * wordStride + STATE]!),
      placements: (row: number) => {
        const kept = words[row * wordStride + STATE]!;
        const out = grid.places(kept).map((place) => {
          words[row * wordStride + STATE] = place;
          return { cell: grid.cellOf(place), state: rows.save(row) };
        });
        words[row * wordStride + STATE] = kept;
        return out;
      },
    }),
  };
  return assemble(meta, batch, rows, core);
}

/** Best play: with a step limit the plan depends on the steps left, without one it does not. */
export function plannedPolicy(model: TabularModel, limit: number, gamma: number): ScriptedPolicy {
  const plan = limit > 0 ? finitePlan(model, limit, gamma) : null;
  const stationary = plan === null ? optimalValues(model, gamma).best.map((b) => b[0]!) : [];
  return {
    act(env, _buffers, out) {
      for (let row = 0; row < env.batch; row++) {
        const json = env.meta.state.toJSON(env.save(row));
        const s = numberOf(json, 'state');
        const left = limit - numberOf(json, 'steps');
        out[row] = plan === null ? stationary[s]! : (plan[Math.max(1, left)] as Uint8Array)[s]!;
      }
    },
  };
}

/** Frame of a grid where only the agent moves: `cells` are [object, colour, state] codes, row-major. */
export function gridFrame(layout: GridLayout, cells: Float32Array): (cell: number, out: Float32Array) => void {
  return (cell, out) => {
    out.set(cells);
    const at = cells.length;
    out[at] = cell % layout.width;
    out[at + 1] = Math.floor(cell / layout.width);
    out[at + 2] = 0;
    out[at + 3] = 0;
    out[at + 4] = 0;
    out[at + 5] = 1;
  };
}
