/**
 * Replicator dynamics (Taylor and Jonker 1978) on a matrix game of two: shares of strategies grow with what they get above the mean.
 *   dx_i = x_i [(A y)_i - x . A y] + mutation (1/n - x_i),   y = x in one population, the other's shares in two
 * Integrated on logarithms of shares (math/meta-game.ts), one step of the run is one step of time. The policy plays the shares.
 * Pseudo-code:
 *   initial shares x of each population: drawn from all mixtures alike, or even
 *   repeat until the budget is spent or no share changes faster than `tolerance`
 *     slope of ln x_i = dx_i / x_i, at x and at the three further points of Runge-Kutta of order four
 *     ln x <- ln x + dt * weighted mean of the four slopes; normalise the shares
 *     a share of 0: dt * what mutation lets flow in
 *     from time to time: mean payoff, NashConv and distance to the nearest known equilibrium
 */
import { z } from 'zod';
import type { GameCard } from '#contract/game/payoffs.ts';
import type { SharesReport } from '#contract/game/population.ts';
import { fail } from '#contract/kit/errors.ts';
import { savedNumber } from '#core/state/checkpoint.ts';
import { exploitability } from '#math/exploitability.ts';
import { log } from '#math/functions.ts';
import { hashBytes } from '#math/hash.ts';
import { dot, transpose } from '#math/linear.ts';
import { replicator as change, fitness, flowStep } from '#math/meta-game.ts';
import type { Rng } from '#math/rng.ts';
import { equilibria } from '../../envs/games/lib/matrix/nash.ts';
import { normalForm } from '../../envs/games/lib/matrix/normal-form.ts';
import { defineAlgo } from '../api/define.ts';
import { checkSmall, savedStrategyPolicy, saveStrategy, smallGame, strategyPolicy } from './lib/solver.ts';

const ROWS = 1000;
const MOST_STATES = 1024;
const MOST_EQUILIBRIA_ACTIONS = 6; // supports are 2^n

const config = z.strictObject({
  dt: z
    .number()
    .gt(0)
    .max(1)
    .default(0.02)
    .meta({
      title: 'integration step (dt)',
      description: 'Of the integration.',
      source: 'own choice',
      slider: [0.001, 0.2],
      log: true,
      depth: 'stored',
    }),
  mutation: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .meta({
      title: 'mutation',
      description: 'Rate at which shares are drawn back to even ones; a little makes cycles settle.',
      source: 'own choice',
      live: true,
      slider: [0, 0.2],
    }),
  populations: z.enum(['auto', 'one', 'two']).default('auto').meta({
    title: 'populations',
    description: 'One that plays itself, or one for each player; auto: one where both players have the same game.',
    source: 'own choice',
    depth: 'stored',
  }),
  start: z.enum(['drawn', 'even']).default('drawn').meta({
    title: 'initial shares',
    description: 'Drawn from all mixtures alike, or even; even ones may already be at rest.',
    source: 'own choice',
    depth: 'stored',
  }),
  tolerance: z.number().min(0).max(1).default(1e-9).meta({
    title: 'stop at speed',
    description: 'Ends the run once no share changes faster than this per unit of time.',
    source: 'own choice',
    log: true,
    depth: 'research',
    group: 'length',
  }),
});
type Config = z.infer<typeof config>;
type Shares = readonly (readonly number[])[];

/** What row and column player get; the second table has the column player's actions as rows. */
function tablesOf({ actions, pay }: GameCard) {
  const [rows = [], columns = []] = actions;
  const first = rows.map((_, r) => columns.map((_unused, c) => pay[r * columns.length + c]?.[0] ?? 0));
  const second = transpose(rows.map((_, r) => columns.map((_unused, c) => pay[r * columns.length + c]?.[1] ?? 0)));
  const mirrored = first.length === second.length && first.every((row, r) => row.every((v, c) => v === second[r]?.[c]));
  return { first, second, mirrored };
}

/** A mixture, all alike likely. */
function drawn(rng: Rng, n: number): readonly number[] {
  const e = Array.from({ length: n }, () => -log((rng.next() + 0.5) / 4294967296));
  const total = e.reduce((a, b) => a + b, 0);
  return e.map((x) => x / total);
}

const FINE = 10;

/** Where the flow is drawn: an even grid without the edges for 2 or 3 strategies in one population, or 2 in each of two. */
function pointsFor(sizes: readonly number[]): readonly Shares[] {
  const line = Array.from({ length: FINE }, (_, i) => [(i + 0.5) / FINE, (FINE - i - 0.5) / FINE]);
  const key = sizes.join();
  if (key === '2') return line.map((p) => [p]);
  if (key === '2,2') return line.flatMap((p) => line.map((q) => [p, q]));
  const out: Shares[] = [];
  if (key === '3')
    for (let a = 1; a < FINE; a++) for (let b = 1; a + b < FINE; b++) out.push([[a / FINE, b / FINE, (FINE - a - b) / FINE]]);
  return out;
}

export const replicator = defineAlgo<Config>({
  spec: {
    id: 'replicator',
    version: 1,
    title: 'Replicator dynamics',
    summary: 'Strategies that do better than the mean become more frequent: how a population moves through a game.',
    source: { title: 'Evolutionary stable strategies and game dynamics', authors: 'Taylor and Jonker', year: 1978 },
    config,
    presets: [{ id: 'mutation', title: 'with mutation', config: { mutation: 0.02 } }],
    action: 'discrete',
    learner: 'table',
    agents: 'many',
    mixed: true,
    trial: { env: 'matrix-games', steps: 4000, config: { mutation: 0.01, tolerance: 0 } },
    probes: [],
    metrics: [
      { id: 'share1', title: 'first strategy', description: 'Share of the first strategy in the first population.' },
      { id: 'share2', title: 'second strategy', description: 'Share of the second strategy in the first population.' },
      { id: 'share3', title: 'third strategy', description: 'Share of the third strategy in the first population.' },
      { id: 'payoff', title: 'mean payoff', description: 'What a member of the first population gets on average.', unit: 'payoff' },
      { id: 'distance', title: 'distance to equilibrium', description: 'Largest difference of a share to the nearest known equilibrium.' },
      { id: 'nashConv', title: 'NashConv', description: 'What both players could gain by answering the shares best.', unit: 'payoff' },
      { id: 'speed', title: 'speed', description: 'Fastest change of a share per unit of time.' },
    ],
  },
  fits(meta, c) {
    checkSmall(meta, 'Replicator dynamics');
    if (meta.game === undefined) {
      throw fail('incompatible', 'Replicator dynamics need a game that is one table.', 'Choose a matrix game of two players.', 'env.id');
    }
    if (c.populations === 'one' && !tablesOf(meta.game).mirrored) {
      const why = 'One population can only play itself if both players have the same game.';
      throw fail('config-invalid', why, 'Choose two populations.', 'algo.populations');
    }
  },

  async *train(run, resume) {
    const c = run.config;
    const game = smallGame(run.envEntry, run.envConfig);
    const card = run.meta.game as GameCard; // fits
    const { first, second, mirrored } = tablesOf(card);
    const alone = c.populations === 'one' || (c.populations === 'auto' && mirrored);
    const field = (x: Shares): Shares => {
      const { mutation } = c; // a live field
      const [a = [], b = a] = x;
      return alone ? [change(first, a, a, mutation)] : [change(first, a, b, mutation), change(second, b, a, mutation)];
    };
    const names = card.actions.slice(0, alone ? 1 : 2);
    const known = names.every((list) => list.length <= MOST_EQUILIBRIA_ACTIONS)
      ? equilibria(normalForm(card.actions, (joint, p) => card.pay[joint[0]! * second.length + joint[1]!]?.[p] ?? 0))
      : [];
    // one population can only be at mixtures that are the same for both
    const rest = known.filter(([x, y]) => !alone || x?.every((v, i) => Math.abs(v - (y?.[i] ?? 0)) < 1e-9));
    const sizes = names.map((list) => list.length);
    const cut = (flat: ArrayLike<number>): Shares => {
      let at = 0;
      return sizes.map((n) => {
        at += n;
        return Array.from(flat).slice(at - n, at);
      });
    };
    const rng = run.rng.split('shares');
    let x: Shares = sizes.map((n) => (c.start === 'even' ? new Array<number>(n).fill(1 / n) : drawn(rng, n)));
    let step = 0;
    let every = 1; // steps between kept states, doubled whenever they become too many
    let states: Shares = [];
    let steps: readonly number[] = [];
    if (resume !== undefined) {
      const width = sizes.reduce((a, b) => a + b, 0);
      const flat = resume.arrays.states as Float64Array;
      x = cut(resume.arrays.shares as Float64Array);
      steps = Array.from(resume.arrays.steps as Float64Array);
      states = steps.map((_, i) => Array.from(flat.subarray(i * width, (i + 1) * width)));
      step = savedNumber(resume, 'step');
      every = savedNumber(resume, 'every');
    } else {
      states = [x.flat()];
      steps = [0];
    }
    const points = pointsFor(sizes);
    const perRow = Math.max(1, Math.floor(run.steps / ROWS));
    const fastest = (at: Shares): number => Math.max(...field(at).flatMap((list) => list.map(Math.abs)));
    let speed = fastest(x);
    while (step < run.steps && speed > c.tolerance) {
      for (let k = 0; k < perRow && step < run.steps; k++) {
        x = flowStep(x, field, c.dt);
        step++;
        if (step % every === 0) {
          states = [...states, x.flat()];
          steps = [...steps, step];
        }
        if (states.length > MOST_STATES) {
          states = states.filter((_, i) => i % 2 === 0);
          steps = steps.filter((_, i) => i % 2 === 0);
          every *= 2;
        }
      }
      const now = x;
      const [a = [], b = a] = now;
      const strategy = [Float64Array.from(a), Float64Array.from(b)];
      speed = fastest(now);
      const flat = now.flat();
      const distances = rest.map((profile) => Math.max(...flat.map((v, i) => Math.abs(v - profile.slice(0, sizes.length).flat()[i]!))));
      const kept = { states, steps };
      yield {
        step,
        metrics: {
          share1: a[0] ?? Number.NaN,
          share2: a[1] ?? Number.NaN,
          share3: a[2] ?? Number.NaN,
          payoff: dot(a, fitness(first, b)),
          distance: distances.length === 0 ? Number.NaN : Math.min(...distances),
          nashConv: exploitability(game.tree, strategy).nashConv,
          speed,
        },
        snapshot: () => saveStrategy(strategy),
        save: () => ({
          meta: { step, every },
          arrays: { shares: Float64Array.from(flat), states: Float64Array.from(kept.states.flat()), steps: Float64Array.from(kept.steps) },
        }),
        policy: () => strategyPolicy(run.meta, game, () => strategy),
        hash: () => hashBytes(Float64Array.from(flat)),
        population: () => {
          const shares: SharesReport = {
            populations: names.map((strategies, p) => ({
              name: run.meta.agents.flatMap((g) => g.names)[p] ?? `population ${p + 1}`,
              strategies,
            })),
            states: kept.states,
            steps: kept.steps,
            flow: points.map((at) => ({ at: at.flat(), change: field(at).flat() })),
            rest: rest.map((profile) => profile.slice(0, sizes.length).flat()),
          };
          const members = alone ? (names[0] ?? []) : [];
          return {
            step,
            members: members.map((id) => ({ id, role: 'strategy', step: 0, elo: null })),
            payoffs: alone ? first : [],
            games: members.map(() => members.map(() => 0)), // exact
            meta: alone ? kept.states : [],
            metaSteps: alone ? kept.steps : [],
            shares,
          };
        },
      };
    }
  },
  policy: async (context, saved) => savedStrategyPolicy(context, saved),
});
