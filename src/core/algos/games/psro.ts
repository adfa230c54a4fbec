/**
 * Policy-space response oracles (Lanctot et al. 2017): a population grows by best responses to a mixture of its members, which a
 * meta-solver chooses from their payoffs against each other. On small games everything is exact (psroExact), elsewhere PPO
 * learns the responses (psroTrained). The policy is the mixture.
 *   U[i][j] = payoff of member i against member j, mean over both seats;  sigma = meta-solver(U)
 *   next member = best response to the mixture sum_i sigma_i pi_i
 * Pseudo-code:
 *   start with one member: uniform play, or the untrained network; if members: so many random ones
 *   sigma = meta-solver(U): nash, general-nash, uniform, prd, alpha-rank or risk-averse
 *   exact responses: repeat until the budget is spent, NashConv <= `tolerance` or no response is new
 *     both seats: best response to the mixture, by a pass over the whole tree
 *     if risk-averse, in matrix games: the best of mean - aversion * variance over the other's choice
 *     a new response (uniform: every one) joins; its exact payoffs extend U; sigma = meta-solver(U)
 *   learned responses: repeat until the budget is spent
 *     `updates` times: play T steps of B environments against members drawn by sigma; PPO update
 *     a frozen copy joins and plays all members, pairGames games from each seat: U
 *     sigma = meta-solver(U); if start is scratch: the network begins anew as the first member
 */
import { z } from 'zod';
import type { GameCard } from '#contract/game/payoffs.ts';
import type { PopulationReport } from '#contract/game/population.ts';
import { fail } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import type { Engine } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { writeParams } from '#core/state/params.ts';
import { joinSaved, partOf } from '#core/state/saved.ts';
import { bestResponse, expectedValues, exploitability } from '#math/exploitability.ts';
import { log } from '#math/functions.ts';
import { addRealisation, type GameTree, mixtureOf, type Strategy, sizeOf, uniform, zerosLike } from '#math/game-tree.ts';
import { hashBytes } from '#math/hash.ts';
import { type Matrix, transpose } from '#math/linear.ts';
import { alphaRank, projectedReplicator } from '#math/meta-game.ts';
import { riskAverse, zeroSumNash } from '#math/meta-game-nash.ts';
import { symmetricEquilibria } from '#math/nash.ts';
import { Rng } from '#math/rng.ts';
import { annealed } from '#math/schedules.ts';
import { kind, variant } from '../../envs/api/variant.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { episodeRow } from '../api/metrics.ts';
import type { ActQuery, Policy, Progress, Run } from '../api/types.ts';
import type { Settings } from '../lib/ppo/common.ts';
import type { NetworkOptions } from '../lib/ppo/networks.ts';
import { reportOf } from '../lib/ppo/team.ts';
import { createArena, drawMember, Pool, packedCounters } from './lib/league.ts';
import {
  buildPair,
  checkRows,
  checkTwoSeats,
  createSelfPlayLearner,
  type Frozen,
  gameFields,
  gameMetrics,
  pairPolicy,
} from './lib/learner.ts';
import {
  packed,
  savedStrategyPolicy,
  saveStrategy,
  smallGame,
  solverMetrics,
  strategyPolicy,
  toleranceField,
  unpacked,
} from './lib/solver.ts';

/** Meta-solvers of PSRO: which mixture of members to answer next, from the payoffs of one population against itself. */

export const metaFields = {
  metaSolver: variant(
    'nash',
    [
      kind('nash', {}),
      kind('general-nash', {}),
      kind('uniform', {}),
      kind('prd', {}),
      kind('alpha-rank', {}),
      kind('risk-averse', {
        aversion: fields.real(0.5, {
          min: 0,
          max: 100,
          title: 'risk aversion',
          description: 'How much variance of the payoff counts against its mean.',
          source: 'Slumbers et al. 2023',
          slider: [0, 2],
          group: 'population',
        }),
      }),
    ],
    {
      title: 'meta-solver',
      description:
        'The mixture that is answered next: an equilibrium of the members as a zero-sum game (double oracle) or of their payoffs as they are (general), uniform (fictitious play), projected replicator dynamics, alpha-Rank, or one that penalises the variance of the payoff over opponents.',
      source: 'Lanctot et al. 2017; risk-averse: Slumbers et al. 2023',
      depth: 'teach',
      group: 'population',
    },
  ),
};
export type MetaSolver = Settings<typeof metaFields>['metaSolver'];

const PRD = { iterations: 5000, dt: 0.02, least: 1e-3 };
const ALPHA_RANK = { population: 50, intensity: 5 }; // intensity per unit of the largest payoff

/**
 * Of all symmetric equilibria the one that pays most, the first of equals. With more than 12 members, or where ties hide every equilibrium,
 * projected replicator dynamics stand for it.
 */
function generalNash(pay: Matrix): readonly number[] | null {
  if (pay.length > 12) return null;
  const worth = (p: readonly number[]): number => pay.reduce((sum, row, i) => sum + p[i]! * row.reduce((s, v, j) => s + v * p[j]!, 0), 0);
  const found = symmetricEquilibria(pay).map((p) => ({ p, worth: worth(p) }));
  return (
    found.reduce<(typeof found)[number] | null>((best, one) => (best !== null && best.worth >= one.worth ? best : one), null)?.p ?? null
  );
}

function replicated(pay: Matrix, largest: number): readonly number[] {
  const scaled = pay.map((row) => row.map((v) => v / largest));
  return projectedReplicator(scaled, transpose(scaled), PRD).row;
}

/** `pay[i][j]`: member i against j, averaged over seats. The equilibrium "nash" is that of what one gets more than the other. */
export function solveMeta(pay: Matrix, solver: MetaSolver): readonly number[] {
  const n = pay.length;
  const even = new Array<number>(n).fill(1 / n);
  const largest = Math.max(...pay.map((row) => Math.max(...row.map(Math.abs))));
  if (n === 1 || solver.kind === 'uniform' || largest === 0) return even;
  switch (solver.kind) {
    case 'nash':
      return zeroSumNash(pay.map((row, i) => row.map((v, j) => (v - pay[j]![i]!) / 2))).row;
    case 'general-nash':
      return generalNash(pay) ?? replicated(pay, largest);
    case 'prd':
      return replicated(pay, largest);
    case 'alpha-rank':
      return alphaRank(
        pay.map((row) => row.map((v) => v / largest)),
        ALPHA_RANK.population,
        ALPHA_RANK.intensity,
      ).stationary;
    case 'risk-averse':
      return riskAverse(pay, transpose(pay), { aversion: solver.aversion, rounds: 2000 }).row;
  }
}

/**
 * PSRO on small games: best responses, payoffs and NashConv are exact. A member plays both seats; with the Nash meta-solver this is the
 * double oracle (McMahan et al. 2003) on the game in which seats are drawn. A step is one visited position of the tree.
 * In matrix games the risk-averse solver's responses are risk-averse too: best mean minus aversion times variance over opponents.
 */

interface Member {
  readonly strategy: Strategy;
  readonly step: number;
}

/** What the first gets when seats are drawn. */
function payoff(tree: GameTree, a: Strategy, b: Strategy): number {
  return (expectedValues(tree, a, b)[0] + expectedValues(tree, b, a)[1]) / 2;
}

/** Every information set with a mixture of its own, all mixtures equally likely. */
function randomStrategy(tree: GameTree, rng: Rng): Strategy {
  return tree.infoSets.map(({ actions }) => {
    const parts = Float64Array.from(actions, () => -log(1 - rng.uniform()));
    const total = parts.reduce((a, b) => a + b, 0);
    return parts.map((part) => part / total);
  });
}

/** Variance of what the row player of a table gets with this strategy against one who plays every action alike; NaN for other games. */
function payoffVariance(game: GameCard | undefined, strategy: Strategy): number {
  if (game === undefined) return Number.NaN;
  const own = strategy[0] as Float64Array;
  const columns = (game.actions[1] ?? []).length;
  let [sum, squares] = [0, 0];
  game.pay.forEach((paid, joint) => {
    const chance = own[Math.floor(joint / columns)]! / columns;
    sum += chance * (paid[0] ?? 0);
    squares += chance * (paid[0] ?? 0) ** 2;
  });
  return squares - sum ** 2;
}

/** Mean minus aversion times variance over the other's choice, best action of both players. */
function carefulResponse(tree: GameTree, { actions, pay }: GameCard, mixture: Strategy, aversion: number): Strategy {
  const columns = (actions[1] ?? []).length;
  return tree.infoSets.map(({ actions: own }, player) => {
    const other = mixture[1 - player] as Float64Array;
    const worth = own.map((a) => {
      const gets = Array.from(other, (_, o) => pay[player === 0 ? a * columns + o : o * columns + a]?.[player] ?? 0);
      const mean = gets.reduce((sum, v, o) => sum + v * other[o]!, 0);
      return mean - aversion * gets.reduce((sum, v, o) => sum + (v - mean) ** 2 * other[o]!, 0);
    });
    const pure = new Float64Array(own.length);
    pure[worth.indexOf(Math.max(...worth))] = 1;
    return pure;
  });
}

async function* psroExact(run: Run<Config>, resume: Saved | undefined): AsyncGenerator<Progress, void, void> {
  const c = run.config;
  const game = smallGame(run.envEntry, run.envConfig);
  const { tree } = game;
  const size = sizeOf(tree);
  const members: Member[] = [];
  const pay: number[][] = [];
  let metas: { readonly step: number; readonly mixture: readonly number[] }[] = [];
  const drawn = c.responses.kind === 'learned' ? 0 : c.responses.members;
  const starts = Math.max(1, drawn);
  let step = 0;
  const join = (strategy: Strategy): void => {
    const all = [...members, { strategy, step }];
    const row = all.map((other) => payoff(tree, strategy, other.strategy));
    pay.forEach((line, i) => {
      line.push(payoff(tree, (members[i] as Member).strategy, strategy));
    });
    pay.push(row);
    members.push({ strategy, step });
    step += 2 * size * members.length;
  };
  const mix = (): Strategy => {
    const mixture = solveMeta(pay, c.metaSolver);
    metas = [...metas, { step, mixture }];
    const sums = zerosLike(tree);
    members.forEach(({ strategy }, i) => {
      addRealisation(tree, strategy, mixture[i]!, sums);
    });
    return mixtureOf(sums);
  };
  let average: Strategy;
  if (resume === undefined) {
    const starting = run.rng.split('start');
    if (drawn === 0) join(uniform(tree));
    for (let i = 0; i < drawn; i++) join(randomStrategy(tree, starting));
    average = mix();
  } else {
    const kept = resume.meta as unknown as { pay: number[][]; steps: number[]; metas: typeof metas; step: number };
    kept.steps.forEach((born, i) => {
      members.push({ strategy: unpacked(tree, resume.arrays[`member${i}`]), step: born });
    });
    pay.push(...kept.pay.map((line) => [...line]));
    metas = kept.metas;
    step = kept.step;
    average = unpacked(tree, resume.arrays.average);
  }
  let nashConv = exploitability(tree, average).nashConv;
  let fresh = true; // the last response was a new one
  let begun = resume !== undefined;
  while (step < run.steps && (!begun || (nashConv > c.tolerance && fresh))) {
    begun = true;
    // 1. Both seats answer the mixture.
    const careful = c.metaSolver.kind === 'risk-averse' && run.meta.game !== undefined ? c.metaSolver.aversion : null;
    const answers = [bestResponse(tree, average, 0).strategy, bestResponse(tree, average, 1).strategy];
    const response =
      careful !== null
        ? carefulResponse(tree, run.meta.game as GameCard, average, careful)
        : tree.infoSets.map(({ player }, i) => answers[player]?.[i] as Float64Array);
    step += 2 * size;
    // 2. It joins; a mixture that depends on payoffs alone would not change by a copy.
    const same = packed(response).join();
    const known = members.some(({ strategy }) => packed(strategy).join() === same);
    fresh = c.metaSolver.kind === 'uniform' || !known;
    if (fresh) {
      join(response);
      average = mix();
    }
    const found = exploitability(tree, average);
    nashConv = found.nashConv;
    const now = average;
    const at = step;
    yield {
      step,
      metrics: {
        nashConv,
        firstValue: found.values[0],
        payoffVariance: payoffVariance(run.meta.game, now),
        members: members.length,
      },
      snapshot: () => saveStrategy(now),
      save: () => ({
        meta: {
          pay: pay.map((line) => [...line]),
          steps: members.map((m) => m.step),
          metas: metas.map((m) => ({ step: m.step, mixture: [...m.mixture] })),
          step,
        },
        arrays: { average: packed(now), ...Object.fromEntries(members.map((m, i) => [`member${i}`, packed(m.strategy)])) },
      }),
      policy: () => strategyPolicy(run.meta, game, () => now),
      // Populations that begin at random are told apart by their members: their mixtures often end alike.
      hash: () =>
        hashBytes(drawn === 0 ? packed(now) : Float64Array.from([...members.map((m) => m.strategy), now].flatMap((m) => [...packed(m)]))),
      population: (): PopulationReport => ({
        step: at,
        members: members.map((m, i) => ({
          id: i < starts ? (starts === 1 ? 'start' : `start ${i + 1}`) : `response ${i - starts + 1}`,
          role: 'response',
          step: m.step,
          elo: null,
        })),
        payoffs: pay.map((line) => [...line]),
        games: pay.map((line) => line.map(() => 0)),
        meta: metas.map((m) => m.mixture),
        metaSteps: metas.map((m) => m.step),
      }),
    };
  }
}

/**
 * PSRO where best responses must be learned: PPO trains one against opponents drawn from the mixture, it joins the pool, plays all members,
 * and the meta-solver looks at the payoffs. What the newest response gets against the mixture it answered is a lower bound of how much
 * that mixture can be exploited. Games for payoffs do not count as steps.
 */

async function* psroTrained(run: Run<Config>, resume: Saved | undefined): AsyncGenerator<Progress, void, void> {
  const c = run.config;
  const learned = learnedOf(c);
  const engine = await run.makeEngine();
  const side = createSelfPlayLearner(run, engine, learned, 'response', 0, run.rng.split('response'));
  const { updates, start, gameLimit, pairGames } = learned;
  const limit = gameLimit === 0 ? run.meta.evalMaxSteps : gameLimit;
  const arena = createArena(engine, run.envEntry, run.envConfig, learned, 2 * pairGames, limit);
  const picking = run.rng.split('picking');
  const matching = run.rng.split('matching');
  const pool = new Pool();
  const { values: counters, packed: numbers } = packedCounters({
    step: 0,
    updates: 0, // of this response
    winRate: Number.NaN,
    gain: Number.NaN,
  });
  const state = registerState({ parts: { engine, side: side.state, pool }, arrays: { counters: numbers, picking, matching } });
  if (resume === undefined) pool.add({ id: 'start', role: 'response', step: 0, held: false, frozen: await side.frozen() });
  else state.load(resume);
  const payoffs = () => pool.members.map((a) => pool.members.map((b) => pool.payoff(a.id, b.id) ?? 0));
  let mixture = solveMeta(payoffs(), c.metaSolver);
  if (resume === undefined) pool.mixes(0, mixture);
  const choose = () => pool.members[drawMember(mixture, 1, picking, mixture.length - 1)]!;
  const snapshot = (): Saved =>
    saveMixture(
      pool.members.map(({ frozen }) => frozen),
      mixture,
    );

  while (counters.step < run.steps) {
    // 1. The response learns against the mixture.
    const lr = learned.annealLr ? annealed(learned.lr, updates, counters.updates) : learned.lr;
    for (const { opponent, won } of await side.collect(choose)) {
      pool.learnerPlayed(opponent, won);
      const { winRate } = counters;
      counters.winRate = Number.isNaN(winRate) ? won : winRate + 0.02 * (won - winRate);
    }
    const report = await side.learn({ ...learned, lr });
    counters.step += learned.envs * learned.rolloutSteps;
    counters.updates++;
    const { step } = counters;
    const reported = reportOf(step, [report], [side.rollout]);

    // 2. When it has had its updates it joins, plays all members, and there is a new mixture to answer.
    if (counters.updates === updates) {
      const frozen = await side.frozen();
      const id = `response ${pool.members.length}`;
      const others = [...pool.members];
      pool.add({ id, role: 'response', step, held: false, frozen });
      for (const other of others) {
        const match = await arena.play(frozen, other.frozen, matching);
        pool.played(id, other.id, match.games, match.wins, match.payoffs);
      }
      counters.gain = others.reduce((sum, other, i) => sum + mixture[i]! * (pool.payoff(id, other.id) ?? Number.NaN), 0);
      mixture = solveMeta(payoffs(), c.metaSolver);
      pool.mixes(step, mixture);
      if (start === 'scratch') side.become(pool.get('start').frozen);
      counters.updates = 0;
      counters.winRate = Number.NaN;
    }
    const { winRate, gain } = counters;
    yield {
      step,
      metrics: {
        ...episodeRow(side.env),
        ...reported,
        learningRate: lr,
        winRate,
        gain,
        elo: pool.elo().at(-1) ?? Number.NaN,
        members: pool.members.length,
      },
      snapshot,
      save: () => state.save(),
      policy: () => mixturePolicy(() => run.makeEngine(), run.meta, learned, snapshot()),
      hash: () => engine.hash(),
      population: () => pool.report(step),
    };
  }
}

/** A mixture of members as one policy: each row draws its member when its episode begins, and stays with it. */

const LEAST = 1e-3; // members that are played more rarely are left out

/** Members of some weight, and their weights. */
export function saveMixture(members: readonly Frozen[], weights: readonly number[]): Saved {
  const kept = members.flatMap((frozen, i) => (weights[i]! >= LEAST ? [{ frozen, weight: weights[i]! }] : []));
  const parts = Object.fromEntries(kept.map(({ frozen }, i) => [`member${i}`, frozen]));
  return joinSaved({ members: kept.length }, parts, { weights: Float64Array.from(kept, ({ weight }) => weight) });
}

export async function mixturePolicy(
  makeEngine: () => Promise<Engine>,
  meta: EnvMeta,
  options: NetworkOptions,
  saved: Saved,
): Promise<Policy> {
  const engine = await makeEngine();
  const { weights } = saved.arrays;
  if (!(weights instanceof Float64Array)) throw fail('file-invalid', 'This mixture has no weights.', 'Save it again.');
  const total = weights.reduce((a, b) => a + b, 0);
  const policies = Array.from(weights, (_, i) => {
    const pair = buildPair(engine, `member${i}`, meta, options, Rng.from(0));
    writeParams(engine, pair.actor.group, partOf(saved, `member${i}`));
    return pairPolicy(engine, meta, pair);
  });
  const { obsSize: O, actionCount: N, actionSize: D } = meta;
  return {
    initial: (rows) => new Float32Array(rows), // 0: not drawn yet, else member + 1
    async act(query) {
      const { rows, rng, obs, mask, agent } = query;
      const hidden = Float32Array.from(
        { length: rows },
        (_, row) => query.hidden[row] || 1 + drawMember(weights, total, rng, weights.length - 1),
      );
      const actions = N > 0 ? new Int32Array(rows) : new Float32Array(rows * D);
      const logits = new Float32Array(rows * N);
      const value = new Float32Array(rows);
      for (const [k, policy] of policies.entries()) {
        const own = [...hidden.keys()].filter((row) => hidden[row] === k + 1);
        if (own.length === 0) continue;
        const pick = <T extends Float32Array | Uint8Array>(from: T, width: number, into: T): T => {
          for (const [i, row] of own.entries()) into.set(from.subarray(row * width, (row + 1) * width), i * width);
          return into;
        };
        const part: ActQuery = {
          obs: pick(obs, O, new Float32Array(own.length * O)),
          ...(mask && { mask: pick(mask, N, new Uint8Array(own.length * N)) }),
          agent: Int32Array.from(own, (row) => agent[row]!),
          hidden: policy.initial(own.length),
          rng,
          rows: own.length,
          greedy: query.greedy,
        };
        const act = await policy.act(part);
        own.forEach((row, i) => {
          for (let d = 0; d < D; d++) actions[row * D + d] = act.actions[i * D + d]!;
          for (let a = 0; a < N; a++) logits[row * N + a] = act.logits?.[i * N + a] ?? 0;
          value[row] = act.value?.[i] ?? Number.NaN;
        });
      }
      return { actions, hidden, value, ...(N > 0 && { logits }) };
    },
    dispose() {
      for (const policy of policies) policy.dispose();
      engine.dispose();
    },
  };
}

const ofExact = {
  members: fields.integer(0, {
    min: 0,
    max: 8,
    title: 'random members at the start',
    unit: 'members',
    description: 'Exact responses: so many mixtures drawn at random begin the population; 0: one that plays every action alike.',
    source: 'own choice',
    depth: 'research',
    group: 'population',
  }),
};
const ofLearned = {
  updates: fields.integer(40, {
    min: 1,
    max: 100_000,
    title: 'updates per response',
    unit: 'updates',
    description: 'Learned responses: how long PPO learns one.',
    source: 'own choice',
    log: true,
    slider: [5, 2000],
    depth: 'teach',
    group: 'population',
  }),
  start: z.enum(['last', 'scratch']).default('last').meta({
    title: 'initial response',
    description: 'Learned responses: the last one, or the untrained network.',
    source: 'own choice',
    depth: 'stored',
    group: 'population',
  }),
  ...gameFields,
};
/** The same where the game says whether responses are learned: forms have them where that is chosen. */
const ofAuto = fields.stored(ofLearned);

const config = z.strictObject({
  ...metaFields,
  responses: variant('auto', [kind('auto', { ...ofExact, ...ofAuto }), kind('exact', ofExact), kind('learned', ofLearned)], {
    title: 'best responses',
    description:
      'Exact where the game is small enough to be listed, else learned by PPO, whose settings are those of the choice "learned".',
    source: 'own choice',
    group: 'population',
  }),
  tolerance: toleranceField,
});
type Config = z.infer<typeof config>;

/** The settings of learned responses. */
function learnedOf({ responses }: Config): Exclude<Config['responses'], { readonly kind: 'exact' }> {
  if (responses.kind === 'exact') throw fail('internal', 'Exact responses are not learned.', 'Choose learned ones.');
  return responses;
}

const exact = (meta: EnvMeta, { responses }: Config): boolean =>
  responses.kind === 'exact' || (responses.kind === 'auto' && meta.listed === true);

export const psro = defineAlgo<Config>({
  spec: {
    id: 'psro',
    version: 2,
    changes: [{ version: 2, what: 'The population may begin with random mixtures.', before: { startMembers: 0 }, rerun: false }],
    title: 'PSRO',
    summary: 'Grows a population by best responses to the best mixture of its members.',
    source: {
      title: 'A unified game-theoretic approach to multiagent reinforcement learning',
      authors: 'Lanctot et al.',
      year: 2017,
      url: 'https://arxiv.org/abs/1711.00832',
    },
    config,
    presets: [
      { id: 'uniform', title: 'uniform (fictitious play)', config: { metaSolver: 'uniform' } },
      { id: 'prd', title: 'projected replicator dynamics', config: { metaSolver: 'prd' } },
      { id: 'risk-averse', title: 'risk-averse', config: { metaSolver: 'risk-averse' } },
    ],
    action: 'any',
    learner: 'network',
    agents: 'many',
    mixed: true,
    trial: { env: 'kuhn-poker', steps: 20_000, config: { metaSolver: 'uniform', tolerance: 0 } },
    probes: [],
    metrics: [
      ...solverMetrics.filter(({ id }) => id !== 'iterations'),
      ...gameMetrics,
      {
        id: 'payoffVariance',
        title: 'payoff variance',
        description: 'In a matrix game: variance of what the first player gets with the mixture against one who plays every action alike.',
      },
      {
        id: 'gain',
        title: 'gain of the last response',
        description: 'What it gets against the mixture it answered: the mixture can be exploited by at least as much.',
        unit: 'payoff',
      },
    ],
  },

  fits(meta, c) {
    if (exact(meta, c)) {
      if (meta.listed === true && meta.agentCount === 2) return;
      const why = 'This game is too large for exact best responses.';
      throw fail('config-invalid', why, 'Let them be learned.', 'algo.responses.kind');
    }
    checkTwoSeats(meta, 'PSRO');
    checkRows(learnedOf(c), 0);
  },

  train: (run, resume) => (exact(run.meta, run.config) ? psroExact(run, resume) : psroTrained(run, resume)),

  async policy(context, saved) {
    if (exact(context.meta, context.config)) return savedStrategyPolicy(context, saved);
    return mixturePolicy(context.makeEngine, context.meta, learnedOf(context.config), saved);
  },
});
