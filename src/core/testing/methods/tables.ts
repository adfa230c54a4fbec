/** Dynamic programming and temporal differences over tables. */
import { ucbScore } from '#core/algos/bandits/ucb1.ts';
import { greedyValue, type Table } from '#core/algos/lib/table.ts';
import { doubleQUpdate } from '#core/algos/tabular/double-q-learning.ts';
import { expectedSarsaUpdate } from '#core/algos/tabular/expected-sarsa.ts';
import { evaluatePolicy, uniformChances } from '#core/algos/tabular/lib/evaluation.ts';
import { WorldMemory } from '#core/algos/tabular/lib/memory.ts';
import { traceUpdate } from '#core/algos/tabular/lib/traces.ts';
import { qUpdate } from '#core/algos/tabular/q-learning.ts';
import { optimisticValue } from '#core/algos/tabular/r-max.ts';
import { sarsaUpdate } from '#core/algos/tabular/sarsa.ts';
import { sweep } from '#core/algos/tabular/value-iteration.ts';
import { getEnv } from '#core/envs/all.ts';
import type { TabularModel } from '#core/envs/api/types.ts';
import { finiteValues, startValue } from '#core/envs/lib/tabular/values.ts';
import { exactReturn } from '#core/run/evaluate.ts';
import { log } from '#math/functions.ts';
import { type Check, check, type Inputs, nested } from './check.ts';

/** The chain of the files' conventions: five states with exits on both sides, the intended move with 0.9; going on costs 0.01, the exits pay 0.1 and 1. */
export function goldenChain(): TabularModel {
  const cells = Array.from({ length: 10 }, (_, cell) => ({ s: Math.floor(cell / 2), action: cell % 2 }));
  const moves = cells.flatMap(({ s, action }) =>
    [0, 1].map((direction) => {
      const next = s + (direction === 1 ? 1 : -1);
      return { p: direction === action ? 0.9 : 0.1, next, reward: next > 4 ? 1 : next < 0 ? 0.1 : -0.01, end: next > 4 || next < 0 };
    }),
  );
  return {
    states: 5,
    actions: 2,
    offset: Int32Array.from({ length: 11 }, (_, i) => 2 * i),
    probability: Float64Array.from(moves, (m) => m.p),
    next: Int32Array.from(moves, (m) => Math.min(4, Math.max(0, m.next))),
    reward: Float64Array.from(moves, (m) => m.reward),
    terminated: Uint8Array.from(moves, (m) => (m.end ? 1 : 0)),
    start: Float64Array.of(1, 0, 0, 0, 0),
  };
}

function modelOf(id: string, config: { readonly [key: string]: string[] | boolean }): TabularModel {
  const model = getEnv(id).create(config, 1).model?.();
  if (model === undefined) throw new Error(`${id} gives no transition table`);
  return model;
}

/** Value iteration until nothing changes any more. */
function solved(model: TabularModel, gamma: number): Table {
  const table: Table = { states: model.states, actions: model.actions, q: new Float64Array(model.states * model.actions) };
  while (sweep(model, table, gamma) > 1e-14);
  return table;
}
const valuesOf = (table: Table): Float64Array => Float64Array.from({ length: table.states }, (_, s) => greedyValue(table, s));
const greedyOf = (table: Table): Int32Array =>
  Int32Array.from({ length: table.states }, (_, s) => {
    const row = table.q.subarray(s * table.actions, (s + 1) * table.actions);
    return row.indexOf(Math.max(...row));
  });

/** One listed step; a terminal one has nothing behind it. */
export interface Step {
  readonly s: number;
  readonly a: number;
  readonly r: number;
  readonly next: number;
  readonly terminal: boolean;
  /** The action of the listed step after this one, within the pass. */
  readonly following: number;
  /** Number of the step over all passes. */
  readonly at: number;
}

const STATES = 5; // those the files list; a terminal step leads beyond

/** Tables as large as the transitions need, after all passes; `learn` gets each step in order. */
function replay(i: Inputs, tables: number, learn: (step: Step, made: readonly Table[]) => void): number[][][] {
  const steps = i.rows('transitions');
  const states = Math.max(STATES, ...steps.map((step) => Math.max(step[0]!, step[3]!) + 1));
  const actions = Math.max(2, ...steps.map((step) => step[1]! + 1));
  const made = Array.from({ length: tables }, (): Table => ({ states, actions, q: new Float64Array(states * actions) }));
  let at = 0;
  for (let pass = 0; pass < i.number('passes'); pass++) {
    steps.forEach((step, k) => {
      const [s, a, r, next] = [step[0]!, step[1]!, step[2]!, step[3]!];
      learn({ s, a, r, next, terminal: step[4] === 1, following: steps[k + 1]?.[1] ?? 0, at: at++ }, made);
    });
  }
  return made.map((table) => nested(table.q, actions).slice(0, STATES));
}

const listed = ['transitions', 'alpha', 'gamma', 'passes'];
const td = (title: string, named: RegExp, learn: (i: Inputs) => (step: Step, table: Table) => void, needs: readonly string[] = []): Check =>
  check({
    title,
    needs: [...listed, ...needs],
    gives: ['Q'],
    only: ({ name }) => named.test(name),
    run({ input: i }) {
      const update = learn(i);
      return { Q: replay(i, 1, (step, made) => update(step, made[0]!))[0]! };
    },
  });

export const tableChecks: readonly Check[] = [
  check({
    title: 'value iteration on the chain',
    needs: ['gamma'],
    gives: ['V', 'Q', 'greedy'],
    only: ({ name }) => /^value_iteration/.test(name),
    run({ input: i }) {
      const table = solved(goldenChain(), i.number('gamma'));
      return { V: valuesOf(table), Q: nested(table.q, 2), greedy: greedyOf(table) };
    },
  }),
  td('Q-learning', /^q_learning/, (i) => ({ s, a, r, next, terminal }, table) => {
    qUpdate(table, s, a, r, next, terminal, i.number('alpha'), i.number('gamma'));
  }),
  td('SARSA', /^sarsa(?!_lambda)/, (i) => ({ s, a, r, next, terminal, following }, table) => {
    sarsaUpdate(table, s, a, r, next, following, terminal, i.number('alpha'), i.number('gamma'));
  }),
  check({
    title: 'policy evaluation: the uniformly random one',
    needs: ['gamma'],
    gives: ['V'],
    only: ({ name }) => /^uniform_policy/.test(name),
    run({ input: i }) {
      const values = new Float64Array(STATES);
      evaluatePolicy(goldenChain(), uniformChances(goldenChain()), i.number('gamma'), 1e-15, values);
      return { V: values };
    },
  }),
  td(
    'Expected SARSA',
    /^expected_sarsa/,
    (i) =>
      ({ s, a, r, next, terminal }, table) => {
        expectedSarsaUpdate(table, s, a, r, next, terminal, i.number('alpha'), i.number('gamma'), i.number('epsilon'));
      },
    ['epsilon'],
  ),
  check({
    title: 'double Q-learning',
    needs: [...listed, 'update_table'],
    gives: ['QA', 'QB'],
    run({ input: i }) {
      const coin = i.flat('update_table');
      const found = replay(i, 2, ({ s, a, r, next, terminal, at }, made) => {
        const own = coin[at]!;
        doubleQUpdate(made[own]!, made[1 - own]!, s, a, r, next, terminal, i.number('alpha'), i.number('gamma'));
      });
      return { QA: found[0]!, QB: found[1]! };
    },
  }),
  td(
    'SARSA(lambda)',
    /^sarsa_lambda/,
    (i) => {
      let traces: Float64Array | undefined;
      return ({ s, a, r, next, following, terminal }, table) => {
        traces ??= new Float64Array(table.q.length);
        const cell = s * table.actions + a;
        const delta = r + (terminal ? 0 : i.number('gamma') * table.q[next * table.actions + following]!) - table.q[cell]!;
        const decay = i.number('gamma') * i.number('lambda_');
        traceUpdate(table, traces, cell, delta, { alpha: i.number('alpha'), decay, kind: 'accumulating', forget: terminal });
      };
    },
    ['lambda_'],
  ),
  td(
    'Dyna-Q',
    /^dyna_q/,
    (i) => {
      let memory: WorldMemory | undefined;
      let planned = 0;
      return ({ s, a, r, next, terminal }, table) => {
        const [alpha, gamma] = [i.number('alpha'), i.number('gamma')];
        memory ??= new WorldMemory(table, false);
        qUpdate(table, s, a, r, next, terminal, alpha, gamma);
        memory.learn(s, a, r, next, terminal);
        for (let k = 0; k < i.number('planning_steps'); k++) {
          memory.replay(memory.order[i.flat('plan_index')[planned++]! % memory.counters.known]!, alpha, gamma);
        }
      };
    },
    ['planning_steps', 'plan_index'],
  ),
  check({
    title: 'UCB1: the bounds of arms',
    needs: ['means', 'counts', 't', 'c'],
    gives: ['scores'],
    run({ input: i }) {
      const counts = i.flat('counts');
      return { scores: i.flat('means').map((mean, arm) => ucbScore(mean, counts[arm]!, i.number('t'), i.number('c'))) };
    },
  }),
  check({
    title: 'R-max: the value of an unknown action',
    needs: ['r_max', 'gamma'],
    gives: ['optimistic_value'],
    run: ({ input: i }) => ({ optimistic_value: optimisticValue(i.number('r_max'), i.number('gamma')) }),
  }),
  check({
    title: 'the optimum of the slippery lake',
    needs: ['map', 'gamma'],
    gives: ['V', 'V_start'],
    run({ input: i }) {
      const model = modelOf('frozen-lake', { map: i.texts('map') });
      const values = valuesOf(solved(model, i.number('gamma')));
      return { V: values, V_start: startValue(model, values) };
    },
  }),
  check({
    title: 'the optimum of the lake on its usual map',
    needs: ['gamma'],
    gives: ['V_start', 'optimal_steps'],
    only: ({ name }) => /^frozenlake4x4/.test(name),
    run({ name, input: i }) {
      const gamma = i.number('gamma');
      const model = modelOf('frozen-lake', { slippery: !/deterministic/.test(name) });
      const best = startValue(model, valuesOf(solved(model, gamma)));
      // Only the last step pays, 1: gamma^(steps - 1).
      return { V_start: best, ...(gamma < 1 ? { optimal_steps: Math.round(1 + log(best) / log(gamma)) } : {}) };
    },
  }),
  check({
    title: 'the lake with a step limit',
    needs: ['map', 'gamma_of_stationary_policy', 'limits'],
    gives: ['optimal_success_time_dependent', 'stationary_gamma099_policy_success_100'],
    run({ input: i }) {
      const model = modelOf('frozen-lake', { map: i.texts('map') });
      const stationary = greedyOf(solved(model, i.number('gamma_of_stationary_policy')));
      return {
        optimal_success_time_dependent: i.flat('limits').map((limit) => startValue(model, finiteValues(model, limit, 1))),
        stationary_gamma099_policy_success_100: exactReturn(model, stationary, 100),
      };
    },
  }),
  check({
    title: 'the cliff: three ways along it',
    needs: ['rows', 'cols'],
    gives: ['optimal_return', 'one_row_up_return', 'top_row_return'],
    run({ input: i }) {
      const [rows, columns] = [i.number('rows'), i.number('cols')];
      const ground = '.'.repeat(columns);
      const map = [...new Array<string>(rows - 1).fill(ground), `S${'C'.repeat(columns - 2)}G`];
      const model = modelOf('cliff-walking', { map });
      // Up to this row, along it to the last column, and down.
      const along = (row: number): number => {
        const choice = Int32Array.from({ length: rows * columns }, (_, cell) => {
          const [at, column] = [Math.floor(cell / columns), cell % columns];
          if (column === columns - 1) return 2;
          return at > row ? 0 : 1;
        });
        return exactReturn(model, choice, rows * columns);
      };
      return {
        optimal_return: startValue(model, valuesOf(solved(model, 1))),
        one_row_up_return: along(rows - 3),
        top_row_return: along(0),
      };
    },
  }),
];
