/**
 * A racket drone keeps a ball in the air, bump after bump, above 3.5 m. A drill of VolleyBots.
 * Obs (32) own state, place off the anchor, drone minus ball, ball velocity. Actions: volleyball/lib/quad.ts.
 * Reward 2 per right hit, 8 more if at that hit the mean height of the peaks so far is above 3.5 m, and per step 1 / (1 + horizontal
 * distance) + 0.5 clip(ball z - max(drone z, 1), 0, 2); -10 per fault: a hit within 25 steps of the last, a touch with the body.
 * Terminated at a fault, when the drone is below 0.4 or above 2.5 m or in the net plane, the ball below 0.15, above 4.5 m or out;
 * truncated after 800 steps of 0.02 s. Metric: bumps. Source: `thu-uav/VolleyBots` at 680493a, task SingleJuggleVolleyball.
 */
import { z } from 'zod';
import { defineHall } from './lib/define.ts';
import { countTouch, DRILL_COURT, drillPolicy, drillShape, FAULT, isStandardDrill, out, writeDrill } from './lib/drill.ts';
import { type Game, OWN_LABELS, vector } from './lib/game.ts';

const ANCHOR = [4.5, 0, 2] as const;
const ABOVE = 2; // m, the ball at the start
const GAP = 25; // steps
const HIGH = 3.5; // m

const HORIZON = 800;

const config = z.strictObject(drillShape(HORIZON));
type Config = z.infer<typeof config>;

function game(): Game {
  return {
    drones: 1,
    ball: true,
    sideOf: () => 1,
    labels: [...OWN_LABELS, ...vector('off anchor'), ...vector('from ball'), ...vector('ball speed')],
    fields: [
      { name: 'peak', type: 'f64', shape: [], unit: 'm', doc: 'greatest height of the ball since the last hit' },
      { name: 'peaks', type: 'f64', shape: [], unit: 'm', doc: 'sum of the peaks at all hits so far' },
      { name: 'hits', type: 'u32', shape: [], doc: 'right hits' },
      { name: 'lastHit', type: 'u32', shape: [], doc: 'step of the last right hit, 0 none' },
    ],
    names: ['drone'],
    colourOf: () => 0,
    parts: [],
    fixtures: [DRILL_COURT],
    bounds: [2.5, -2, 0, 6.5, 2, 4.5],
    extra: ['bumps'],
    bind(hall) {
      const { floats, words, rows } = hall;
      const [PEAK, PEAKS] = [rows.offset('peak'), rows.offset('peaks')];
      const [HITS, LAST] = [rows.offset('hits'), rows.offset('lastHit')];
      return {
        start(row) {
          hall.put(row, 0, ANCHOR[0], ANCHOR[1], ANCHOR[2], 0);
          const s = hall.at(row, 0);
          hall.putBall(row, floats[s]!, floats[s + 1]!, floats[s + 2]! + ABOVE);
        },
        judge(row, touches, rewards) {
          const w = row * rows.wordStride;
          const f = row * rows.floatStride;
          const s = hall.at(row, 0);
          const b = hall.ballAt(row);
          const z = floats[b + 2]!;
          floats[f + PEAK] = Math.max(floats[f + PEAK]!, z);
          const kind = countTouch(touches[0]!, hall.steps(row), words[w + LAST]!, GAP);
          let reward = 0;
          let fault = kind < 0;
          if (kind > 0) {
            const hits = words[w + HITS]! + 1;
            const sum = floats[f + PEAKS]! + floats[f + PEAK]!;
            words[w + HITS] = hits;
            words[w + LAST] = hall.steps(row);
            floats[f + PEAKS] = sum;
            floats[f + PEAK] = z;
            reward += 2 + (sum / hits > HIGH ? 8 : 0);
          }
          const dx = floats[s]! - floats[b]!;
          const dy = floats[s + 1]! - floats[b + 1]!;
          const own = floats[s + 2]!;
          reward += 1 / (1 + Math.sqrt(dx * dx + dy * dy)) + 0.5 * Math.min(2, Math.max(0, z - Math.max(own, 1)));
          if (own < 0.4 || own > 2.5 || Math.abs(floats[s]!) < 0.01 || z < 0.15 || z > 4.5 || out(floats, b)) fault = true;
          rewards[0] = reward - (fault ? FAULT : 0);
          return fault ? 1 : 0;
        },
        observe: (row, k, o32, o) => writeDrill(hall, row, k, ANCHOR, 0, o32, o),
        extra(row, o32, at) {
          o32[at] = words[row * rows.wordStride + HITS]!;
        },
      };
    },
  };
}

export const volleySoloBump = defineHall<Config>({
  id: 'volley-solo-bump',
  title: 'Solo bump',
  summary: 'A racket drone keeps a ball in the air, bump after bump.',
  config,
  // Both normalised: without it the rare large reward of a bump moves the value net more than it can follow.
  recommended: {
    algo: 'ppo',
    preset: 'drone-hover',
    steps: 3_000_000,
    config: { normaliseObs: true, normaliseReward: true },
  },
  presets: [
    { id: 'standard', title: 'body rates and thrust', config: {} },
    { id: 'velocity', title: 'velocity commands, by hand too', config: { actionType: 'velocity' } },
    { id: 'rotors', title: 'rotor commands', config: { actionType: 'prt' } },
  ],
  game,
  maxSteps: (c) => c.maxSteps,
  score: () => 'mean',
  references: (c) =>
    isStandardDrill(c, HORIZON) && c.actionType === 'ctbr'
      ? [
          { name: 'random', value: 65.2, source: 'uniform commands, 100 episodes here' },
          { name: 'juggler', value: 1200.6, source: 'policy "juggler", 20 episodes here' },
        ]
      : [],
  policies: {
    juggler: (c) => drillPolicy(c, 1, ANCHOR, () => ({ height: 2.057, x: ANCHOR[0], y: ANCHOR[1], apex: 1.661, drop: 0 })),
  },
});
