/**
 * AlphaZero (Silver et al. 2018) at the size of a browser, with the settings of OpenSpiel's example: one network gives chances of moves p
 * and the value v of a position; a search by PUCT with it (lib/tree.ts) plays games against itself; the network learns what the searches
 * found.
 *   loss = mean(-sum_a pi(a) ln p(a)) + valueWeight mean (z - v)^2,   pi by visits, z the result for the player to move
 * Noise Dirichlet(alpha) is mixed into the priors of every root while it learns; the first moves of a game are drawn by visits, later ones
 * are the most visited. Games run in lock-step, so that one run of the network judges a leaf of each; a tree is built anew for every move.
 * With `symmetries`, positions are learned from turned or mirrored at random, as the game allows (Silver et al. 2017). It always learns
 * from games against itself; against whom it is evaluated, the environment says.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     repeat 9 times, for all games side by side: search and play one move
 *       root: P = (1 - noiseShare) p + noiseShare Dirichlet(noiseAlpha) over the legal moves
 *       repeat `simulations` times
 *         descend by PUCT to a move that was not tried, or to an end of the game
 *         make it; the network gives priors P and value v of the position, v = result at an end
 *         back v up the path to the root, its sign changing from player to player
 *       pi = visits of the root's moves / their sum
 *       play a move drawn from pi in the first `drawnMoves` moves of a game, else the most visited
 *       where a game ended: append its positions with (pi, z) to the replay buffer
 *     while updates are owed (`reuse` / `batchSize` for each position) and the buffer holds a batch
 *       draw a batch evenly;   if symmetries: turn or mirror each position at random
 *       Adam step with weight decay on the loss;   if annealLr: step size falls over the run
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { present } from '#contract/kit/errors.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { log, pow } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import { categorical, normal } from '#math/sampling.ts';
import { annealed } from '#math/schedules.ts';
import { add, logSoftmax, mean, mul, neg, reshape, softmax, square, sub, sum, tanh } from '../../engine/ops.ts';
import { adam } from '../../engine/optimisers.ts';
import type { Engine } from '../../engine/types.ts';
import { createActions } from '../../envs/api/buffers.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkFilters, checkFinite } from '../api/guards.ts';
import { episodeMetrics, episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import type { Policy } from '../api/types.ts';
import { type PolicyNetwork, policyNetwork } from '../lib/network-policy.ts';
import { checkSearchable, gameOf, Lanes } from './lib/lanes.ts';
import { type Judge, searchAll } from './lib/mcts.ts';
import { searchPolicy } from './lib/player.ts';
import { type SearchTree, visitPolicy } from './lib/tree.ts';
import { decisionOf } from './mcts.ts';

const source = 'OpenSpiel alpha_zero.py, tic-tac-toe';

const config = z.strictObject({
  lr: fields.lr(1e-3, source),
  annealLr: fields.annealLr(false, 'own choice; in steps in Silver et al. 2018'),
  simulations: fields.integer(50, {
    min: 1,
    max: 10_000,
    title: 'simulations',
    unit: 'per move',
    description: 'Descents of the tree before each move, in self-play and when it is evaluated.',
    source: '40 in OpenSpiel alpha_zero.py',
    slider: [10, 200],
    depth: 'teach',
    group: 'search',
  }),
  exploration: fields.real(1.41, {
    min: 0,
    max: 100,
    title: 'exploration constant (c)',
    description: 'Weight of prior and ignorance beside value on the way down the tree (PUCT).',
    source,
    slider: [0, 4],
    group: 'search',
  }),
  noiseShare: fields.real(0.25, {
    min: 0,
    max: 1,
    title: 'share of noise at the root',
    description: 'Of the priors of the root while it learns; 0: none.',
    source: `${source}; Silver et al. 2018`,
    group: 'search',
  }),
  noiseAlpha: fields.real(1, {
    min: 0.01,
    max: 100,
    title: 'Dirichlet alpha',
    description: 'Of that noise: small puts it on few moves. About 10 divided by the number of moves.',
    source,
    group: 'search',
  }),
  drawnMoves: fields.integer(10, {
    min: 0,
    max: 1000,
    title: 'moves drawn by visits',
    unit: 'moves',
    description: 'At the start of each game it learns from (temperature 1); later ones are the most visited.',
    source: 'OpenSpiel alpha_zero.py (temperature_drop)',
    slider: [0, 20],
    group: 'search',
  }),
  envs: fields.numEnvs(32, 'own choice', { description: 'Games played side by side against itself.', max: 256 }),
  bufferSize: fields.bufferSize(8192, `${source} (2^13)`, {
    max: 100_000,
    slider: [1024, 50_000],
    description: 'Newest positions that it learns from.',
  }),
  reuse: fields.integer(4, {
    min: 1,
    max: 100,
    title: 'times a position is used',
    description: 'On average, in updates.',
    source,
    slider: [1, 16],
    group: 'replay',
  }),
  symmetries: z.boolean().default(false).meta({
    title: 'turned and mirrored',
    description: 'Positions it learns from are turned or mirrored at random, where the game stays the same.',
    source: 'Silver et al. 2017 (Go); off in Silver et al. 2018',
    group: 'replay',
  }),
  batchSize: fields.batchSize(128, source),
  valueWeight: fields.valueCoef(1, source),
  weightDecay: fields.real(1e-4, {
    min: 0,
    max: 1,
    title: 'weight decay',
    description: 'Pull of all weights towards 0.',
    source,
    depth: 'research',
    group: 'optimisation',
  }),
  filters: fields.filters(0, 'an MLP for tic-tac-toe in OpenSpiel'),
  hidden: fields.hidden([128, 128], '2 layers of 256 in OpenSpiel alpha_zero.py'),
});
type Config = z.infer<typeof config>;

const metrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'policyLoss', title: 'policy loss', description: 'Cross-entropy of the network’s chances against those of the search.' },
  { id: 'valueLoss', title: 'value loss', description: 'Mean squared error of the network’s value against the results of games.' },
  { id: 'searchEntropy', title: 'entropy of the search', description: 'Of the chances by visits; falls as searches agree.', unit: 'nats' },
  { id: 'firstWins', title: 'first player', description: 'Mean result of the games played since the last row, for the player who began.' },
  { id: 'gradNorm', title: 'gradient norm', description: 'Norm of the gradient.' },
];

/** Positions searched at once by a policy that plays. */
const LANES = 32;

const networkOf = (engine: Engine, meta: EnvMeta, c: Config, rng: Rng): PolicyNetwork =>
  policyNetwork(engine, meta, { ...c, activation: 'relu', sharedTrunk: true }, rng);

/** A judge that asks the network. */
function networkJudge(engine: Engine, net: PolicyNetwork, rows: number): Judge {
  const program = engine.compile(
    net.inputs(rows),
    (x, g) => {
      const { head, value } = net.apply(x, g);
      return { chances: softmax(head), value: tanh(value) };
    },
    { name: 'alpha zero judge' },
  );
  return async (lanes, states) => {
    const { obs, mask } = program.in;
    for (let lane = 0; lane < states.length; lane++) lanes.see(lane, lane, obs, mask ?? null);
    const pending = program.run();
    if (pending) await pending;
    return { priors: program.out.chances, values: program.out.value };
  };
}

function compileLearner(engine: Engine, net: PolicyNetwork, meta: EnvMeta, c: Config) {
  const rows = c.batchSize;
  return engine.compile(
    { ...net.inputs(rows), chances: [rows, meta.actionCount], result: [rows], valueWeight: [1] },
    (x, g) => {
      const { head, value } = net.apply(x, g);
      const policyLoss = neg(mean(sum(mul(x.chances, logSoftmax(head)), -1)));
      const valueLoss = mean(square(sub(x.result, tanh(value))));
      return { policyLoss, valueLoss, loss: reshape(add(policyLoss, mul(x.valueWeight, valueLoss)), []) };
    },
    { minimise: 'loss', group: net.group, with: adam({ weightDecay: c.weightDecay }), name: 'alpha zero learn' },
  );
}

/** Row `from` of a table to row `to` of another, each number from where `order` says. */
function copyRow(table: Float32Array, from: number, width: number, order: Int32Array | undefined, into: Float32Array, to: number): void {
  if (order === undefined) into.set(table.subarray(from * width, (from + 1) * width), to * width);
  else for (let i = 0; i < width; i++) into[to * width + i] = table[from * width + order[i]!]!;
}

/** A draw of Gamma(alpha, 1) (Marsaglia & Tsang 2000). */
function gamma(alpha: number, rng: Rng): number {
  if (alpha < 1) return gamma(alpha + 1, rng) * pow(rng.uniform(), 1 / alpha);
  const d = alpha - 1 / 3;
  for (;;) {
    const x = normal(rng);
    const v = (1 + x / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && log(rng.uniform()) < 0.5 * x * x + d - d * v + d * log(v)) return d * v;
  }
}

/** A draw of Dirichlet(alpha, .., alpha). */
export function dirichlet(n: number, alpha: number, rng: Rng): number[] {
  const draws = Array.from({ length: n }, () => Math.max(gamma(alpha, rng), 1e-300));
  const total = draws.reduce((a, b) => a + b, 0);
  return draws.map((x) => x / total);
}

function playing(engine: Engine, net: PolicyNetwork, context: Parameters<typeof gameOf>[0], c: Config, dispose?: () => void): Policy {
  const game = gameOf(context, 'AlphaZero');
  const lanes = new Lanes(context.envEntry, game, LANES);
  const judge = networkJudge(engine, net, LANES);
  const trees = async (states: readonly Uint8Array[]): Promise<SearchTree[]> => {
    const out: SearchTree[] = [];
    const options = { simulations: c.simulations, rule: 'PUCT', c: c.exploration } as const;
    for (let from = 0; from < states.length; from += LANES)
      out.push(...(await searchAll(states.slice(from, from + LANES), lanes, judge, options)));
    return out;
  };
  return searchPolicy(context.meta, game, {
    decide: async (states) => (await trees(states)).map(decisionOf),
    searched: async (state, depth) => (await trees([state]))[0]!.report(depth),
    ...(dispose && { dispose }),
  });
}

export const alphaZero = defineAlgo<Config>({
  spec: {
    id: 'alpha-zero',
    version: 1,
    title: 'AlphaZero',
    summary: 'Plays against itself with a search that a network guides, and teaches the network what the search found.',
    source: {
      title: 'A general reinforcement learning algorithm that masters chess, shogi and Go through self-play',
      authors: 'Silver et al.',
      year: 2018,
      url: 'https://doi.org/10.1126/science.aar6404',
    },
    config,
    presets: [
      {
        id: 'connect-four',
        title: 'Connect four: convolution of 32 filters, 64 games',
        config: { envs: 64, filters: 32, hidden: [128], noiseAlpha: 1.4, bufferSize: 20_000 },
      },
      { id: 'openspiel', title: 'OpenSpiel’s example: 40 simulations, 2 layers of 256', config: { simulations: 40, hidden: [256, 256] } },
    ],
    action: 'discrete',
    learner: 'network',
    agents: 'many',
    trial: { env: 'tic-tac-toe', steps: 160, config: { simulations: 4, envs: 4, hidden: [16], batchSize: 16, bufferSize: 200 } },
    probes: [],
    metrics,
  },

  fits(meta, c) {
    checkSearchable(meta, 'AlphaZero');
    checkFilters(meta, c.filters);
  },

  async *train(run, resume) {
    const c = run.config;
    const game = gameOf(run, 'AlphaZero');
    const engine = await run.makeEngine();
    const env = run.makeEnv(c.envs, game.config);
    const { buffers, meta, batch: G } = env;
    const { obsSize: O, actionCount: N } = meta;
    const net = networkOf(engine, meta, c, run.rng.split('init'));
    const lanes = new Lanes(run.envEntry, game, G);
    const judge = networkJudge(engine, net, G);
    const learn = compileLearner(engine, net, meta, c);
    const [noise, moving, drawing] = [run.rng.split('noise'), run.rng.split('moves'), run.rng.split('batches')];
    const longest = meta.evalMaxSteps;
    // The games that go on: what each player saw and what the search said, until the result is known.
    const played = new Int32Array(G);
    const inGames = (width: number) => new Float32Array(G * longest * width);
    const [gameObs, gameMask, gameChances] = [inGames(O), inGames(N), inGames(N)];
    // Positions of finished games, in a ring.
    const size = c.bufferSize;
    const inRing = (width: number) => new Float32Array(size * width);
    const [obs, mask, chances, results] = [inRing(O), inRing(N), inRing(N), inRing(1)];
    const actions = createActions(meta, G);
    const symmetries = c.symmetries ? game.symmetries : [];
    const state = registerState({
      counters: { step: 0, kept: 0, owed: 0 },
      parts: { env, engine },
      arrays: { noise, moving, drawing, played, gameObs, gameMask, gameChances, obs, mask, chances, results },
    });
    const { counters } = state;
    const point = safePoint({
      state,
      engine,
      snapshot: () => saveGroups(engine, { net: net.group }),
      policy: () => playing(engine, net, run, c),
    });
    if (resume === undefined) env.reset();
    else state.load(resume);

    /** The positions of game `g`, whose last mover got `result`. */
    function keep(g: number, result: number): void {
      const length = played[g]!;
      for (let t = 0; t < length; t++) {
        const [from, to] = [g * longest + t, counters.kept % size];
        obs.set(gameObs.subarray(from * O, (from + 1) * O), to * O);
        mask.set(gameMask.subarray(from * N, (from + 1) * N), to * N);
        chances.set(gameChances.subarray(from * N, (from + 1) * N), to * N);
        results[to] = (length - 1 - t) % 2 === 0 ? result : -result;
        counters.kept++;
        counters.owed += c.reuse / c.batchSize;
      }
      played[g] = 0;
    }

    let [entropies, moves, first, games] = [0, 0, 0, 0];
    async function playMove(): Promise<void> {
      const roots = Array.from({ length: G }, (_, g) => env.env.save(g));
      const options = {
        simulations: c.simulations,
        rule: 'PUCT',
        c: c.exploration,
        noise: { share: c.noiseShare, draw: (count: number) => dirichlet(count, c.noiseAlpha, noise) },
      } as const;
      const trees = await searchAll(roots, lanes, judge, options);
      const movers = Int32Array.from(present(buffers.toMove, 'whose turn it is'));
      const legal = present(buffers.mask, 'the legal moves');
      actions.fill(0);
      trees.forEach((tree, g) => {
        const t = played[g]!;
        const at = g * longest + t;
        const slot = 2 * g + movers[g]!;
        const found = visitPolicy(tree.visits(), 1);
        gameObs.set(buffers.obs.subarray(slot * O, (slot + 1) * O), at * O);
        gameMask.set(legal.subarray(slot * N, (slot + 1) * N), at * N);
        gameChances.set(found, at * N);
        for (const p of found) if (p > 0) entropies -= p * log(p);
        const drawn = t < c.drawnMoves ? found : visitPolicy(tree.visits(), 0);
        const logits = Float32Array.from(drawn, (p) => (p > 0 ? log(p) : -1e8));
        actions[slot] = categorical(logits, 0, N, moving.uniform());
        played[g] = t + 1;
      });
      moves += G;
      env.step(actions);
      for (let g = 0; g < G; g++) {
        if (buffers.terminated[g] === 0 && buffers.truncated[g] === 0) continue;
        first += buffers.reward[2 * g]!;
        games++;
        keep(g, buffers.reward[2 * g + movers[g]!]!);
      }
      counters.step += G;
    }

    async function update(sums: { policyLoss: number; valueLoss: number; gradNorm: number }): Promise<void> {
      const feed = learn.in;
      const held = Math.min(counters.kept, size);
      for (let k = 0; k < c.batchSize; k++) {
        const from = drawing.int(held);
        const turned = symmetries.length > 0 ? symmetries[drawing.int(symmetries.length)] : undefined;
        copyRow(obs, from, O, turned?.obs, feed.obs, k);
        if (feed.mask !== undefined) copyRow(mask, from, N, turned?.actions, feed.mask, k);
        copyRow(chances, from, N, turned?.actions, feed.chances, k);
        feed.result[k] = results[from]!;
      }
      feed.valueWeight[0] = c.valueWeight;
      feed.lr[0] = c.annealLr ? annealed(c.lr, run.steps, counters.step) : c.lr;
      const pending = learn.run();
      if (pending) await pending;
      sums.policyLoss += learn.out.policyLoss[0]!;
      sums.valueLoss += learn.out.valueLoss[0]!;
      sums.gradNorm += learn.out.gradNorm[0]!;
    }

    while (counters.step < run.steps) {
      [entropies, moves, first, games] = [0, 0, 0, 0];
      // About one game of each: a row of curves, and a moment to pause.
      for (let k = 0; k < 9 && counters.step < run.steps; k++) await playMove();
      const sums = { policyLoss: 0, valueLoss: 0, gradNorm: 0 };
      let updates = 0;
      for (; counters.owed >= 1 && counters.kept >= c.batchSize; counters.owed--, updates++) await update(sums);
      const { step } = counters;
      const mean = (total: number): number => (updates === 0 ? Number.NaN : total / updates);
      if (updates > 0) checkFinite(step, sums);
      yield {
        step,
        metrics: {
          ...episodeRow(env),
          policyLoss: mean(sums.policyLoss),
          valueLoss: mean(sums.valueLoss),
          gradNorm: mean(sums.gradNorm),
          searchEntropy: entropies / moves,
          firstWins: games === 0 ? Number.NaN : first / games,
        },
        ...point,
      };
    }
  },

  async policy(context, saved) {
    const engine = await context.makeEngine();
    const game = gameOf(context, 'AlphaZero');
    const net = networkOf(engine, context.envEntry.meta(game.config), context.config, Rng.from(0));
    loadGroups(engine, { net: net.group }, saved);
    return playing(engine, net, context, context.config, () => engine.dispose());
  },

  benchmark({ config: c, meta, engine }) {
    const learn = compileLearner(engine, networkOf(engine, meta, c, Rng.from(0)), meta, c);
    return { run: () => learn.run(), seen: () => [learn.in.obs] };
  },
});
