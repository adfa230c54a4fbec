/**
 * Slow hunters chase faster prey around obstacles. MPE simple_tag_v3. Obs per agent: own velocity and place, obstacles and other agents
 * relative to it, velocities of the (other) prey. Reward: every hunter +10 per touching pair of prey and hunter; prey -10 per touching
 * hunter, minus the penalty for leaving the square (mpe/lib/catch.ts). Physics: mpe/lib/world.ts.
 * Source: `Farama-Foundation/MPE2` 1.1.0 at dbd68d2 `mpe2/simple_tag/simple_tag.py`.
 */
import { z } from 'zod';
import type { EntityKind } from '#contract/game/spaces.ts';
import { badConfig } from '../api/parse.ts';
import { joined, rowsFrom } from '../lib/entities.ts';
import { measured, standard } from '../lib/references.ts';
import { bound, touches } from './lib/catch.ts';
import { chaseRule, HABITS, habitRule } from './lib/chase-rule.ts';
import { countField, forceField, massField, physics, shared, sizeField, speedField } from './lib/config.ts';
import { defineScenario } from './lib/define.ts';
import { copied, OWN_PLACE, OWN_VELOCITY, type Plan, seen, toward } from './lib/plan.ts';
import { scripted } from './lib/steer.ts';

const perHunter = (title: string, unit: string, description: string, most: number) =>
  z
    .array(z.number().min(0).max(most))
    .min(1)
    .max(16)
    .nullable()
    .default(null)
    .meta({ title, unit, description, source: 'own choice', depth: 'research' });

const config = z.strictObject({
  adversaries: countField(3, 1, 16, 'hunters', 'Agents that chase.'),
  good: countField(1, 1, 8, 'prey', 'Agents that flee.'),
  obstacles: countField(2, 0, 8, 'obstacles', 'Pillars in the way.'),
  adversarySpeeds: perHunter('top speeds of the hunters', 'm/s', 'One per hunter; empty: all the same.', 100),
  adversaryAccels: perHunter('forces of the hunters', 'N', 'One per hunter; empty: all the same.', 100),
  ...shared,
  adversarySize: sizeField(0.075, 'a hunter'),
  adversarySpeed: speedField(1, 'a hunter'),
  adversaryForce: forceField(3, 'a hunter'),
  goodSize: sizeField(0.05, 'the prey'),
  goodSpeed: speedField(1.3, 'the prey'),
  goodForce: forceField(4, 'the prey'),
  obstacleSize: sizeField(0.2, 'an obstacle'),
  mass: massField(),
  ...physics,
});
type Config = z.infer<typeof config>;

const isStandard = standard(config);

function one(list: readonly number[] | null, i: number, c: Config, field: string, standard: number): number {
  if (list === null) return standard;
  if (list.length === c.adversaries) return list[i]!;
  throw badConfig(field, `There are ${list.length} numbers for ${c.adversaries} hunters.`, 'Give one per hunter.');
}

/** How many of the hunters, whose places begin at s, touch the prey at `own`. */
function touching(floats: Float64Array, s: number, hunters: number, own: number, reach: number): number {
  let hits = 0;
  for (let h = 0; h < hunters; h++) if (touches(floats, own, s + 2 * h, reach)) hits++;
  return hits;
}

function preyReward(floats: Float64Array, own: number, hits: number): number {
  return -10 * hits - bound(floats[own]!) - bound(floats[own + 1]!);
}

/** What an agent sees as rows: of the others the hunters come first, then the prey, whose velocities stand behind all places. */
function entities({ adversaries, good, obstacles }: Config, hunter: boolean): readonly EntityKind[] {
  const hunters = hunter ? adversaries - 1 : adversaries;
  const prey = hunter ? good : good - 1;
  const others = 4 + 2 * obstacles;
  const fleeing = others + 2 * hunters;
  return [
    { name: 'self', width: 4, rows: rowsFrom(0, 4, 1) },
    { name: 'obstacle', width: 2, rows: rowsFrom(4, 2, obstacles) },
    { name: 'hunter', width: 2, rows: rowsFrom(others, 2, hunters) },
    { name: 'prey', width: 4, rows: joined(rowsFrom(fleeing, 2, prey), rowsFrom(fleeing + 2 * prey, 2, prey)) },
  ];
}

function plan(c: Config): Plan {
  const { adversaries, good, obstacles } = c;
  const A = adversaries + good;
  const reach = c.adversarySize + c.goodSize;
  const sees = (hunter: boolean) => [
    ...OWN_VELOCITY,
    ...OWN_PLACE,
    ...Array.from({ length: obstacles }, (_, k) => toward(`obstacle ${k}`)).flat(),
    ...Array.from({ length: A - 1 }, (_, k) => toward(`other ${k}`)).flat(),
    ...Array.from({ length: hunter ? good : good - 1 }, (_, k) => [`prey ${k} vx`, `prey ${k} vy`]).flat(),
  ];
  return {
    agents: Array.from({ length: A }, (_, i) => {
      const hunter = i < adversaries;
      return {
        name: hunter ? `adversary_${i}` : `agent_${i - adversaries}`,
        group: hunter ? 'adversary' : 'agent',
        size: hunter ? c.adversarySize : c.goodSize,
        force: hunter ? one(c.adversaryAccels, i, c, 'adversaryAccels', c.adversaryForce) : c.goodForce,
        mass: c.mass,
        topSpeed: hunter ? one(c.adversarySpeeds, i, c, 'adversarySpeeds', c.adversarySpeed) : c.goodSpeed,
        collides: true,
        moves: true,
        speaks: false,
        sees: sees(hunter),
        entities: entities(c, hunter),
      };
    }),
    landmarks: Array.from({ length: obstacles }, (_, k) => ({
      name: `landmark ${k}`,
      look: 'obstacle' as const,
      size: c.obstacleSize,
      collides: true,
      colour: 7,
    })),
    symbols: 0,
    picks: [],
    score: Array.from({ length: adversaries }, (_, i) => i),
    spread: 0.9,
    references: isStandard(c) ? measured(4.26, 17.97, 'return of a hunter') : [],
    reward(floats, s, _words, _w, out, at) {
      let caught = 0;
      for (let p = adversaries; p < A; p++) {
        const own = s + 2 * p;
        const hits = touching(floats, s, adversaries, own, reach);
        caught += hits;
        out[at + p] = preyReward(floats, own, hits);
      }
      for (let h = 0; h < adversaries; h++) out[at + h] = 10 * caught;
    },
    observe(floats, s, _words, _w, out, at, width) {
      const marks = s + 4 * A;
      for (let i = 0; i < A; i++) {
        const own = s + 2 * i;
        let k = copied(floats, own, out, copied(floats, own + 2 * A, out, at + i * width));
        for (let l = 0; l < obstacles; l++) k = seen(floats, own, marks + 2 * l, out, k);
        for (let j = 0; j < A; j++) if (j !== i) k = seen(floats, own, s + 2 * j, out, k);
        for (let p = adversaries; p < A; p++) if (p !== i) k = copied(floats, s + 2 * A + 2 * p, out, k);
      }
    },
  };
}

/**
 * Where hunters stand when a golden check does not say: in the reference run that its rows come from they were left at the start of
 * the file's first trajectory. The rows are called "without contact" and mean the penalty for leaving the square alone, but at
 * (0.5, 0.5) the first hunter stands on the prey, and the reference counted that touch. The list is no knowledge of the rows: it is
 * the state that the reference was in, and the reward is worked out from it as everywhere.
 */
const REFERENCE_HUNTERS = [0.5, 0.5, -0.5, 0.4, 0.2, -0.7];

/** Reward of one prey at a place, hunters standing as given. */
function rewardAt(c: Config, place: readonly number[], hunters: readonly number[]): number {
  const floats = Float64Array.from([...hunters, ...place]);
  const hits = touching(floats, 0, hunters.length / 2, hunters.length, c.adversarySize + c.goodSize);
  return preyReward(floats, hunters.length, hits);
}

export const mpeSimpleTag = defineScenario<Config>({
  id: 'mpe-simple-tag',
  title: 'Particles: tag',
  summary: 'Slow hunters try to touch faster prey; together they can corner it.',
  config,
  presets: [
    { id: '3-v-1', title: '3 hunters, 1 prey (simple_tag_v3)', config: {} },
    { id: '6-v-2', title: '6 hunters, 2 prey', config: { adversaries: 6, good: 2, maxCycles: 50 } },
    { id: 'unequal-hunters', title: 'hunters of speed 0.5, 1.0 and 1.5', config: { adversarySpeeds: [0.5, 1, 1.5] } },
    { id: 'open-field', title: '3 hunters, 1 prey, no obstacles', config: { obstacles: 0 } },
  ],
  plan,
  checks: {
    'prey-reward-without-contact': (c, { preyPos, hunterPos }) => ({
      reward: rewardAt(c, preyPos as readonly number[], (hunterPos as readonly number[][] | undefined)?.flat() ?? REFERENCE_HUNTERS),
    }),
  },
  policies: {
    scripted: (c) => scripted(chaseRule(c)),
    ...Object.fromEntries(Object.entries(HABITS).map(([name, habit]) => [name, (c: Config) => scripted(habitRule(c, habit))])),
  },
});
