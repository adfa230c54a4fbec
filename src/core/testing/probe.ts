/**
 * How a probe (probes.ts) is written down, and the environment made of it: one hidden cue and a step count per row, rewards for
 * each agent's own action or for all actions together, a global state where central critics are tested.
 */
import { z } from 'zod';
import { type ActionSpace, type ObsSpace, obsSize } from '#contract/game/spaces.ts';
import type { Rng } from '#math/rng.ts';
import { defineEnv } from '../envs/api/define.ts';
import { assemble } from '../envs/api/environment.ts';
import { allocateRows, defineState } from '../envs/api/state.ts';
import type { Actions, EnvEntry, EnvMeta, StepBuffers } from '../envs/api/types.ts';

/** One row's state: where it is and what it was shown. */
export interface Probe {
  readonly obs: ObsSpace;
  readonly action: ActionSpace;
  readonly maxSteps: number; // the clock: truncates
  readonly masked?: boolean;
  readonly agents?: number; // each sees and is rewarded for itself, unless `joint`
  /** A second role behind these agents, one agent with spaces of its own; needs `masked` where its actions are fewer. */
  readonly other?: { readonly obs: ObsSpace; readonly action: ActionSpace };
  /** The global state is what a central critic may see: the cue and the step. */
  readonly global?: boolean;
  start(rng: Rng): number; // cue
  observe(cue: number, t: number, out: Float32Array, agent: number): void;
  /** What an agent gets for its own action, */
  step?(cue: number, t: number, action: number, agent: number): Outcome;
  /** or all get for all actions; `cue` is what comes next. */
  joint?(cue: number, t: number, actions: Actions): Outcome & { readonly cue?: number };
  legal?(cue: number, agent: number): readonly number[];
  /** Whether an agent is in the game at this step; always, if this is missing. */
  alive?(t: number, agent: number): boolean;
  /** Agents that are out come back within the episode. */
  readonly agentsReturn?: boolean;
}
interface Outcome {
  readonly reward: number;
  readonly terminated: boolean;
}

const state = defineState(1, [
  { name: 'cue', type: 'u32', shape: [], doc: 'what this episode shows' },
  { name: 'steps', type: 'u32', shape: [], doc: 'steps so far' },
]);

export function probe(id: string, p: Probe, evalMaxSteps = p.maxSteps): EnvEntry {
  const alike = p.agents ?? 1;
  const roles = p.other === undefined ? [p] : [p, p.other];
  const agents = alike + roles.length - 1;
  const width = Math.max(...roles.map((role) => obsSize(role.obs)));
  const actionCount = Math.max(...roles.map(({ action }) => (action.kind === 'discrete' ? action.n : 0)));
  const actionSize = Math.max(...roles.map(({ action }) => (action.kind === 'box' ? action.size : 1)));
  const names = (count: number, what: string) => Array.from({ length: count }, (_, i) => `${what} ${i}`);
  const meta: EnvMeta = {
    id,
    version: 1,
    agents: roles.map(({ obs, action }, i) =>
      i === 0 ? { count: alike, names: names(alike, 'agent'), obs, action } : { count: 1, names: names(1, 'other'), obs, action },
    ),
    agentCount: agents,
    obsSize: width,
    actionSize,
    actionCount,
    rewards: ['reward'],
    costs: [],
    globalSize: p.global === true ? 2 : 0,
    masked: p.masked === true,
    ...(p.agentsReturn === true && { agentsReturn: true }),
    score: 'mean',
    gamma: 0.9,
    maxSteps: p.maxSteps,
    evalMaxSteps,
    state,
    frame: { kind: 'points', count: 0, bounds: [0, 0, 1, 1], names: [] },
    references: [],
    keys: [],
    idleAction: null,
    fps: 10,
  };
  return defineEnv({
    spec: {
      id,
      version: 1,
      title: id,
      summary: 'A probe.',
      source: { title: 'Debugging RL, Without the Agonizing Pain', authors: 'Jones', year: 2021 },
      config: z.strictObject({}),
      presets: [],
      meta: () => meta,
    },
    create(_, batch) {
      const rows = allocateRows(state, batch);
      const { words, wordStride } = rows;
      const cue = rows.offset('cue');
      const steps = rows.offset('steps');
      const look = (row: number, { obs, mask, alive, state: global }: StepBuffers): void => {
        const shown = words[row * wordStride + cue]!;
        const t = words[row * wordStride + steps]!;
        for (let i = row * agents; i < (row + 1) * agents; i++) {
          p.observe(shown, t, obs.subarray(i * width, (i + 1) * width), i % agents);
          if (alive !== undefined) alive[i] = p.alive?.(t, i % agents) === false ? 0 : 1;
          if (mask === undefined) continue;
          const legal = p.legal?.(shown, i % agents);
          for (let a = 0; a < actionCount; a++) mask[i * actionCount + a] = legal?.[a] ?? 1;
        }
        global?.set([shown, t], 2 * row);
      };
      return assemble(meta, batch, rows, {
        start(row) {
          words[row * wordStride + cue] = p.start(rows.rng[row] as Rng);
          words[row * wordStride + steps] = 0;
        },
        step(actions, out) {
          for (let row = 0; row < batch; row++) {
            const at = row * wordStride;
            const shown = words[at + cue]!;
            const t = words[at + steps]!;
            const together = p.joint?.(shown, t, actions.subarray(row * agents * actionSize, (row + 1) * agents * actionSize));
            for (let i = row * agents; i < (row + 1) * agents; i++) {
              const outcome = together ?? p.step?.(shown, t, actions[i * actionSize]!, i % agents);
              if (outcome === undefined) throw new Error(`${id} has no rule.`);
              out.reward[i] = outcome.reward;
              out.terminated[row] = outcome.terminated ? 1 : 0;
            }
            words[at + cue] = together?.cue ?? shown;
            words[at + steps]!++;
            out.truncated[row] = words[at + steps]! >= p.maxSteps ? 1 : 0;
            look(row, out);
          }
        },
        observe: look,
        frame: () => {},
      });
    },
  });
}
