/**
 * Hunters, one of them a leader that sees through forests and can speak, chase prey that looks for food and may hide. MPE
 * simple_world_comm_v3. Obs: own velocity and place, landmarks (obstacles, food, forests) and others relative to it; hunters then see
 * the prey's velocities, in-forest flags (+1 or -1) and the leader's message (four numbers); prey the flags, then the other prey's
 * velocities. Others show only if both are in one forest, or neither is in any, or to the leader; else zeros. Reward: hunter +5 per
 * touching pair, -0.1 * its distance to the nearest prey; prey -5 per touching hunter, -2 * price of leaving the square, +2 per food
 * touched, -0.05 * distance of the nearest food. Source: `Farama-Foundation/MPE2` 1.1.0 at dbd68d2 `mpe2/simple_world_comm/simple_world_comm.py`.
 */
import { z } from 'zod';
import { measured, standard } from '../lib/references.ts';
import { bound, touches } from './lib/catch.ts';
import { worldCommRule } from './lib/chase-rule.ts';
import { countField, forceField, massField, physics, shared, sizeField, speedField } from './lib/config.ts';
import { defineScenario } from './lib/define.ts';
import { copied, type LandmarkPlan, OWN_PLACE, OWN_VELOCITY, type Plan, seen, symbolName, toward } from './lib/plan.ts';
import { scripted } from './lib/steer.ts';
import { distance } from './lib/world.ts';

const config = z.strictObject({
  good: countField(2, 1, 6, 'prey', 'Agents that look for food and flee.'),
  adversaries: countField(4, 1, 10, 'hunters', 'Agents that chase, the leader included.'),
  obstacles: countField(1, 0, 6, 'obstacles', 'Pillars in the way.'),
  food: countField(2, 1, 8, 'food', 'Places of food.'),
  forests: countField(2, 0, 6, 'forests', 'Areas to hide in.'),
  ...shared,
  adversarySize: sizeField(0.075, 'a hunter'),
  adversarySpeed: speedField(1, 'a hunter'),
  adversaryForce: forceField(3, 'a hunter'),
  goodSize: sizeField(0.045, 'the prey'),
  goodSpeed: speedField(1.3, 'the prey'),
  goodForce: forceField(4, 'the prey'),
  obstacleSize: sizeField(0.2, 'an obstacle'),
  foodSize: sizeField(0.03, 'a food'),
  forestSize: sizeField(0.3, 'a forest'),
  mass: massField(),
  ...physics,
});
type Config = z.infer<typeof config>;

const SYMBOLS = 4;
const isStandard = standard(config);

const each = (count: number, name: string) => Array.from({ length: count }, (_, k) => toward(`${name} ${k}`)).flat();
const speeds = (count: number) => Array.from({ length: count }, (_, k) => [`prey ${k} vx`, `prey ${k} vy`]).flat();

function labels(c: Config, hunter: boolean): string[] {
  const flags = Array.from({ length: c.forests }, (_, k) => `in forest ${k}`);
  const common = [
    ...OWN_VELOCITY,
    ...OWN_PLACE,
    ...each(c.obstacles, 'obstacle'),
    ...each(c.food, 'food'),
    ...each(c.forests, 'forest'),
    ...each(c.adversaries + c.good - 1, 'other'),
  ];
  return hunter
    ? [...common, ...speeds(c.good), ...flags, ...Array.from({ length: SYMBOLS }, (_, k) => `heard ${symbolName(k)}`)]
    : [...common, ...flags, ...speeds(c.good - 1)];
}

/** Names as in the reference: the first hunter after the leader is number 0 again. */
function nameOf(i: number, hunters: number): string {
  if (i === 0) return 'leadadversary_0';
  return i < hunters ? `adversary_${i - 1}` : `agent_${i - hunters}`;
}

function plan(c: Config): Plan {
  const H = c.adversaries;
  const A = H + c.good;
  const F = c.forests;
  const L = c.obstacles + c.food + F;
  const reach = c.adversarySize + c.goodSize;
  const foodAt = 4 * A + 2 * c.obstacles;
  const forestAt = foodAt + 2 * c.food;
  const inside = new Uint8Array(A * Math.max(1, F)); // [A, F] of the row at hand
  const hidden = new Uint8Array(A); // in any forest
  const things = (count: number, name: string, look: LandmarkPlan['look'], size: number, collides: boolean, colour: number) =>
    Array.from({ length: count }, (_, k): LandmarkPlan => ({ name: `${name} ${k}`, look, size, collides, colour }));

  const lookAround = (floats: Float64Array, s: number) => {
    for (let i = 0; i < A; i++) {
      hidden[i] = 0;
      const size = i < H ? c.adversarySize : c.goodSize;
      for (let f = 0; f < F; f++) {
        const is = touches(floats, s + 2 * i, s + forestAt + 2 * f, size + c.forestSize) ? 1 : 0;
        inside[i * F + f] = is;
        if (is === 1) hidden[i] = 1;
      }
    }
  };
  const shows = (i: number, j: number): boolean => {
    for (let f = 0; f < F; f++) if (inside[i * F + f] === 1 && inside[j * F + f] === 1) return true;
    return i === 0 || (hidden[i] === 0 && hidden[j] === 0);
  };

  return {
    agents: Array.from({ length: A }, (_, i) => {
      const hunter = i < H;
      return {
        name: nameOf(i, H),
        group: i === 0 ? 'leader' : hunter ? 'adversary' : 'agent',
        size: hunter ? c.adversarySize : c.goodSize,
        force: hunter ? c.adversaryForce : c.goodForce,
        mass: c.mass,
        topSpeed: hunter ? c.adversarySpeed : c.goodSpeed,
        collides: true,
        moves: true,
        speaks: i === 0,
        sees: labels(c, hunter),
      };
    }),
    landmarks: [
      ...things(c.obstacles, 'obstacle', 'obstacle', c.obstacleSize, true, 7),
      ...things(c.food, 'food', 'food', c.foodSize, false, 1),
      ...things(F, 'forest', 'zone', c.forestSize, false, 2),
    ],
    symbols: SYMBOLS,
    picks: [],
    score: Array.from({ length: H }, (_, i) => i),
    spread: 0.9,
    references: isStandard(c) ? measured(3.13, 24.74, 'return of a hunter') : [],
    reward(floats, s, _words, _w, out, at) {
      let pairs = 0;
      for (let p = H; p < A; p++) {
        const own = s + 2 * p;
        let hits = 0;
        for (let h = 0; h < H; h++) if (touches(floats, own, s + 2 * h, reach)) hits++;
        pairs += hits;
        let sum = -5 * hits - 2 * bound(floats[own]!) - 2 * bound(floats[own + 1]!);
        let least = Number.POSITIVE_INFINITY;
        for (let f = 0; f < c.food; f++) {
          const far = distance(floats, own, s + foodAt + 2 * f);
          if (far < c.goodSize + c.foodSize) sum += 2;
          if (far < least) least = far;
        }
        out[at + p] = sum - 0.05 * least;
      }
      for (let h = 0; h < H; h++) {
        let least = Number.POSITIVE_INFINITY;
        for (let p = H; p < A; p++) least = Math.min(least, distance(floats, s + 2 * h, s + 2 * p));
        out[at + h] = 5 * pairs - 0.1 * least;
      }
    },
    observe(floats, s, _words, _w, out, at, width) {
      lookAround(floats, s);
      const marks = s + 4 * A;
      const said = marks + 2 * L;
      for (let i = 0; i < A; i++) {
        const own = s + 2 * i;
        let k = copied(floats, own, out, copied(floats, own + 2 * A, out, at + i * width));
        for (let l = 0; l < L; l++) k = seen(floats, own, marks + 2 * l, out, k);
        for (let j = 0; j < A; j++) if (j !== i) k = seen(floats, own, shows(i, j) ? s + 2 * j : own, out, k);
        if (i >= H) for (let f = 0; f < F; f++) out[k++] = inside[i * F + f] === 1 ? 1 : -1;
        for (let p = H; p < A; p++) {
          if (p === i) continue;
          const v = s + 2 * A + 2 * p;
          const visible = shows(i, p);
          out[k++] = visible ? floats[v]! : 0;
          out[k++] = visible ? floats[v + 1]! : 0;
        }
        if (i >= H) continue;
        for (let f = 0; f < F; f++) out[k++] = inside[i * F + f] === 1 ? 1 : -1;
        for (let x = 0; x < SYMBOLS; x++) out[k++] = floats[said + x]!;
      }
    },
  };
}

export const mpeSimpleWorldComm = defineScenario<Config>({
  id: 'mpe-simple-world-comm',
  title: 'Particles: forests and a leader',
  summary: 'Prey feeds and hides in forests; only the hunters’ leader sees through the trees, and can speak.',
  config,
  recommended: { algo: 'ippo', preset: 'simple-spread', steps: 1_000_000 },
  learnNote:
    'Not learned by anything here yet: four hunters with a leader against prey that acts at random. The best known is a script that is given where the prey is; a million steps bring IPPO a fifth of the way.',
  presets: [
    { id: 'standard', title: 'simple_world_comm_v3', config: {} },
    { id: 'deep-forest', title: '4 forests, 6 hunters, 3 prey', config: { forests: 4, adversaries: 6, good: 3, maxCycles: 50 } },
  ],
  plan,
  policies: { scripted: (c) => scripted(worldCommRule(c)) },
});
