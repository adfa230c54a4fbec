/**
 * Test-only environments that each need one ability of a learner (after the "probe" environments of Andy Jones, "Debugging RL").
 * A learner that fails one of them has a bug that a benchmark would hide; each is solved within a few thousand steps.
 */
import type { ActionSpace, ObsSpace } from '#contract/game/spaces.ts';
import type { ProbeId } from '../algos/api/types.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import { aimedBefore } from './box-probes.ts';
import { probe } from './probe.ts';
import { tell, tellLater } from './talk-probes.ts';

const two: ActionSpace = { kind: 'discrete', n: 2, labels: ['a', 'b'] };
const flag: ObsSpace = { kind: 'box', shape: [1], low: -1, high: 1 };

/** One action is right, always: 1 or 0, one step. */
export const bandit = probe('probe-bandit', {
  obs: flag,
  action: two,
  maxSteps: 1,
  start: () => 0,
  observe: (_, __, out) => out.fill(1),
  step: (_, __, action) => ({ reward: action === 1 ? 1 : 0, terminated: true }),
});

/** The right action is the one that is shown. */
export const cued = probe('probe-cued', {
  obs: flag,
  action: two,
  maxSteps: 1,
  start: (rng) => rng.int(2),
  observe: (cue, _, out) => out.fill(cue === 1 ? 1 : -1),
  step: (cue, _, action) => ({ reward: action === cue ? 1 : -1, terminated: true }),
});

/** A bar lies across an image of 4x4 somewhere; the action says whether it is a row (0) or a column (1). */
export const bars = probe('probe-bars', {
  obs: { kind: 'grid', shape: [4, 4, 1], codes: [2], extra: 1 },
  action: two,
  maxSteps: 1,
  start: (rng) => rng.int(8),
  observe(bar, _, out) {
    for (let i = 0; i < 16; i++) out[i] = (bar < 4 ? i >> 2 : i & 3) === bar % 4 ? 1 : 0;
    out[16] = 0.5;
  },
  step: (bar, _, action) => ({ reward: action === Number(bar >= 4) ? 1 : -1, terminated: true }),
});

/** The same over numbered states, for tables. */
export const cuedTable = probe('probe-cued-table', {
  obs: { kind: 'discrete', n: 3 },
  action: two,
  maxSteps: 1,
  start: (rng) => rng.int(3),
  observe(cue, _, out) {
    out.fill(0);
    out[cue] = 1;
  },
  step: (cue, _, action) => ({ reward: action === cue % 2 ? 1 : 0, terminated: true }),
});

/** Two steps; the first action decides, the reward comes at the end: needs a discount that works. */
export const delayed = probe('probe-delayed', {
  obs: { kind: 'discrete', n: 3 },
  action: two,
  maxSteps: 3,
  start: () => 0,
  observe(_, t, out) {
    out.fill(0);
    out[Math.min(t, 2)] = 1;
  },
  // Action 1 at the start goes on to the reward; action 0 takes a small one at once.
  step: (_, t, action) => (t === 0 && action === 0 ? { reward: 0.2, terminated: true } : { reward: t === 1 ? 1 : 0, terminated: t === 1 }),
});

/** Nothing to decide, reward 1 per step, the clock ends after 5: with bootstrapping the value is 1 / (1 - gamma) everywhere. */
export const endless = probe('probe-endless', {
  obs: flag,
  action: two,
  maxSteps: 5,
  start: () => 0,
  observe: (_, __, out) => out.fill(1),
  step: () => ({ reward: 1, terminated: false }),
});

/** Four actions of which the cue forbids two; the best legal one pays 1. A forbidden one would pay 10. */
export const masked = probe('probe-masked', {
  obs: flag,
  action: { kind: 'discrete', n: 4, labels: ['a', 'b', 'c', 'd'] },
  maxSteps: 1,
  masked: true,
  start: (rng) => rng.int(2),
  observe: (cue, _, out) => out.fill(cue === 1 ? 1 : -1),
  legal: (cue) => (cue === 1 ? [1, 1, 0, 0] : [0, 0, 1, 1]),
  step: (cue, _, action) => {
    const allowed = cue === 1 ? action < 2 : action >= 2;
    return { reward: allowed ? action % 2 : 10, terminated: true };
  },
});

/** A continuous action that should equal the cue: reward 1 - (a - cue / 2)^2. */
export const pointing = probe('probe-pointing', {
  obs: flag,
  action: { kind: 'box', size: 1, low: [-2], high: [2], labels: ['x'] },
  maxSteps: 1,
  start: (rng) => rng.int(2),
  observe: (cue, _, out) => out.fill(cue === 1 ? 1 : -1),
  step(cue, _, action) {
    const miss = action - (cue === 1 ? 0.5 : -0.5);
    return { reward: 1 - miss * miss, terminated: true };
  },
});

/** Three agents, each shown its own bit of the cue and paid for repeating it. */
export const team = probe('probe-team', {
  obs: flag,
  action: two,
  maxSteps: 1,
  agents: 3,
  start: (rng) => rng.int(8),
  observe: (cue, _, out, agent) => out.fill(((cue >> agent) & 1) === 1 ? 1 : -1),
  step: (cue, _, action, agent) => ({ reward: action === ((cue >> agent) & 1) ? 1 : 0, terminated: true }),
});

/** Remember one thing: the cue is shown first; one step later nothing is shown and the action must repeat it. */
export const memoryOne = probe('probe-memory-one', {
  obs: flag,
  action: two,
  maxSteps: 2,
  start: (rng) => rng.int(2),
  observe: (cue, t, out) => out.fill(t > 0 ? 0 : cue === 1 ? 1 : -1),
  step: (cue, t, action) => ({ reward: t === 1 ? (action === cue ? 1 : -1) : 0, terminated: t === 1 }),
});

/** Two agents see the same cue and are paid if their actions differ (cue 1) or agree (cue 0): they must be able to differ. */
export const xorTeam = probe('probe-xor-team', {
  obs: flag,
  action: two,
  maxSteps: 1,
  agents: 2,
  global: true,
  start: (rng) => rng.int(2),
  observe: (cue, _, out) => out.fill(cue === 1 ? 1 : -1),
  joint: (cue, _, [a, b]) => ({ reward: (a === b ? 0 : 1) === cue ? 1 : 0, terminated: true }),
});

/** A softened climbing game (Claus & Boutilier 1998): the best joint action is (0, 0), and missing it costs who tries alone. */
const CLIMB = [1, -0.2, 0, -0.2, 0.4, 0.3, 0, 0.3, 0.3] as const;
export const climbing = probe('probe-climbing', {
  obs: flag,
  action: { kind: 'discrete', n: 3, labels: ['a', 'b', 'c'] },
  maxSteps: 1,
  agents: 2,
  global: true,
  start: () => 0,
  observe: (_, __, out) => out.fill(1),
  joint: (_, __, [a, b]) => ({ reward: CLIMB[a! * 3 + b!]!, terminated: true }),
});

/** QMIX's two-step game (Rashid et al. 2018): the first agent picks the safe table (always 7) or the one that pays 0, 1, 1 or 8. */
export const twoStep = probe('probe-two-step', {
  obs: { kind: 'discrete', n: 3 },
  action: two,
  maxSteps: 2,
  agents: 2,
  global: true,
  start: () => 0,
  observe(cue, _, out) {
    out.fill(0);
    out[cue] = 1;
  },
  joint(cue, _, [a, b]) {
    if (cue === 0) return { reward: 0, terminated: false, cue: 1 + a! };
    return { reward: cue === 1 ? 7 : a! + b! === 2 ? 8 : a! + b!, terminated: true };
  },
});

/** Two roles: one sees two numbers and has three actions, the other sees one number and has two; each repeats its part of the cue. */
export const roles = probe('probe-roles', {
  obs: { kind: 'box', shape: [2], low: -1, high: 1 },
  action: { kind: 'discrete', n: 3, labels: ['a', 'b', 'c'] },
  other: { obs: flag, action: two },
  masked: true,
  maxSteps: 1,
  start: (rng) => rng.int(6),
  observe(cue, _, out, agent) {
    out.fill(0);
    if (agent === 1) out[0] = cue >= 3 ? 1 : -1;
    else if (cue % 3 > 0) out[(cue % 3) - 1] = 1;
  },
  legal: (_, agent) => (agent === 0 ? [1, 1, 1] : [1, 1, 0]),
  step: (cue, _, action, agent) => ({ reward: action === (agent === 0 ? cue % 3 : cue >= 3 ? 1 : 0) ? 1 : 0, terminated: true }),
});

/** Two agents, continuous: both are paid 1 - the squared miss of each, one aiming at cue / 2, the other at its opposite. */
export const pointingTeam = probe('probe-pointing-team', {
  obs: flag,
  action: { kind: 'box', size: 1, low: [-2], high: [2], labels: ['x'] },
  maxSteps: 1,
  agents: 2,
  global: true,
  start: (rng) => rng.int(2),
  observe: (cue, _, out, agent) => out.fill((cue === 1) === (agent === 0) ? 1 : -1),
  joint(cue, _, [a, b]) {
    const aim = cue === 1 ? 0.5 : -0.5;
    return { reward: 1 - (a! - aim) * (a! - aim) - (b! + aim) * (b! + aim), terminated: true };
  },
});

/**
 * The second agent gets 1 and is out of the game, the first gets 1 in each of three steps: with rewards of its own the second one's
 * return ends with its death, value 1; the first one's value is 1 / (1 - gamma).
 */
export const mortal = probe('probe-mortal', {
  obs: flag,
  action: two,
  maxSteps: 3,
  agents: 2,
  start: () => 0,
  observe: (_, t, out, agent) => out.fill(agent === 0 ? 1 : t === 0 ? -1 : 0),
  step: (_, t, __, agent) => ({ reward: agent === 0 || t === 0 ? 1 : 0, terminated: false }),
  alive: (t, agent) => agent === 0 || t === 0,
});

const outlivedBy = (id: string, action: ActionSpace, late: number): EnvEntry =>
  probe(id, {
    obs: flag,
    action,
    maxSteps: 3,
    agents: 2,
    start: () => 0,
    observe: (_, t, out, agent) => out.fill(t > 0 ? late : agent === 0 ? 1 : -1),
    step: (_, t, action) => ({ reward: t === 0 ? action : late, terminated: false }),
    alive: (t) => t === 0,
  });

/** Both agents are out after the first step, and are shown and paid `late` while the episode goes on: no agent should learn from that. */
export const outlived = (late: number): EnvEntry => outlivedBy('probe-outlived', two, late);

/** The same with an action in a box, which pays its own number. */
export const outlivedBox = (late: number): EnvEntry =>
  outlivedBy('probe-outlived-box', { kind: 'box', size: 1, low: [-1], high: [1], labels: ['x'] }, late);

/** The second agent is out for two steps and comes back for a second reward: its return goes on while it is out. */
export const returning = probe('probe-returning', {
  obs: flag,
  action: two,
  maxSteps: 4,
  agents: 2,
  start: () => 0,
  observe: (_, t, out, agent) => out.fill(agent === 0 ? 1 : (t - 1) / 2),
  step: (_, t, __, agent) => ({ reward: agent === 0 || t === 0 || t === 3 ? 1 : 0, terminated: t === 3 }),
  alive: (t, agent) => agent === 0 || t === 0 || t >= 3,
  agentsReturn: true,
});

/** Rewards that are no number: what a broken environment does. */
export const broken = probe('probe-broken', {
  obs: flag,
  action: two,
  maxSteps: 10,
  start: () => 0,
  observe: (_, __, out) => out.fill(1),
  step: () => ({ reward: Number.NaN, terminated: false }),
});

/** By the names under which methods declare what they solve. */
export const probesById: { readonly [id in ProbeId]: EnvEntry } = {
  aimedBefore,
  bandit,
  climbing,
  cued,
  cuedTable,
  delayed,
  masked,
  memoryOne,
  pointing,
  pointingTeam,
  roles,
  team,
  tell,
  tellLater,
  twoStep,
  xorTeam,
};
