/**
 * Values of players: games with known answers, tables of coalitions, graphs and unions, the kernel of KernelSHAP, and the three questions about
 * small worlds (SVERL). A case without a table means the one that an earlier case of its file gave.
 */
import { present } from '#contract/kit/errors.ts';
import { type Json, readJson } from '#contract/kit/json.ts';
import { drawsFor } from '#core/explain/api/estimate.ts';
import { antitheticScheme, type Draw, drawValue, fillBothWays, fillOneWay, permutationScheme } from '#core/explain/lib/draws.ts';
import {
  banzhaf,
  dividends,
  interactions,
  leaveOneOut,
  marginalsBySize,
  myerson,
  owen,
  playersOf,
  shapley,
} from '#core/explain/lib/exact.ts';
import { additive, airport, bankruptcy, gameOf, glove, majority, unanimity, voting } from '#core/explain/lib/games.ts';
import { kernelPlan, kernelValues, kernelWeight } from '#core/explain/lib/kernel.ts';
import { behaviourGame, expectedReturn, outcomeGame, predictionGame, type SmallWorld, steadyState } from '#core/explain/lib/sverl.ts';
import { exp, tanh } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import { mean, std } from '#math/stats.ts';
import { type Answer, type Check, check, type GoldenInput, type Inputs, nested } from './check.ts';

/** '[0, 2]' -> 5 */
const maskOf = (key: string): number => (readJson(key) as readonly number[]).reduce((mask, i) => mask | (1 << i), 0);
/** 5 -> '[0, 2]' */
const keyOf = (mask: number): string =>
  `[${[...mask.toString(2)]
    .reverse()
    .flatMap((bit, i) => (bit === '1' ? [i] : []))
    .join(', ')}]`;

function tableOf(v: Json): Float64Array {
  const entries = Object.entries(v as { readonly [coalition: string]: number });
  const table = new Float64Array(entries.length);
  for (const [key, value] of entries) table[maskOf(key)] = value;
  return table;
}

/** The table of the case, or of the last one before it that has one. */
function tableFor({ input, before }: GoldenInput): Float64Array {
  const holder = input.has('v') ? input : before.map((one) => one.input).findLast((one) => one.has('v'));
  return tableOf(present(holder, 'a case with a table of coalitions').raw('v'));
}

const afterTable = ({ before }: GoldenInput): boolean => before.some(({ input }) => input.has('v'));

/** One entry for each coalition. */
const byCoalition = (table: Float64Array): Answer => Object.fromEntries(Array.from(table, (value, mask) => [keyOf(mask), value]));

const strata = (table: Float64Array): Answer => {
  const rows = nested(marginalsBySize(table), playersOf(table));
  return Object.fromEntries(rows.map((row, player) => [String(player), row]));
};

function pairs(table: Float64Array): Answer {
  const n = playersOf(table);
  const found = interactions(table);
  const names = Array.from({ length: n * n }, (_, at) => [Math.floor(at / n), at % n] as const).filter(([i, j]) => i < j);
  return Object.fromEntries(names.map(([i, j]) => [`${i},${j}`, found[i * n + j] ?? Number.NaN]));
}

const valuesOf = (table: Float64Array) => ({
  shapley: shapley(table),
  banzhaf: banzhaf(table),
  leave_one_out: leaveOneOut(table),
  harsanyi_dividends: byCoalition(dividends(table)),
  grand: present(table.at(-1), 'the full coalition'),
});

/** Games that are described by numbers of their own. */
const game = (needs: readonly string[], table: (i: Inputs, name: string) => Float64Array, only?: Check['only']): Check =>
  check({
    title: `a game of ${needs.join(' and ')}`,
    needs,
    gives: ['shapley', 'banzhaf', 'grand'],
    ...(only && { only }),
    run: ({ input, name }) => valuesOf(table(input, name)),
  });

/** '3*one + 2*another', the games being earlier cases. */
function combined({ input, before }: GoldenInput): Float64Array {
  const parts = input
    .text('game')
    .split(' + ')
    .map((part) => part.split('*') as [string, string]);
  const tables = parts.map(([factor, name]) => {
    const one = present(
      before.find((earlier) => earlier.name === name),
      `the case "${name}"`,
    );
    const { input: of } = one;
    const table = of.has('left') ? glove(of.flat('left'), of.flat('right')) : voting(of.number('quota'), of.flat('weights'));
    return table.map((value) => Number(factor) * value);
  });
  return present(tables[0], 'a game').map((_, mask) => tables.reduce((sum, table) => sum + (table[mask] ?? Number.NaN), 0));
}

/** What the coalition in a row of members [rows, players] is worth. */
function worthOf(table: Float64Array, members: Uint8Array, row: number): number {
  const n = playersOf(table);
  const mask = members.subarray(row * n, (row + 1) * n).reduce((sum, there, i) => sum | (there << i), 0);
  return table[mask] ?? Number.NaN;
}

/** All coalitions in one plan: the weighted least squares are then exact. */
function byKernel(table: Float64Array): Float64Array {
  const n = playersOf(table);
  const plan = kernelPlan(n, table.length, Rng.from(1));
  const values = Float64Array.from(plan.weight, (_, row) => worthOf(table, plan.members, row));
  return kernelValues(plan, values, table[0] ?? Number.NaN, table.at(-1) ?? Number.NaN, n);
}

/** What each draw says of every player, one draw for each order. */
function drawn(table: Float64Array, draw: Draw, orders: readonly (readonly number[])[], fill: typeof fillBothWays): number[][] {
  const n = playersOf(table);
  return orders.map((order) => {
    fill(draw, order);
    const values = Float64Array.from({ length: draw.rows }, (_, row) => worthOf(table, draw.members, row));
    const out = new Float64Array(n);
    drawValue(draw, values, out);
    return [...out];
  });
}

const oneByOne = (table: Float64Array, orders: readonly (readonly number[])[]): number[][] =>
  drawn(table, permutationScheme(playersOf(table)).create(), orders, fillOneWay);
/** Of these orders, each with its reverse. */
const inPairs = (table: Float64Array, orders: readonly (readonly number[])[]): number[][] =>
  drawn(table, antitheticScheme(playersOf(table)).create(), orders, fillBothWays);

/** Mean of each player, its deviation over the draws (divided by their number less `less`), and the standard error of the mean. */
function spread(draws: readonly (readonly number[])[], less: 0 | 1) {
  const players = draws[0]!.map((_, player) => draws.map((draw) => draw[player]!));
  const deviation = players.map((values) => std(values, less));
  return { mean: players.map(mean), deviation, error: deviation.map((one) => one / Math.sqrt(draws.length)) };
}

/** All orders of n players. */
const allOrders = (n: number): number[][] =>
  n === 0 ? [[]] : allOrders(n - 1).flatMap((order) => Array.from({ length: n }, (_, at) => order.toSpliced(at, 0, n - 1)));

type Formula = (x: readonly number[]) => number;
const dot = (weights: readonly number[], x: readonly number[]): number => weights.reduce((sum, w, i) => sum + w * (x[i] ?? Number.NaN), 0);

/** The functions that the files name in words. */
const FORMULAS: { readonly [text: string]: (i: Inputs) => Formula } = {
  'x0*x1 + x2^2 + tanh(x3)*x0':
    () =>
    ([a = 0, b = 0, c = 0, d = 0]) =>
      a * b + c ** 2 + tanh(d) * a,
  'max(x0,x1,x2)': () => (x) => Math.max(...x),
  'softmax(W2 tanh(W1 x))[0]': (i) => (x) => {
    const inner = i.rows('W1').map((row) => tanh(dot(row, x)));
    const weights = i.rows('W2').map((row) => exp(dot(row, inner)));
    return (weights[0] ?? Number.NaN) / weights.reduce((a, b) => a + b, 0);
  },
};

/** Features in place of a background's: what f says on average. */
function featureGame(i: Inputs, f: Formula): Float64Array {
  const [x, background] = [i.flat('x'), i.rows('background')];
  return gameOf(x.length, (has) => {
    const said = background.map((row) => f(x.map((value, at) => (has(at) ? value : (row[at] ?? Number.NaN)))));
    return said.reduce((a, b) => a + b, 0) / said.length;
  });
}

const attributed = (table: Float64Array): { readonly [name: string]: Answer } => ({
  base: table[0] ?? Number.NaN,
  fx: table.at(-1) ?? Number.NaN,
  phi: byKernel(table),
  closed_form: shapley(table),
});

interface World {
  readonly world: SmallWorld;
  readonly policy: readonly (readonly number[])[];
}

/** The world of the case, or the one that it names. */
function worldOf({ input, before }: GoldenInput): World {
  const holder = input.has('world')
    ? present(
        before.find(({ name }) => name === input.text('world')),
        'the world that is named',
      ).input
    : input;
  const { policy, ...world } = holder.json as unknown as SmallWorld & Pick<World, 'policy'>;
  return { world, policy };
}

/** A question for each state: a table of two features, and what each of them is worth. */
const question = (name: string, game: (w: World, weight: readonly number[], value: readonly number[], s: number) => Float64Array): Check =>
  check({
    title: `what features of the state are worth: ${name}`,
    needs: ['world'],
    gives: ['v', 'shapley_x', 'shapley_y'],
    only: (c) => c.name.endsWith(name),
    run: (c) => {
      const here = worldOf(c);
      const weight = steadyState(here.world, here.policy);
      const value = expectedReturn(here.world, here.policy);
      return asked(here.world.states.map((_, s) => game(here, weight, value, s)));
    },
  });

/** Tables of two features, one for each place. */
function asked(tables: readonly Float64Array[]): { readonly [name: string]: Answer } {
  const at = (values: ArrayLike<number>, i: number): number => values[i] ?? Number.NaN;
  const v = Object.fromEntries([0, 1, 2, 3].map((mask) => [keyOf(mask), tables.map((table) => at(table, mask))]));
  const worth = tables.map((table) => shapley(table));
  return { v, shapley_x: worth.map((value) => at(value, 0)), shapley_y: worth.map((value) => at(value, 1)) };
}

/** What it does: a table for every state and action, gathered as [state][action]. */
function behaviour(c: GoldenInput): { readonly [name: string]: Answer } {
  const { world, policy } = worldOf(c);
  const weight = steadyState(world, policy);
  const actions = policy[0]?.length ?? 0;
  const rows = world.states.map((_, s) =>
    asked(Array.from({ length: actions }, (_, a) => behaviourGame(world.states, weight, policy, s, a))),
  );
  const both = (name: string): Answer => rows.map((row) => present(row[name], name));
  const v = rows.map((row) => row.v as { readonly [coalition: string]: Answer });
  return {
    v: Object.fromEntries([0, 1, 2, 3].map(keyOf).map((key) => [key, v.map((one) => present(one[key], key))])),
    shapley_x: both('shapley_x'),
    shapley_y: both('shapley_y'),
  };
}

export const coalitionChecks: readonly Check[] = [
  game(['left', 'right'], (i) => glove(i.flat('left'), i.flat('right'))),
  game(['costs'], (i) => airport(i.flat('costs'))),
  game(['weights', 'quota'], (i) => voting(i.number('quota'), i.flat('weights'))),
  game(['players'], (i, name) => (name.startsWith('majority') ? majority : unanimity)(i.number('players'))),
  game(['carrier'], (i) => unanimity(4, i.flat('carrier'))),
  game(['worth'], (i) => additive(i.flat('worth'))),
  game(['estate', 'claims'], (i) => bankruptcy(i.number('estate'), i.flat('claims'))),
  game(['v_empty'], (i) => gameOf(2, (_, mask) => i.number('v_empty') + (mask === 0 ? 0 : mask === 3 ? 4 : 2))),
  check({ title: 'a sum of games', needs: ['game'], gives: ['shapley'], run: (c) => valuesOf(combined(c)) }),
  check({
    title: 'a table of coalitions',
    needs: ['v'],
    may: ['n', 'players'],
    gives: ['shapley', 'banzhaf', 'harsanyi_dividends', 'leave_one_out'],
    run: (c) => valuesOf(tableFor(c)),
  }),
  check({
    title: 'values of the table before',
    needs: [],
    gives: ['by_size', 'mean_by_size', 'pairs', 'leave_one_out', 'estimate'],
    only: (c) => afterTable(c) && !/kernel|complementary|sampling/.test(c.name),
    run: (c) => {
      const table = tableFor(c);
      return { ...valuesOf(table), by_size: strata(table), mean_by_size: strata(table), pairs: pairs(table), estimate: shapley(table) };
    },
  }),
  check({
    title: 'least squares of the kernel over all coalitions',
    needs: [],
    gives: ['phi'],
    only: (c) => afterTable(c) && c.name.includes('kernel'),
    run: (c) => ({ phi: byKernel(tableFor(c)) }),
  }),
  check({
    title: 'orders of arrival, and what their draws differ by',
    needs: ['permutations'],
    gives: ['marginals', 'estimate', 'std_error', 'pair_means', 'std_error_from_pairs'],
    only: afterTable,
    run(c) {
      const orders = c.input.rows('permutations');
      const table = tableFor(c);
      const single = oneByOne(table, orders);
      const { mean: estimate, error } = spread(single, 1);
      const pairMeans = inPairs(
        table,
        orders.filter((_, k) => k % 2 === 0),
      ); // listed as pairs: an order, its reverse
      return {
        marginals: single,
        estimate,
        std_error: error,
        pair_means: pairMeans,
        std_error_from_pairs: spread(pairMeans, 1).error,
      };
    },
  }),
  check({
    title: 'deviation of one draw over all orders',
    needs: [],
    gives: ['one_permutation', 'antithetic_pair_mean'],
    only: (c) => afterTable(c) && c.name.includes('sampling'),
    run(c) {
      const table = tableFor(c);
      const orders = allOrders(playersOf(table));
      return {
        one_permutation: spread(oneByOne(table, orders), 0).deviation,
        antithetic_pair_mean: spread(inPairs(table, orders), 0).deviation,
      };
    },
  }),
  check({
    title: 'what coalitions of fair coins tend to',
    needs: ['coalitions_containing_0'],
    gives: ['limit_banzhaf', 'shapley'],
    only: afterTable,
    run(c) {
      const table = tableFor(c);
      return { limit_banzhaf: present(banzhaf(table)[0], 'a player'), shapley: present(shapley(table)[0], 'a player') };
    },
  }),
  check({
    title: 'players that arrive by unions',
    needs: ['unions'],
    gives: ['owen'],
    only: afterTable,
    run: (c) => ({ owen: owen(tableFor(c), c.input.rows('unions')) }),
  }),
  check({
    title: 'players that must be connected',
    needs: ['edges'],
    gives: ['myerson'],
    only: afterTable,
    run: (c) => ({ myerson: myerson(tableFor(c), c.input.rows('edges') as [number, number][]) }),
  }),
  check({
    title: 'draws that a width needs',
    needs: ['sd', 'half_width'],
    gives: ['m'],
    run: ({ input }) => ({ m: input.flat('half_width').map((width) => drawsFor(input.number('sd'), width)) }),
  }),
  check({
    title: 'a linear function, by its features',
    needs: ['beta', 'intercept', 'background', 'x'],
    gives: ['base', 'fx', 'phi', 'closed_form'],
    run: ({ input }) => attributed(featureGame(input, (x) => input.number('intercept') + dot(input.flat('beta'), x))),
  }),
  check({
    title: 'a function, by its features',
    needs: ['f', 'background', 'x'],
    may: ['W1', 'W2'],
    gives: ['base', 'fx', 'phi'],
    only: ({ input }) => Object.hasOwn(FORMULAS, input.text('f')),
    run: ({ input }) => attributed(featureGame(input, present(FORMULAS[input.text('f')], 'the function')(input))),
  }),
  check({
    title: 'weights of the kernel by size',
    needs: ['M'],
    gives: ['weights_by_size'],
    run: ({ input }) => ({
      weights_by_size: input.flat('M').map((n) => Array.from({ length: n - 1 }, (_, k) => kernelWeight(n, k + 1))),
    }),
  }),
  check({
    title: 'what features of the state are worth to what is done',
    needs: ['states', 'steady_state', 'prob_right'],
    gives: ['per_state'],
    run: ({ input }) => {
      const states = input.rows('states');
      const policy = input.flat('prob_right').map((p) => [p]);
      return {
        per_state: states.map((state, s) => {
          const table = behaviourGame(states, input.flat('steady_state'), policy, s, 0);
          return { state, base: table[0] ?? Number.NaN, phi: shapley(table), prob: table[3] ?? Number.NaN };
        }),
      };
    },
  }),
  check({
    title: 'where a small world is, and what it pays',
    needs: ['states', 'transition', 'policy'],
    may: ['features', 'reward', 'gamma', 'actions'],
    gives: ['steady_state', 'value'],
    run: (c) => {
      const { world, policy } = worldOf(c);
      return { steady_state: steadyState(world, policy), value: expectedReturn(world, policy) };
    },
  }),
  check({
    title: 'what features of the state are worth: behaviour',
    needs: ['world'],
    gives: ['v', 'shapley_x', 'shapley_y'],
    only: ({ name }) => name.endsWith('behaviour'),
    run: behaviour,
  }),
  question('prediction', ({ world }, weight, value, s) => predictionGame(world.states, weight, value, s)),
  question('outcome_local', ({ world, policy }, weight, _value, s) => outcomeGame(world, weight, policy, s, 'here')),
  question('outcome_global', ({ world, policy }, weight, _value, s) => outcomeGame(world, weight, policy, s, 'everywhere')),
];
