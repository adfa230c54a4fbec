/**
 * Scenario `pairs`: rounds of up to four phases, one step each. choose (with partner choice): name a partner; in a drawn order, who
 * is free gets the named one if it is free too, the others are paired by lot. play: cooperate or defect, paid by the game. punish
 * (with direct punishment): pay `cost` to take `fine` from the partner. third party: the same for one player of another pair, drawn.
 * Reputation: moving average of cooperation, from 1/2, seen by all where it is switched on.
 * Obs: phase (4), own last action, own reputation, partner's reputation, what it did to me when we last met, what it did now (once played),
 * punishments got in the last phase, watched player's action, its partner's action, its reputation; with partner choice, for every agent
 * its reputation and what it did to me when we last met. Actions +1 cooperated, -1 defected, 0 unknown. The mask leaves what a phase allows.
 * Never ends; truncates at `maxSteps`. Central state: phase, then reputation and last action of every agent.
 */
import type { MetricCard } from '#contract/catalog/catalog.ts';
import type { NetworkLayout } from '#contract/game/frames.ts';
import { checkCell } from '#core/envs/api/checks.ts';
import { Draws } from '#core/envs/api/draws.ts';
import { assemble } from '#core/envs/api/environment.ts';
import { allocateRows, defineState } from '#core/envs/api/state.ts';
import type { DrawSource, Environment, EnvMeta, StepBuffers } from '#core/envs/api/types.ts';
import { type Config, payoffsOf, sizeOf } from './config.ts';

/** Actions; naming agent j is CHOOSE + j. */
export const COOPERATE = 0;
export const DEFECT = 1;
export const SPARE = 2;
export const PUNISH = 3;
export const CHOOSE = 4;

export const PHASES = ['choose', 'play', 'punish', 'third party'] as const;
export const [PHASE_CHOOSE, PHASE_PLAY, PHASE_PUNISH, PHASE_THIRD] = [0, 1, 2, 3] as const;
export const OWN = 13; // numbers before those about every agent

/** The phases of a round, in order. */
function phasesOf(c: Config): readonly number[] {
  return [
    ...(c.partnerChoice ? [PHASE_CHOOSE] : []),
    PHASE_PLAY,
    ...(c.directPunishment ? [PHASE_PUNISH] : []),
    ...(c.thirdPartyPunishment ? [PHASE_THIRD] : []),
  ];
}

const stepsIn = (c: Config, phase: number) => {
  const phases = phasesOf(c);
  const at = phases.indexOf(phase);
  return at < 0 ? 0 : Math.floor((c.maxSteps - at + phases.length - 1) / phases.length);
};

function stateOf(c: Config) {
  const n = sizeOf(c);
  return defineState(1, [
    { name: 'reputation', type: 'f64', shape: [n], doc: 'moving average of cooperation of each agent' },
    { name: 'phase', type: 'u32', shape: [], doc: 'place of the coming phase in a round, 0 the first of those switched on' },
    { name: 'partner', type: 'u32', shape: [n], doc: 'partner of each agent; itself while pairs are not made' },
    { name: 'watched', type: 'u32', shape: [n], doc: 'whom each agent watches; itself before the third-party phase' },
    { name: 'action', type: 'u32', shape: [n], doc: 'last play of each: 0 none, 1 cooperated, 2 defected' },
    { name: 'punished', type: 'u32', shape: [n], doc: 'punishments each got in the last phase' },
    { name: 'met', type: 'u32', shape: [n, n], doc: 'met[i][j]: what j did to i when they last met, 0 never, 1 cooperated, 2 defected' },
    { name: 'counts', type: 'u32', shape: [5], doc: 'so far: plays, cooperations, punishments of partners, of others, of cooperators' },
    { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
  ]);
}

const MEASURES: readonly MetricCard[] = [
  { id: 'cooperation', title: 'cooperation', description: 'Share of plays in which an agent cooperated; mean of the last 100 episodes.' },
  {
    id: 'punishment',
    title: 'punishments',
    description: 'Punishments of partners and of others, for each play; mean of the last 100 episodes.',
    unit: 'per play',
  },
  {
    id: 'unfair',
    title: 'unfair punishments',
    description: 'Share of punishments that fell on one who had cooperated; mean of the last 100 episodes.',
  },
];

/** Node states of the frame; an agent that was just punished shows that instead of its last play. */
const JUST_PUNISHED = 3;

function layoutOf(n: number): NetworkLayout {
  return {
    kind: 'network',
    nodes: n,
    links: 2 * n,
    states: [
      { name: 'has not played', colour: 'grey' },
      { name: 'cooperated', colour: 'green' },
      { name: 'defected', colour: 'red' },
      { name: 'punished', colour: 'purple' },
    ],
    linkKinds: [
      { name: 'partners', colour: 'grey' },
      { name: 'watches', colour: 'blue', arrow: true },
    ],
    extra: ['cooperation'],
  };
}

export function pairsMeta(c: Config): EnvMeta {
  const n = sizeOf(c);
  const O = OWN + (c.partnerChoice ? 2 * n : 0);
  const names = Array.from({ length: n }, (_, i) => `agent ${i + 1}`);
  const labels = ['cooperate', 'defect', 'spare', 'punish', ...(c.partnerChoice ? names.map((name) => `choose ${name}`) : [])];
  const payoffs = payoffsOf(c);
  const plays = stepsIn(c, PHASE_PLAY);
  const punishes = stepsIn(c, PHASE_PUNISH) + stepsIn(c, PHASE_THIRD);
  return {
    id: 'population-dilemma',
    version: 1,
    agents: [
      { count: n, names, obs: { kind: 'box', shape: [O], low: -1, high: n }, action: { kind: 'discrete', n: labels.length, labels } },
    ],
    agentCount: n,
    obsSize: O,
    actionSize: 1,
    actionCount: labels.length,
    rewards: ['reward'],
    costs: [],
    globalSize: PHASES.length + 2 * n,
    masked: true,
    score: 'mean',
    gamma: 0.99,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state: stateOf(c),
    frame: layoutOf(n),
    references: [
      {
        name: 'random',
        value: (plays * payoffs.reduce((a, b) => a + b, 0)) / 4 - (punishes * (c.cost + c.fine)) / 2,
        source: 'exact, per agent, uniform legal actions',
      },
      { name: 'all cooperate', value: plays * payoffs[0]!, source: 'exact, per agent, no punishment' },
      { name: 'all defect', value: plays * payoffs[3]!, source: 'exact, per agent, no punishment' },
    ],
    keys: [],
    idleAction: null,
    fps: 4,
    measures: MEASURES,
  };
}

const SIGN = [0, 1, -1] as const; // unknown, cooperated, defected

export function createPairs(c: Config, batch: number, script?: DrawSource): Environment {
  const n = sizeOf(c);
  const phases = phasesOf(c);
  const payoffs = Float64Array.from(payoffsOf(c));
  const rows = allocateRows(stateOf(c), batch);
  const { floats, words, wordStride } = rows;
  const draws = new Draws(rows.rng, script);
  const meta = pairsMeta(c);
  const { obsSize: O, actionCount: N } = meta;
  const PARTNER = 1;
  const WATCHED = PARTNER + n;
  const ACTION = WATCHED + n;
  const PUNISHED = ACTION + n;
  const MET = PUNISHED + n;
  const COUNTS = MET + n * n;
  const STEPS = COUNTS + 5;
  const order = new Int32Array(n);
  const free = new Uint8Array(n);
  const shown = (row: number, agent: number) => (c.reputation ? floats[row * n + agent]! : 0);

  const shuffle = (row: number) => {
    for (let i = 0; i < n; i++) order[i] = i;
    for (let i = n - 1; i > 0; i--) {
      const k = draws.int(row, i + 1, 'order');
      const kept = order[i]!;
      order[i] = order[k]!;
      order[k] = kept;
    }
  };
  /** Pairs: named partners first (choice[from + i] is the action of agent i), then by lot among those left. */
  const pairUp = (row: number, choice: ArrayLike<number> | null, from: number) => {
    const s = row * wordStride;
    shuffle(row);
    free.fill(1);
    const join = (i: number, j: number) => {
      words[s + PARTNER + i] = j;
      words[s + PARTNER + j] = i;
      free[i] = 0;
      free[j] = 0;
    };
    if (choice !== null)
      for (let k = 0; k < n; k++) {
        const i = order[k]!;
        const j = choice[from + i]! - CHOOSE;
        if (free[i] === 1 && j >= 0 && j !== i && free[j] === 1) join(i, j);
      }
    let waiting = -1;
    for (let k = 0; k < n; k++) {
      const i = order[k]!;
      if (free[i] === 0) continue;
      if (waiting < 0) waiting = i;
      else {
        join(waiting, i);
        waiting = -1;
      }
    }
  };
  /** Each watches one player that is neither itself nor its partner. */
  const watch = (row: number) => {
    const s = row * wordStride;
    for (let i = 0; i < n; i++) {
      const low = Math.min(i, words[s + PARTNER + i]!);
      const high = Math.max(i, words[s + PARTNER + i]!);
      let k = draws.int(row, n - 2, 'watched');
      if (k >= low) k++;
      if (k >= high) k++;
      words[s + WATCHED + i] = k;
    }
  };
  const play = (row: number, actions: ArrayLike<number>, out: StepBuffers) => {
    const s = row * wordStride;
    for (let i = 0; i < n; i++) {
      const own = actions[row * n + i] === DEFECT ? 1 : 0;
      words[s + ACTION + i] = 1 + own;
      words[s + COUNTS] = words[s + COUNTS]! + 1;
      if (own === 0) words[s + COUNTS + 1] = words[s + COUNTS + 1]! + 1;
      floats[row * n + i] = floats[row * n + i]! + c.reputationRate * (1 - own - floats[row * n + i]!);
    }
    for (let i = 0; i < n; i++) {
      const j = words[s + PARTNER + i]!;
      const own = words[s + ACTION + i]! - 1;
      const other = words[s + ACTION + j]! - 1;
      out.reward[row * n + i] = payoffs[2 * own + other]!;
      words[s + MET + i * n + j] = other + 1;
    }
  };
  const punish = (row: number, actions: ArrayLike<number>, out: StepBuffers, whom: number, counter: number) => {
    const s = row * wordStride;
    for (let i = 0; i < n; i++) {
      if (actions[row * n + i] !== PUNISH) continue;
      const j = words[s + whom + i]!;
      out.reward[row * n + i] = out.reward[row * n + i]! - c.cost;
      out.reward[row * n + j] = out.reward[row * n + j]! - c.fine;
      words[s + PUNISHED + j] = words[s + PUNISHED + j]! + 1;
      words[s + COUNTS + counter] = words[s + COUNTS + counter]! + 1;
      if (words[s + ACTION + j] === 1) words[s + COUNTS + 4] = words[s + COUNTS + 4]! + 1;
    }
  };
  /** What stands before the coming phase: random pairs, or none yet; which pair to watch. */
  const prepare = (row: number) => {
    const s = row * wordStride;
    const phase = phases[words[s]!]!;
    if (words[s] === 0) {
      for (let i = 0; i < n; i++) {
        words[s + WATCHED + i] = i;
        if (phase === PHASE_CHOOSE) words[s + PARTNER + i] = i;
      }
      if (phase === PHASE_PLAY) pairUp(row, null, 0);
    }
    if (phase === PHASE_THIRD) watch(row);
  };
  const observe = (row: number, out: StepBuffers) => {
    const s = row * wordStride;
    const phase = phases[words[s]!]!;
    const played = phase === PHASE_PUNISH || phase === PHASE_THIRD;
    for (let i = 0; i < n; i++) {
      const slot = row * n + i;
      const at = slot * O;
      const partner = words[s + PARTNER + i]!;
      const watched = words[s + WATCHED + i]!;
      const together = partner !== i;
      out.obs.fill(0, at, at + O);
      out.obs[at + phase] = 1;
      out.obs[at + 4] = SIGN[words[s + ACTION + i] as 0];
      out.obs[at + 5] = shown(row, i);
      if (together) {
        out.obs[at + 6] = shown(row, partner);
        out.obs[at + 7] = SIGN[words[s + MET + i * n + partner] as 0];
        if (played) out.obs[at + 8] = SIGN[words[s + ACTION + partner] as 0];
      }
      out.obs[at + 9] = words[s + PUNISHED + i]!;
      if (watched !== i) {
        out.obs[at + 10] = SIGN[words[s + ACTION + watched] as 0];
        out.obs[at + 11] = SIGN[words[s + ACTION + words[s + PARTNER + watched]!] as 0];
        out.obs[at + 12] = shown(row, watched);
      }
      if (c.partnerChoice)
        for (let j = 0; j < n; j++) {
          out.obs[at + OWN + 2 * j] = shown(row, j);
          out.obs[at + OWN + 2 * j + 1] = SIGN[words[s + MET + i * n + j] as 0];
        }
      if (out.alive) out.alive[slot] = 1;
      if (out.mask) {
        out.mask.fill(0, slot * N, (slot + 1) * N);
        if (phase === PHASE_PLAY) out.mask.fill(1, slot * N + COOPERATE, slot * N + DEFECT + 1);
        else if (phase === PHASE_CHOOSE) {
          out.mask.fill(1, slot * N + CHOOSE, (slot + 1) * N);
          out.mask[slot * N + CHOOSE + i] = 0;
        } else out.mask.fill(1, slot * N + SPARE, slot * N + PUNISH + 1);
      }
    }
    if (!out.state) return;
    const g = row * meta.globalSize;
    out.state.fill(0, g, g + PHASES.length);
    out.state[g + phase] = 1;
    for (let i = 0; i < n; i++) {
      out.state[g + PHASES.length + 2 * i] = floats[row * n + i]!;
      out.state[g + PHASES.length + 2 * i + 1] = SIGN[words[s + ACTION + i] as 0];
    }
  };
  return assemble(meta, batch, rows, {
    start(row) {
      const s = row * wordStride;
      words.fill(0, s, s + STEPS + 1);
      floats.fill(0.5, row * n, (row + 1) * n);
      prepare(row);
    },
    step(actions, out) {
      out.reward.fill(0);
      for (let row = 0; row < batch; row++) {
        const s = row * wordStride;
        const phase = phases[words[s]!]!;
        words.fill(0, s + PUNISHED, s + PUNISHED + n);
        if (phase === PHASE_CHOOSE) pairUp(row, actions, row * n);
        else if (phase === PHASE_PLAY) play(row, actions, out);
        else if (phase === PHASE_PUNISH) punish(row, actions, out, PARTNER, 2);
        else punish(row, actions, out, WATCHED, 3);
        words[s] = (words[s]! + 1) % phases.length;
        prepare(row);
        const steps = words[s + STEPS]! + 1;
        words[s + STEPS] = steps;
        out.terminated[row] = 0;
        out.truncated[row] = steps >= c.maxSteps ? 1 : 0;
        observe(row, out);
      }
    },
    observe,
    loaded(row) {
      const s = row * wordStride;
      checkCell(words[s]!, phases.length, 'phase');
      for (let i = 0; i < n; i++) {
        checkCell(words[s + PARTNER + i]!, n, 'partner');
        checkCell(words[s + WATCHED + i]!, n, 'watched');
        checkCell(words[s + ACTION + i]!, 3, 'action');
      }
      for (let i = 0; i < n * n; i++) checkCell(words[s + MET + i]!, 3, 'met');
    },
    frame(row, out) {
      const s = row * wordStride;
      let at = 0;
      for (let i = 0; i < n; i++) {
        out[at++] = words[s + PUNISHED + i]! > 0 ? JUST_PUNISHED : words[s + ACTION + i]!;
        out[at++] = floats[row * n + i]!; // reputation
      }
      const link = (there: boolean, from: number, to: number, kind: number) => {
        out[at++] = there ? from : -1;
        out[at++] = to;
        out[at++] = kind;
      };
      for (let i = 0; i < n; i++) {
        const partner = words[s + PARTNER + i]!;
        const watched = words[s + WATCHED + i]!;
        link(partner > i, i, partner, 0);
        link(watched !== i, i, watched, 1);
      }
      const plays = words[s + COUNTS]!;
      out[at] = plays === 0 ? 0 : words[s + COUNTS + 1]! / plays;
    },
    measure(row, out, to) {
      const at = row * wordStride + COUNTS;
      const punished = words[at + 2]! + words[at + 3]!;
      out[to] = words[at]! > 0 ? words[at + 1]! / words[at]! : Number.NaN;
      out[to + 1] = words[at]! > 0 ? punished / words[at]! : Number.NaN;
      out[to + 2] = punished > 0 ? words[at + 4]! / punished : Number.NaN;
    },
    extras(row) {
      const at = row * wordStride + COUNTS;
      return {
        cooperation: words[at + 1]! / Math.max(1, words[at]!),
        directPunishments: words[at + 2]!,
        thirdPartyPunishments: words[at + 3]!,
        unfairPunishments: words[at + 4]!,
        reputation: Array.from(floats.subarray(row * n, (row + 1) * n)),
      };
    },
  });
}
