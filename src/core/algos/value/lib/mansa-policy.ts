/**
 * The policy of MANSA: both learners' policies and the switch between them. A query's rows are taken team by team: rows of agents
 * 0 .. A - 1 are one team, about which the switch is asked; any other row is an agent alone, whose team nobody sees, so it acts by
 * itself. A row's memory: the independent policy's, the central one's and, where calls are limited, how many this episode has made.
 */
import type { ExtraCard } from '#contract/session.ts';

import type { Engine, Program } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { Act, ActQuery, Hidden, Policy } from '../../api/types.ts';
import { teamsOf } from '../../lib/sharing.ts';
import type { MansaConfig } from './mansa-config.ts';
import { callsAllowed, compileSwitch, type SwitchNetworks, switchWidth } from './mansa-switch.ts';

const CHUNK = 64;

/** What the switch reports. Both are NaN in rows of agents that are asked about without their team. */
const EXTRAS: readonly ExtraCard[] = [
  {
    id: 'called',
    kind: 'choice',
    title: 'acts by',
    description: 'Whether the switch lets the central learner act for the team here.',
    labels: ['its own values', 'the central learner'],
  },
  {
    id: 'switchValues',
    kind: 'values',
    title: 'switch values',
    description: 'Expected return, the cost of calls subtracted, if the central learner is not called here, and if it is.',
    labels: ['no call', 'call'],
  },
];

export interface SwitchedOptions {
  readonly engine: Engine;
  readonly meta: EnvMeta;
  readonly config: MansaConfig;
  readonly independent: Policy;
  readonly central: Policy;
  readonly nets: SwitchNetworks;
  /** Share of the switch's choices that are a toss of a coin when not greedy. */
  readonly epsilon: () => number;
  dispose?(): void;
}

export function switchedPolicy(options: SwitchedOptions): Policy {
  const { engine, meta, config, independent, central, nets, epsilon } = options;
  const { agentCount: A, obsSize: O, actionCount: N } = meta;
  const W = switchWidth(meta, config);
  const allowed = callsAllowed(meta, config);
  const limited = W > A * O;
  const own = independent.initial(1).length;
  const joint = central.initial(1).length;
  const width = own + joint + (limited ? 1 : 0);
  const programs = new Map<number, Program>();

  /** Columns `from` .. `from + size` of every row's memory. */
  function columns(hidden: Hidden, rows: number, from: number, size: number): Hidden {
    const out = new Float32Array(rows * size);
    for (let row = 0; row < rows; row++) for (let j = 0; j < size; j++) out[row * size + j] = hidden[row * width + from + j]!;
    return out;
  }

  /** Values of both choices for the teams that begin at these rows, [teams, 2]. */
  async function valuesOf({ obs, hidden }: ActQuery, teams: readonly number[]): Promise<Float32Array> {
    const size = teams.length === 1 ? 1 : CHUNK;
    const program = programs.get(size) ?? compileSwitch(engine, nets, size);
    programs.set(size, program);
    const out = new Float32Array(2 * teams.length);
    for (let from = 0; from < teams.length; from += size) {
      const part = teams.slice(from, from + size);
      for (const [i, row] of part.entries()) {
        program.in.obs!.set(obs.subarray(row * O, (row + A) * O), i * W);
        if (limited) program.in.obs![i * W + A * O] = (allowed - hidden[row * width + width - 1]!) / allowed;
      }
      const pending = program.run();
      if (pending) await pending;
      out.set(program.out.q!.subarray(0, 2 * part.length), 2 * from);
    }
    return out;
  }

  return {
    extras: EXTRAS,
    initial: (rows) => new Float32Array(rows * width),
    async act(query): Promise<Act> {
      const { rows, hidden, greedy, rng } = query;
      const apart = await independent.act({ ...query, hidden: columns(hidden, rows, 0, own) });
      const together = await central.act({ ...query, hidden: columns(hidden, rows, own, joint) });
      const teams = teamsOf(query, A).flatMap(({ first, size }) => (size === A ? [first] : []));
      const values = await valuesOf(query, teams);
      const actions = apart.actions.slice();
      const q = apart.q!.slice();
      const value = apart.value!.slice();
      const called = new Float32Array(rows).fill(Number.NaN);
      const switchValues = new Float32Array(2 * rows).fill(Number.NaN);
      for (const [i, first] of teams.entries()) {
        const left = limited ? allowed - hidden[first * width + width - 1]! : allowed;
        const toss = !greedy && rng.uniform() < epsilon();
        const wanted = toss ? rng.int(2) : values[2 * i + 1]! > values[2 * i]! ? 1 : 0;
        for (let row = first; row < first + A; row++) {
          switchValues.set(values.subarray(2 * i, 2 * i + 2), 2 * row);
          called[row] = 0;
          if (wanted === 0 || left <= 0) continue;
          called[row] = 1;
          actions[row] = together.actions[row]!;
          value[row] = together.value![row]!;
          q.set(together.q!.subarray(row * N, (row + 1) * N), row * N);
        }
      }
      const next = new Float32Array(rows * width);
      for (let row = 0; row < rows; row++) {
        next.set(apart.hidden.subarray(row * own, (row + 1) * own), row * width);
        next.set(together.hidden.subarray(row * joint, (row + 1) * joint), row * width + own);
        if (limited) next[row * width + width - 1] = hidden[row * width + width - 1]! + (called[row] === 1 ? 1 : 0);
      }
      return { actions, hidden: next, q, value, extras: { called, switchValues } };
    },
    dispose() {
      options.dispose?.();
    },
  };
}
