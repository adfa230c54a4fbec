/**
 * N agents cover N landmarks without bumping into each other. MPE simple_spread_v3. Obs per agent: own velocity and place, landmarks
 * and other agents relative to it, the others' (empty) messages; with `landmarkNeighbors` or `agentNeighbors` only the nearest,
 * nearest first, zeros where there are fewer. Reward localRatio * local + (1 - localRatio) * global: global = -sum over landmarks of
 * the distance of the nearest agent, local = -1 per other agent in contact. Physics: mpe/lib/world.ts.
 * Source: `Farama-Foundation/MPE2` 1.1.0 at dbd68d2 `mpe2/simple_spread/simple_spread.py`.
 */
import { z } from 'zod';
import type { EntityKind } from '#contract/game/spaces.ts';
import { joined, rowsFrom } from '../lib/entities.ts';
import { measured, standard } from '../lib/references.ts';
import { countField, forceField, massField, physics, shared, sizeField } from './lib/config.ts';
import { defineScenario } from './lib/define.ts';
import { nearestSeen } from './lib/nearest.ts';
import { alike, copied, OWN_PLACE, OWN_VELOCITY, type Plan, toward } from './lib/plan.ts';
import { coverRule } from './lib/spread-rule.ts';
import { scripted } from './lib/steer.ts';

const neighbours = (who: string, what: string) =>
  z
    .int()
    .min(0)
    .max(10)
    .nullable()
    .default(null)
    .meta({
      title: `nearest ${who} seen`,
      description: `How many ${what} an agent sees; empty: all.`,
      source: 'MPE2 1.1.0',
      depth: 'research',
    });

const config = z.strictObject({
  agents: countField(3, 1, 10, 'agents', 'Agents, and as many landmarks.'),
  localRatio: z.number().min(0).max(1).default(0.5).meta({
    title: 'local ratio',
    description: 'Weight of an agent’s own collisions; the rest is the shared coverage.',
    source: 'MPE2 1.1.0',
    live: true,
    group: 'reward',
  }),
  agentNeighbors: neighbours('agents', 'other agents'),
  landmarkNeighbors: neighbours('landmarks', 'landmarks'),
  ...shared,
  agentSize: sizeField(0.15),
  mass: massField(),
  force: forceField(5),
  ...physics,
  rewardSum: z.enum(['once', 'each']).default('once').meta({
    title: 'rounding of the reward',
    description:
      'To float32 once, when an agent’s reward is summed, or after each collision (version 1, up to 1.5e-7 away from the reference).',
    source: 'MPE2 1.1.0',
    editor: 'hidden',
  }),
});
type Config = z.infer<typeof config>;

const isStandard = standard(config);

const TERMS = [
  { id: 'coverage', title: 'landmarks covered', weights: ['localRatio'] },
  { id: 'contact', title: 'collisions', weights: ['localRatio'] },
] as const;

function labels(c: Config): string[] {
  const lands = c.landmarkNeighbors ?? c.agents;
  const others = c.agentNeighbors ?? c.agents - 1;
  const list = (count: number, name: string) => Array.from({ length: count }, (_, k) => toward(`${name} ${k}`)).flat();
  return [
    ...OWN_VELOCITY,
    ...OWN_PLACE,
    ...list(lands, c.landmarkNeighbors === null ? 'landmark' : 'near landmark'),
    ...list(others, c.agentNeighbors === null ? 'other' : 'near other'),
    ...Array.from({ length: 2 * others }, (_, k) => `silence ${k}`),
  ];
}

/** The numbers of `labels` as rows; places for nearest ones that there can never be are no rows. */
function entities(c: Config): readonly EntityKind[] {
  const lands = c.landmarkNeighbors ?? c.agents;
  const others = c.agentNeighbors ?? c.agents - 1;
  const mates = Math.min(others, c.agents - 1);
  const to = 4 + 2 * lands;
  return [
    { name: 'self', width: 4, rows: rowsFrom(0, 4, 1) },
    { name: 'landmark', width: 2, rows: rowsFrom(4, 2, Math.min(lands, c.agents)) },
    { name: 'mate', width: 4, rows: joined(rowsFrom(to, 2, mates), rowsFrom(to + 2 * others, 2, mates)) },
  ];
}

function nearestAgent(floats: Float64Array, s: number, agents: number, landmark: number): number {
  const mark = s + 4 * agents + 2 * landmark;
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (let i = 0; i < agents; i++) {
    const square = (floats[s + 2 * i]! - floats[mark]!) ** 2 + (floats[s + 2 * i + 1]! - floats[mark + 1]!) ** 2;
    if (square < least) [best, least] = [i, square];
  }
  return best;
}

function plan(c: Config): Plan {
  const N = c.agents;
  const touch = 2 * c.agentSize;
  const sees = labels(c);
  const all = c.agentNeighbors === null && c.landmarkNeighbors === null;
  const nearest = nearestSeen(N);
  const added = new Float64Array(TERMS.length);
  const sums: Float64Array | null = c.rewardSum === 'once' ? new Float64Array(N) : null;
  return {
    agents: alike(N, c, sees, entities(c)),
    landmarks: Array.from({ length: N }, (_, i) => ({
      name: `landmark ${i}`,
      look: 'landmark' as const,
      size: 0.05,
      collides: false,
      colour: 2,
    })),
    // Every landmark is tied to the agent nearest to it: the distances that are paid for.
    ties: { count: N, of: (floats, s, _words, _w, landmark) => [nearestAgent(floats, s, N, landmark), landmark] },
    symbols: 0,
    picks: [],
    score: 'mean',
    spread: 1,
    references: isStandard(c) ? measured(-26.56, -7.59) : [],
    reward(floats, s, _words, _w, out, at) {
      const marks = s + 4 * N;
      let far = 0;
      for (let l = marks; l < marks + 2 * N; l += 2) {
        const x = floats[l]!;
        const y = floats[l + 1]!;
        let least = Number.POSITIVE_INFINITY;
        for (let i = s; i < s + 2 * N; i += 2) {
          const dx = floats[i]! - x;
          const dy = floats[i + 1]! - y;
          const square = dx * dx + dy * dy;
          if (square < least) least = square;
        }
        far -= Math.sqrt(least);
      }
      const part = far * (1 - c.localRatio);
      let contacts = 0;
      // without sums of their own, every subtraction is rounded where it is stored
      const into = sums ?? out;
      const from = sums === null ? at : 0;
      for (let i = 0; i < N; i++) into[from + i] = part;
      for (let i = 0; i < N; i++)
        for (let j = i + 1; j < N; j++) {
          const dx = floats[s + 2 * i]! - floats[s + 2 * j]!;
          const dy = floats[s + 2 * i + 1]! - floats[s + 2 * j + 1]!;
          if (Math.sqrt(dx * dx + dy * dy) >= touch) continue;
          contacts++;
          into[from + i] = into[from + i]! - c.localRatio;
          into[from + j] = into[from + j]! - c.localRatio;
        }
      if (sums !== null) out.set(sums, at);
      added[0] = N * part;
      added[1] = -2 * contacts * c.localRatio;
    },
    terms: { cards: TERMS, added },
    observe(floats, s, _words, _w, out, at, width) {
      const marks = s + 4 * N;
      for (let i = 0; i < N; i++) {
        const own = s + 2 * i;
        const x = floats[own]!;
        const y = floats[own + 1]!;
        let k = at + i * width;
        k = copied(floats, own, out, copied(floats, own + 2 * N, out, k));
        if (!all) {
          k = nearest(floats, own, marks, -1, c.landmarkNeighbors, out, k);
          nearest(floats, own, s, i, c.agentNeighbors, out, k);
          continue;
        }
        for (let l = marks; l < marks + 2 * N; l += 2) {
          out[k] = floats[l]! - x;
          out[k + 1] = floats[l + 1]! - y;
          k += 2;
        }
        for (let j = s; j < s + 2 * N; j += 2) {
          if (j === own) continue;
          out[k] = floats[j]! - x;
          out[k + 1] = floats[j + 1]! - y;
          k += 2;
        }
      }
    },
  };
}

export const mpeSimpleSpread = defineScenario<Config>({
  id: 'mpe-simple-spread',
  title: 'Particles: spread',
  summary: 'A team covers all landmarks and keeps out of each other’s way.',
  config,
  version: 2,
  changes: [
    {
      version: 2,
      what: 'The reward is rounded to float32 once, when it is summed; it was rounded after every collision, up to 1.5e-7 away from the reference.',
      before: { rewardSum: 'each' },
      rerun: false,
    },
  ],
  // A network for every agent and one reward for all: agents that share a network and see alike go to the same landmark.
  recommended: { algo: 'mappo', preset: 'simple-spread-apart', steps: 500_000 },
  presets: [
    { id: '3-agents', title: '3 agents (simple_spread_v3)', config: {} },
    { id: '2-agents', title: '2 agents', config: { agents: 2 } },
    { id: '5-agents', title: '5 agents', config: { agents: 5 } },
    { id: '10-agents', title: '10 agents', config: { agents: 10, maxCycles: 50 } },
    { id: 'continuous', title: '3 agents, continuous', config: { continuousActions: true } },
    { id: 'near-sighted', title: '3 agents, 1 neighbour and 2 landmarks seen', config: { agentNeighbors: 1, landmarkNeighbors: 2 } },
  ],
  plan,
  policies: { scripted: (c) => scripted(coverRule(c)) },
});
