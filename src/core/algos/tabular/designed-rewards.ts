/**
 * Q-learning on designed rewards, in worlds whose own reward is rare (after Devidze 2025). Behaviour is epsilon-greedy, and draws among
 * actions that are equally good: a table that knows nothing yet walks at random.
 *   Q(s,a) += alpha [ r + F + gamma max_b Q(s',b) - Q(s,a) ]
 * Who designs F, the reward beside that of the world (lib/reward-design.ts):
 *   none:            F = 0
 *   potential:       F = gamma V*(s') - V*(s),   a teacher who tells all it knows (Ng et al. 1999)
 *   fixed, adaptive: F = -fine (V*(s) - Q*(s,a)) at `places` states, else 0,   a teacher who may speak of those
 *   self:            F = bonus / sqrt(N(s')) - size (max_b R(s,b) - R(s,a)),   R(s,a) += step (G - R(s,a)),   the learner alone
 * The places of `fixed` are chosen once, by what random play loses there (EXPRD, Devidze et al. 2021, chooses them by a convex programme);
 * those of `adaptive` anew every `adaptEvery` episodes, by what the learner as it is now loses (ExpAdaRD, Devidze et al. 2024). `self` pays
 * a bonus for what was seen seldom, and fines by its own estimate R of what a mistake loses, from the returns G of the world's reward in
 * its own episodes; the fines fade as it gets paid (EXPLORS, Devidze et al. 2022, learns a reward by a gradient). `designGap` says how far
 * this moves the optimum. The teacher reads the transition table.
 * Pseudo-code:
 *   V*, Q* = optimal values by the transition table;   Q = initial value, R = 0, fines = 0
 *   if fixed or adaptive: choose places
 *   repeat until the budget is spent
 *     a = epsilon-greedy action in s by Q, ties drawn evenly;   take a, observe r and s'
 *     F = fines(s,a);   if potential: F += gamma V*(s') - V*(s), without V*(s') after a termination
 *     if self: N(s') += 1, F += bonus / sqrt(N(s'))
 *     Q(s,a) += alpha [ r + F + gamma max_b Q(s',b) - Q(s,a) ], no next value after a termination
 *     if the episode has ended
 *       if self
 *         for each of its steps, the last first: R(s,a) += step (G - R(s,a))
 *         fines(s,a) = -size (max_b R(s,b) - R(s,a)), size = fine x fade / (fade + paid episodes)
 *       if adaptive, after every `adaptEvery` episodes: choose places
 *   choose places: the `places` states where the policy (fixed: random play) loses most of V*
 *     fines(s,a) = -fine (V*(s) - Q*(s,a)) there, 0 elsewhere
 * Throws LabError('incompatible') where there is no transition table.
 */
import type { z } from 'zod';
import { kind, variant } from '../../envs/api/variant.ts';
import { startValue } from '../../envs/lib/tabular/values.ts';
import * as fields from '../api/fields.ts';
import { modelOf } from '../api/guards.ts';
import { greedyAction, outcomeOf, stateOf, type Table } from '../lib/table.ts';
import { uniformChances } from './lib/evaluation.ts';
import { costliest, designLoss, lossFromStart, paidModel, taught, writeFines } from './lib/reward-design.ts';
import { tabularMethod } from './lib/td.ts';

const source = 'own choice';

const places = fields.integer(3, {
  min: 1,
  max: 1000,
  title: 'places',
  unit: 'states',
  description: 'At how many states a teacher may fine mistakes.',
  source: 'Devidze et al. 2021: 3 to 5',
  slider: [1, 20],
  group: 'reward',
});
const fine = fields.real(1, {
  min: 0,
  max: 1000,
  title: 'fine',
  description: 'Paid for a mistake, in units of what it loses.',
  source,
  slider: [0, 10],
  group: 'reward',
});
const adaptEvery = fields.integer(5, {
  min: 1,
  max: 10_000,
  title: 'choose anew',
  unit: 'episodes',
  description: 'The watching teacher chooses its places again after so many.',
  source,
  slider: [1, 50],
  depth: 'stored',
  group: 'reward',
});
const bonus = fields.real(0.05, {
  min: 0,
  max: 100,
  title: 'bonus',
  description: 'The learner pays itself this over the root of how often it has been where it comes to.',
  source,
  slider: [0, 1],
  group: 'reward',
});
const returnStep = fields.real(0.2, {
  min: 0,
  max: 1,
  title: 'return step',
  description: 'How far the learner’s own estimates move towards the returns of an episode.',
  source,
  slider: [0, 1],
  depth: 'stored',
  group: 'reward',
});
const fade = fields.integer(20, {
  min: 1,
  max: 1e6,
  title: 'fade',
  unit: 'episodes',
  description: 'After so many episodes in which it was paid the learner’s own fines are half as large, after twice as many a third.',
  source,
  log: true,
  slider: [1, 1000],
  depth: 'stored',
  group: 'reward',
});

const design = variant(
  'adaptive',
  [
    kind('none', {}),
    kind('potential', {}),
    kind('fixed', { places, fine }),
    kind('adaptive', { places, fine, adaptEvery }),
    kind('self', { fine, bonus, returnStep, fade }),
  ],
  {
    title: 'reward design',
    description:
      'None; a potential from all of a teacher’s knowledge; a teacher’s fines at places chosen once, or anew as the learner learns; the learner’s own bonus and fines.',
    source: 'Devidze 2025',
    depth: 'teach',
    group: 'reward',
  },
);

interface Own {
  gamma: number;
  design: z.output<typeof design>;
}

/** Chances of the legal actions in a state: epsilon shared by all, the rest by those of the highest value; to out[at ..]. */
export function writeChances({ actions, q }: Table, s: number, epsilon: number, out: Float64Array, at: number, mask?: Uint8Array): void {
  let [best, equal, legal] = [Number.NEGATIVE_INFINITY, 0, 0];
  for (let a = 0; a < actions; a++) {
    if (mask?.[a] === 0) continue;
    legal++;
    const value = q[s * actions + a]!;
    if (value > best) [best, equal] = [value, 1];
    else if (value === best) equal++;
  }
  for (let a = 0; a < actions; a++) {
    const taken = mask?.[a] === 0 ? 0 : epsilon / legal + (q[s * actions + a] === best ? (1 - epsilon) / equal : 0);
    out[at + a] = taken;
  }
}

/** The number that a uniform number falls to among chances that sum to 1. */
function fallsTo(chances: Float64Array, uniform: number): number {
  let left = uniform;
  for (let a = 0; a < chances.length; a++) {
    left -= chances[a]!;
    if (left < 0) return a;
  }
  return chances.findLastIndex((chance) => chance > 0);
}

/** Moves estimates [S * N] towards the discounted returns of an episode: its pairs [n] and the rewards [n] that followed them, in order. */
export function learnReturns(
  returns: Float64Array,
  pairs: Int32Array,
  rewards: Float64Array,
  n: number,
  gamma: number,
  step: number,
): void {
  let later = 0;
  for (let t = n - 1; t >= 0; t--) {
    later = rewards[t]! + gamma * later;
    const pair = pairs[t]!;
    returns[pair]! += step * (later - returns[pair]!);
  }
}

/** Highest of a state's numbers [S * N]. */
function bestOf(values: Float64Array, s: number, actions: number): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let i = s * actions; i < (s + 1) * actions; i++) best = Math.max(best, values[i]!);
  return best;
}

/** Episodes that are cut later than this are remembered as far. */
const LONGEST = 10_000;

export const designedRewards = tabularMethod<Own>(
  {
    id: 'designed-rewards',
    version: 1,
    title: 'Q-learning on designed rewards',
    summary: 'Q-learning with a second reward beside the world’s: from a teacher, from an observer, or from the learner itself.',
    source: {
      title: 'Reward Design for Reinforcement Learning Agents',
      authors: 'Devidze',
      year: 2025,
      url: 'https://arxiv.org/abs/2503.21949',
    },
    presets: [
      { id: 'none', title: 'The world’s own reward', config: { design: 'none' } },
      { id: 'fixed', title: 'A teacher who speaks once', config: { design: 'fixed' } },
      { id: 'self', title: 'The learner’s own rewards', config: { design: 'self' } },
    ],
    needsModel: true,
    trial: { env: 'key-grid', steps: 1000, config: { design: 'self' } },
    probes: [],
    fields: {
      gamma: fields.gamma(0.95, source, { max: 0.99, live: false, slider: [0.5, 0.99], group: 'learning' }),
      design,
    },
    metrics: [
      {
        id: 'optimalityGap',
        title: 'gap to the optimum',
        description: 'What the greedy policy loses of the discounted optimum from the start, exactly, in the world’s own reward.',
      },
      {
        id: 'designGap',
        title: 'loss by the design',
        description: 'What the best policy for the rewards as they are paid now would lose: 0 where the design keeps the optimum.',
      },
    ],
  },
  ({ c, run, env, table, rng, alpha, epsilon }) => {
    const { buffers } = env;
    const by = c.design;
    const model = modelOf(run, 'Q-learning on designed rewards');
    const { actions } = table;
    const teacher = taught(model, c.gamma);
    const best = startValue(model, teacher.values);
    const fines = new Float64Array(table.q.length);
    const phi = by.kind === 'potential' ? teacher.values : new Float64Array(model.states);
    const returns = new Float64Array(table.q.length);
    const visits = new Float64Array(model.states);
    const [pairs, rewards] = [new Int32Array(LONGEST), new Float64Array(LONGEST)];
    const counters = { length: 0, episodes: 0, paid: 0 };
    const chances = new Float64Array(table.q.length);
    const row = new Float64Array(actions);
    const action = new Int32Array(1);
    const writeAll = (eps: number): void => {
      for (let state = 0; state < table.states; state++) writeChances(table, state, eps, chances, state * actions);
    };
    const choosePlaces = (): void => {
      if (by.kind !== 'fixed' && by.kind !== 'adaptive') return;
      if (by.kind === 'fixed') chances.set(uniformChances(model));
      else writeAll(epsilon());
      writeFines(teacher.loss, costliest(model, teacher.loss, chances, c.gamma, by.places), actions, by.fine, fines);
    };
    const extra = (pair: number, next: number, terminated: boolean): number => {
      const s = Math.floor(pair / actions);
      const seldom = by.kind === 'self' ? by.bonus / Math.sqrt(visits[next]! + 1) : 0;
      return fines[pair]! + (terminated ? 0 : c.gamma * phi[next]!) - phi[s]! + seldom;
    };
    let gap = Number.NaN; // of the chances it was measured for
    const measured = new Float64Array(table.q.length);
    const values = new Float64Array(model.states);
    const optimalityGap = (): number => {
      writeAll(0);
      if (Number.isNaN(gap) || chances.some((chance, pair) => chance !== measured[pair])) {
        measured.set(chances);
        gap = lossFromStart(model, chances, c.gamma, best, values);
      }
      return gap;
    };
    return {
      state: { counters, arrays: { fines, returns, visits, episodePairs: pairs, episodeRewards: rewards } },
      start: choosePlaces,
      step() {
        const [eps, lr] = [epsilon(), alpha()];
        const s = stateOf(buffers.obs, table.states);
        writeChances(table, s, eps, row, 0, buffers.mask);
        action[0] = fallsTo(row, rng.uniform());
        env.step(action);
        const { terminated, ended, next, nextMask } = outcomeOf(buffers, table.states);
        const reward = buffers.reward[0]!;
        const pair = s * actions + action[0]!;
        const paid = reward + extra(pair, next, terminated);
        visits[next]!++;
        const delta = paid + (terminated ? 0 : c.gamma * table.q[next * actions + greedyAction(table, next, nextMask)]!) - table.q[pair]!;
        table.q[pair]! += lr * delta;
        if (by.kind === 'self' && counters.length < LONGEST) {
          pairs[counters.length] = pair;
          rewards[counters.length++] = reward;
        }
        if (!ended) return delta;
        if (by.kind === 'self') {
          learnReturns(returns, pairs, rewards, counters.length, c.gamma, by.returnStep);
          if (rewards.subarray(0, counters.length).some((reward) => reward !== 0)) counters.paid++;
          const size = (by.fine * by.fade) / (by.fade + counters.paid);
          for (let i = 0; i < fines.length; i++) fines[i] = size * (returns[i]! - bestOf(returns, Math.floor(i / actions), actions));
        }
        counters.length = 0;
        counters.episodes++;
        if (by.kind === 'adaptive' && counters.episodes % by.adaptEvery === 0) choosePlaces();
        return delta;
      },
      report: () => ({ optimalityGap: optimalityGap(), designGap: designLoss(model, paidModel(model, extra), c.gamma, best) }),
    };
  },
);
