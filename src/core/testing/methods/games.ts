/** Populations, games in normal form and Kuhn poker. */
import { kuhnPoker } from '#core/envs/games/kuhn-poker.ts';
import { exploitability } from '#math/exploitability.ts';
import { type GameTree, type Strategy, treeOfTable } from '#math/game-tree.ts';
import { alphaRank, fictitiousPlay, fitness, replicator } from '#math/meta-game.ts';
import { nashAverage } from '#math/meta-game-nash.ts';
import { type Check, check } from './check.ts';

function kuhnTree(): GameTree {
  const game = kuhnPoker.create({}, 1).game?.();
  if (game === undefined) throw new Error('Kuhn poker gives no tree');
  return game.tree;
}

/** Each player bets and calls with this chance, whatever the card. */
const kuhn = (title: string, named: RegExp, needs: readonly string[], chance: number): Check =>
  check({
    title,
    needs,
    gives: ['value_p0', 'br_value_p0', 'br_value_p1', 'nashconv', 'exploitability'],
    only: ({ name }) => named.test(name),
    run() {
      const tree = kuhnTree();
      const strategy: Strategy = tree.infoSets.map(() => Float64Array.of(1 - chance, chance));
      const found = exploitability(tree, strategy);
      return {
        value_p0: found.values[0],
        br_value_p0: found.bestResponseValues[0],
        br_value_p1: found.bestResponseValues[1],
        nashconv: found.nashConv,
        exploitability: found.nashConv / 2,
      };
    },
  });

export const gameChecks: readonly Check[] = [
  check({
    title: 'replicator dynamics',
    needs: ['A', 'x'],
    may: ['dt'],
    gives: ['fitness', 'dx', 'x_next_euler'],
    run({ input: i }) {
      const x = i.flat('x');
      const dx = replicator(i.rows('A'), x);
      return {
        fitness: fitness(i.rows('A'), x),
        dx,
        ...(i.has('dt') ? { x_next_euler: x.map((v, at) => v + i.number('dt') * dx[at]!) } : {}),
      };
    },
  }),
  check({
    title: 'fictitious play',
    needs: ['A', 'rounds'],
    gives: ['row_average', 'col_average', 'actions'],
    run({ input: i }) {
      const found = fictitiousPlay(i.rows('A'), i.number('rounds'));
      return { row_average: found.row, col_average: found.column, actions: found.actions };
    },
  }),
  check({
    title: 'alpha-Rank',
    needs: ['payoff', 'm', 'alpha'],
    gives: ['transition', 'stationary'],
    run({ input: i }) {
      const { transition, stationary } = alphaRank(i.rows('payoff'), i.number('m'), i.number('alpha'));
      return { transition, stationary };
    },
  }),
  check({
    title: 'Nash averaging',
    needs: ['A'],
    gives: ['nash', 'skill'],
    run({ input: i }) {
      const { nash, skill } = nashAverage(i.rows('A'));
      return { nash, skill };
    },
  }),
  check({
    title: 'exploitability in a game in normal form',
    needs: ['A', 'x', 'y'],
    may: ['B'],
    gives: ['value', 'nashconv'],
    run({ input: i }) {
      const A = i.rows('A');
      const B = i.has('B') ? i.rows('B') : A.map((row) => row.map((v) => -v));
      const names = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);
      const tree = treeOfTable(names('r', A.length), names('c', A[0]!.length), (r, c, player) => (player === 0 ? A : B)[r]![c]!);
      const found = exploitability(tree, [i.floats('x'), i.floats('y')]);
      return { value: found.values[0], nashconv: found.nashConv };
    },
  }),
  kuhn('Kuhn poker, played uniformly', /^uniform/, ['policy'], 0.5),
  kuhn('Kuhn poker: always pass', /^always_pass/, [], 0),
  kuhn('Kuhn poker: always bet', /^always_bet/, [], 1),
  check({
    title: 'Kuhn poker: the family of equilibria',
    needs: ['player0', 'player1'],
    gives: ['game_value'],
    only: ({ name }) => /^nash_family/.test(name),
    run() {
      const tree = kuhnTree();
      const value = (a: number): number => {
        const bets: { readonly [key: string]: number } = { J: a, K: 3 * a, Qpb: a + 1 / 3, Kpb: 1, Jp: 1 / 3, Kp: 1, Qb: 1 / 3, Kb: 1 };
        const found = exploitability(
          tree,
          tree.infoSets.map(({ key }) => Float64Array.of(1 - (bets[key] ?? 0), bets[key] ?? 0)),
        );
        if (Math.abs(found.nashConv) > 1e-12) throw new Error(`alpha ${a} is no equilibrium: NashConv ${found.nashConv}`);
        return found.values[0];
      };
      const first = value(0);
      const different = [1 / 5, 1 / 3].map(value).find((v) => Math.abs(v - first) > 1e-12);
      if (different !== undefined) throw new Error(`the value of the game is ${first} and ${different}`);
      return { game_value: first };
    },
  }),
];
