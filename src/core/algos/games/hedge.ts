/**
 * Independent no-regret learning in a small Markov game, exact: after every episode each player is told what each of its actions was worth
 * in every place and step against what the others do, and changes its own chances by that alone.
 *   hedge (Freund and Schapire 1997):  pi_t(a|h,s) ~ exp( eta sqrt(ln N / t) sum_u<t Q_u(h,s,a) )
 *   policy gradient (softmax):         theta(h,s,a) += eta d(h,s) pi(a|h,s) [ Q(h,s,a) - V(h,s) ],   pi ~ exp theta
 * Q is the value of the action at that step against the others of this episode, d the chance to come there. The regret of a player after T
 * episodes is what it would have gained had it answered the T episodes best, by any policy that remembers the places and its own actions of the
 * episode (not only by one that reads the place), as a mean over episodes:
 *   regret_i(T) = 1/T [ max_{pi'} sum_t V_i(pi', pi_t,-i) - sum_t V_i(pi_t) ]
 * Sums over t of what leads to each history and pays there are kept, so the maximum is exact. A step of the run is one episode.
 * Pseudo-code:
 *   pi even in every place and step, for every player
 *   repeat until the budget is spent
 *     V, Q of every player against the others, backward from the last step
 *     for each player, for each history of places and own actions: add its chance times what each action pays there
 *     change theta of every player by the rule;   pi = softmax theta
 *     from time to time: the regret of the player who regrets most, and what a player could gain now by answering best
 */
import { z } from 'zod';
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { exp, log } from '#math/functions.ts';
import { hashBytes } from '#math/hash.ts';
import type { EnvEntry, EnvMeta, JointModel } from '../../envs/api/types.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { safePoint } from '../api/safe-point.ts';
import type { Policy } from '../api/types.ts';
import { stateOf } from '../lib/table.ts';

const config = z.strictObject({
  rule: z.enum(['hedge', 'policy gradient']).default('hedge').meta({
    title: 'rule',
    description: 'Hedge: chances by the exponent of all that each action was worth so far. Policy gradient: softmax, up the own value.',
    source: 'Foster et al. 2023',
    group: 'learning',
  }),
  eta: fields.real(1, {
    min: 0.001,
    max: 100,
    title: 'step size (eta)',
    description: 'Of hedge: times sqrt(ln N / t), the pace that bounds its regret in one-shot games. Of the policy gradient: as it is.',
    source: 'Freund and Schapire 1997',
    log: true,
    slider: [0.01, 10],
    group: 'learning',
  }),
  game: z.enum(['of the world', 'drawn from the seed']).default('of the world').meta({
    title: 'game',
    description:
      'Drawn from the seed: another game of the same size for every run, so that seeds speak of many games; the scene shows the game of the world.',
    source: 'own choice',
    depth: 'research',
  }),
});
type Config = z.infer<typeof config>;

/** Most histories of a player that regret is measured over. */
const MOST_HISTORIES = 20_000;
/** Every episode has a row at first, then those that are so much later. */
const [FIRST_ROWS, APART] = [100, 1.02];

function modelOf(entry: EnvEntry, envConfig: JsonObject): JointModel {
  const model = entry.create(envConfig, 1).joint?.();
  if (model === undefined)
    throw fail('incompatible', 'It needs a Markov game whose whole table is known.', 'Choose the Markov game.', 'env.id');
  return model;
}

/** Histories of places and own actions, by their length 0 .. horizon - 1. */
function historiesOf({ states, actions, horizon }: JointModel): number {
  let [sum, level] = [0, 1];
  for (let h = 0; h < horizon; h++, level *= states * actions) sum += level;
  return sum;
}

/** One player's side of the game against the others of this episode: what each action pays [H, S, N] and where it leads [H, S, N, S]. */
interface Side {
  readonly pays: Float64Array;
  readonly leads: Float64Array;
}

/** Exact values of all players under independent policies. Arrays are made once and filled at every call. */
export class MarkovPlay {
  readonly model: JointModel;
  readonly size: number; // H * S * N
  readonly sides: readonly Side[];
  /** [P][H, S, N] */
  readonly q: readonly Float64Array[];
  /** [P][H, S] */
  readonly v: readonly Float64Array[];
  /** [H, S] chance to come there. */
  readonly reach: Float64Array;
  private readonly digits: Int32Array; // [J, P]
  private readonly chance: Float64Array; // [P + 1] products up to each player
  private readonly after: Float64Array; // [P + 1] products from each player on

  constructor(model: JointModel) {
    this.model = model;
    const { players: P, states: S, actions: N, horizon: H, joint: J } = model;
    this.size = H * S * N;
    this.sides = Array.from({ length: P }, () => ({ pays: new Float64Array(this.size), leads: new Float64Array(this.size * S) }));
    this.q = this.sides.map(() => new Float64Array(this.size));
    this.v = this.sides.map(() => new Float64Array(H * S));
    this.reach = new Float64Array(H * S);
    this.digits = Int32Array.from({ length: J * P }, (_, i) => Math.floor(Math.floor(i / P) / N ** (P - 1 - (i % P))) % N);
    this.chance = new Float64Array(P + 1);
    this.after = new Float64Array(P + 1);
  }

  /** Reads the policies pi [P][H, S, N]. */
  update(pi: readonly Float64Array[]): void {
    const { players: P, states: S, actions: N, horizon: H, joint: J, pay, next } = this.model;
    for (const { pays, leads } of this.sides) {
      pays.fill(0);
      leads.fill(0);
    }
    this.chance[0] = 1;
    this.after[P] = 1;
    for (let h = 0; h < H; h++)
      for (let s = 0; s < S; s++) {
        const place = (h * S + s) * N;
        for (let j = 0; j < J; j++) {
          for (let p = 0; p < P; p++) this.chance[p + 1] = this.chance[p]! * pi[p]![place + this.digits[j * P + p]!]!;
          for (let p = P - 1; p >= 0; p--) this.after[p] = this.after[p + 1]! * pi[p]![place + this.digits[j * P + p]!]!;
          const to = next[s * J + j]!;
          for (let p = 0; p < P; p++) {
            const others = this.chance[p]! * this.after[p + 1]!;
            const at = place + this.digits[j * P + p]!;
            this.sides[p]!.pays[at]! += others * pay[(s * J + j) * P + p]!;
            this.sides[p]!.leads[at * S + to]! += others;
          }
        }
      }
    for (let p = 0; p < P; p++) this.values(p, pi[p]!);
    this.reach.fill(0);
    this.reach[0] = 1;
    const { leads } = this.sides[0]!;
    for (let h = 0; h + 1 < H; h++)
      for (let s = 0; s < S; s++)
        for (let a = 0; a < N; a++) {
          const at = (h * S + s) * N + a;
          const chance = this.reach[h * S + s]! * pi[0]![at]!;
          for (let to = 0; to < S; to++) this.reach[(h + 1) * S + to]! += chance * leads[at * S + to]!;
        }
  }

  private values(p: number, own: Float64Array): void {
    const { states: S, actions: N, horizon: H } = this.model;
    const [q, v] = [this.q[p]!, this.v[p]!];
    for (let h = H - 1; h >= 0; h--)
      for (let s = 0; s < S; s++) {
        let value = 0;
        for (let a = 0; a < N; a++) {
          const at = (h * S + s) * N + a;
          q[at] = this.worth(p, at, h, v);
          value += own[at]! * q[at]!;
        }
        v[h * S + s] = value;
      }
  }

  /** What an action earns now and, by `later` [H, S], afterwards. */
  private worth(p: number, at: number, h: number, later: Float64Array): number {
    const { states: S, horizon: H } = this.model;
    const { pays, leads } = this.sides[p]!;
    let sum = pays[at]!;
    if (h + 1 < H) for (let to = 0; to < S; to++) sum += leads[at * S + to]! * later[(h + 1) * S + to]!;
    return sum;
  }

  /** What player p would earn in an episode by answering the others best. */
  bestAnswer(p: number): number {
    const { states: S, actions: N, horizon: H } = this.model;
    const best = new Float64Array(H * S);
    for (let h = H - 1; h >= 0; h--)
      for (let s = 0; s < S; s++) {
        let most = Number.NEGATIVE_INFINITY;
        for (let a = 0; a < N; a++) most = Math.max(most, this.worth(p, (h * S + s) * N + a, h, best));
        best[h * S + s] = most;
      }
    return best[0]!;
  }
}

/** Sums over episodes, history by history, of one player: enough for the best answer in hindsight by a policy that remembers the episode. */
export class Hindsight {
  /** [histories, N]: chance to come there by the own actions of the history, times what each action pays. */
  readonly sums: Float64Array;
  private readonly model: JointModel;
  private at = 0;

  constructor(model: JointModel) {
    this.model = model;
    this.sums = new Float64Array(historiesOf(model) * model.actions);
  }

  add(side: Side): void {
    this.at = 0;
    this.walk(side, 0, 0, 1);
  }

  private walk(side: Side, h: number, s: number, weight: number): void {
    const { states: S, actions: N, horizon: H } = this.model;
    const node = this.at++ * N;
    for (let a = 0; a < N; a++) {
      const at = (h * S + s) * N + a;
      this.sums[node + a]! += weight * side.pays[at]!;
      if (h + 1 < H) for (let to = 0; to < S; to++) this.walk(side, h + 1, to, weight * side.leads[at * S + to]!);
    }
  }

  /** The most that the player could have earned in all episodes together. */
  best(): number {
    this.at = 0;
    return this.bestFrom(0);
  }

  private bestFrom(h: number): number {
    const { states: S, actions: N, horizon: H } = this.model;
    const node = this.at++ * N;
    let most = Number.NEGATIVE_INFINITY;
    for (let a = 0; a < N; a++) {
      let sum = this.sums[node + a]!;
      if (h + 1 < H) for (let to = 0; to < S; to++) sum += this.bestFrom(h + 1);
      most = Math.max(most, sum);
    }
    return most;
  }
}

/** pi [P][H, S, N] from theta [P, H, S, N], times `by`. */
function softmax(theta: Float64Array, by: number, pi: readonly Float64Array[], actions: number): void {
  const size = pi[0]!.length;
  for (const [p, own] of pi.entries())
    for (let at = 0; at < size; at += actions) {
      let top = Number.NEGATIVE_INFINITY;
      for (let a = 0; a < actions; a++) top = Math.max(top, theta[p * size + at + a]!);
      let sum = 0;
      for (let a = 0; a < actions; a++) sum += own[at + a] = exp(by * (theta[p * size + at + a]! - top));
      for (let a = 0; a < actions; a++) own[at + a]! /= sum;
    }
}

/** Draws by the chances: the mixture is the point, its likeliest action alone could be exploited. `chances` [P, H * S, N]. */
function chancesPolicy(meta: EnvMeta, chances: () => Float64Array): Policy {
  const none = new Float32Array(0);
  const { obsSize: O, actionCount: N } = meta;
  return {
    initial: () => none,
    act({ obs, agent, rng, rows }) {
      const now = chances();
      const actions = new Int32Array(rows);
      const logits = new Float32Array(rows * N);
      for (let row = 0; row < rows; row++) {
        const at = (agent[row]! * O + stateOf(obs, O, row)) * N;
        let u = rng.uniform();
        let pick = 0;
        while (pick < N - 1 && u >= now[at + pick]!) u -= now[at + pick++]!;
        actions[row] = pick;
        for (let a = 0; a < N; a++) logits[row * N + a] = log(Math.max(1e-30, now[at + a]!));
      }
      return { actions, hidden: none, logits };
    },
    dispose() {},
  };
}

export const hedge = defineAlgo<Config>({
  spec: {
    id: 'hedge',
    version: 1,
    title: 'Hedge',
    summary: 'Every player learns the values of its own actions against the others; the cost of learning is measured as exact regret.',
    source: {
      title: 'A decision-theoretic generalization of on-line learning',
      authors: 'Freund and Schapire',
      year: 1997,
      url: 'https://doi.org/10.1006/jcss.1997.1504',
    },
    config,
    presets: [{ id: 'gradient', title: 'Policy gradient', config: { rule: 'policy gradient' } }],
    action: 'discrete',
    learner: 'table',
    agents: 'many',
    mixed: true,
    trial: { env: 'markov-game', steps: 1000 },
    probes: [],
    metrics: [
      {
        id: 'regret',
        title: 'regret',
        description:
          'Of the player who regrets most: what the best policy in hindsight, which remembers the episode, would have earned more, per episode. 1: as much as by playing evenly against others who do.',
      },
      {
        id: 'gain',
        title: 'gain of an answer',
        description: 'What the player with most to gain would earn more by answering the others of now best.',
      },
      { id: 'welfare', title: 'all together', description: 'What all players together earn in an episode of now.' },
    ],
  },

  fits(meta) {
    if (meta.id === 'markov-game') return;
    throw fail('incompatible', 'It needs a Markov game whose whole table is known.', 'Choose the Markov game.', 'env.id');
  },

  async *train(run, resume) {
    const c = run.config;
    const drawn = { ...run.envConfig, modelSeed: run.rng.split('game').int(0xffff_ffff) };
    const model = modelOf(run.envEntry, c.game === 'of the world' ? run.envConfig : run.envEntry.parse(drawn));
    const { players: P, actions: N } = model;
    if (historiesOf(model) > MOST_HISTORIES) {
      const why = `A player has ${historiesOf(model)} histories in this game.`;
      throw fail('config-invalid', why, `Fewer places, actions or steps: ${MOST_HISTORIES} are allowed.`, 'env.horizon');
    }
    const play = new MarkovPlay(model);
    const { size } = play;
    const theta = new Float64Array(P * size);
    const earned = new Float64Array(P);
    const hindsight = Array.from({ length: P }, () => new Hindsight(model));
    const all = new Float64Array(P * size);
    const pi = Array.from({ length: P }, (_, p) => all.subarray(p * size, (p + 1) * size));
    const state = registerState({
      counters: { step: 0, row: 0 },
      arrays: { theta, earned, ...Object.fromEntries(hindsight.map(({ sums }, p) => [`sums${p}`, sums])) },
    });
    const { counters } = state;
    /** What theta is multiplied by before episode t, from 1. */
    const pace = (t: number): number => (c.rule === 'hedge' ? c.eta * Math.sqrt(log(N) / t) : 1);
    const point = safePoint({
      state,
      engine: { hash: () => hashBytes(theta) },
      snapshot: () => ({ meta: {}, arrays: { chances: all.slice() } }),
      policy: () => chancesPolicy(run.meta, () => all),
    });
    if (resume !== undefined) state.load(resume);
    softmax(theta, pace(counters.step + 1), pi, N);

    while (counters.step < run.steps) {
      do {
        play.update(pi);
        for (let p = 0; p < P; p++) {
          const [q, v] = [play.q[p]!, play.v[p]!];
          earned[p]! += v[0]!;
          hindsight[p]!.add(play.sides[p]!);
          for (let i = 0; i < size; i++) {
            const place = Math.floor(i / N);
            if (c.rule === 'hedge') theta[p * size + i]! += q[i]!;
            else theta[p * size + i]! += c.eta * play.reach[place]! * pi[p]![i]! * (q[i]! - v[place]!);
          }
        }
        counters.step++;
        softmax(theta, pace(counters.step + 1), pi, N);
      } while (counters.step < run.steps && counters.step > FIRST_ROWS && counters.step < APART * counters.row);
      counters.row = counters.step;
      play.update(pi);
      let [regret, gain, welfare] = [Number.NEGATIVE_INFINITY, 0, 0];
      for (let p = 0; p < P; p++) {
        regret = Math.max(regret, (hindsight[p]!.best() - earned[p]!) / counters.step);
        gain = Math.max(gain, play.bestAnswer(p) - play.v[p]![0]!);
        welfare += play.v[p]![0]!;
      }
      yield { step: counters.step, metrics: { regret, gain, welfare }, ...point };
    }
  },

  async policy({ meta }, saved) {
    const { chances } = saved.arrays;
    if (!(chances instanceof Float64Array) || chances.length !== meta.agentCount * meta.obsSize * meta.actionCount)
      throw fail('file-invalid', 'This policy holds no chances of every player.', 'Save it again.');
    return chancesPolicy(meta, () => chances);
  },
});
