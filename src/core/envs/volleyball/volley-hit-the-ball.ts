/**
 * One hit, as far as possible: a ball falls onto a racket drone, which hits it once towards and over the net. A drill of VolleyBots.
 * Obs (32) own state, place off the anchor, drone minus ball, ball velocity. Actions: volleyball/lib/quad.ts.
 * Reward 1 per right hit, -0.05 per step farther than 1 m from the anchor (4.5, 0, 2), 2 (4.5 - x of the ball) once, when it falls
 * through z = 2 m after exactly one hit, -10 per fault. A second hit within 25 steps and a touch with the body are faults.
 * Terminated at that landing, at a fault, when the drone is below 0.4 m or in the net plane, the ball below 0.15 or above 16 m;
 * truncated after 500 steps of 0.02 s. Metric: where it lands. Source: `thu-uav/VolleyBots` at 680493a, task SingleHitVolleyball.
 */
import { z } from 'zod';
import { defineHall } from './lib/define.ts';
import { countTouch, DRILL_COURT, drillPolicy, drillShape, FAULT, isStandardDrill, writeDrill } from './lib/drill.ts';
import { type Game, OWN_LABELS, vector } from './lib/game.ts';

const ANCHOR = [4.5, 0, 2] as const;
const ABOVE = 3; // m, the ball at the start
const GAP = 25; // steps
const HORIZON = 500;

const config = z.strictObject(drillShape(HORIZON));
type Config = z.infer<typeof config>;

function game(): Game {
  return {
    drones: 1,
    ball: true,
    sideOf: () => 1,
    labels: [...OWN_LABELS, ...vector('off anchor'), ...vector('from ball'), ...vector('ball speed')],
    fields: [
      { name: 'hits', type: 'u32', shape: [], doc: 'right hits' },
      { name: 'lastHit', type: 'u32', shape: [], doc: 'step of the last right hit, 0 none' },
    ],
    names: ['drone'],
    colourOf: () => 0,
    parts: [],
    fixtures: [DRILL_COURT],
    bounds: [-9, -4.5, 0, 9, 4.5, 6],
    extra: ['hits'],
    bind(hall) {
      const { floats, words, rows } = hall;
      const [HITS, LAST] = [rows.offset('hits'), rows.offset('lastHit')];
      return {
        start(row) {
          hall.put(row, 0, ANCHOR[0], ANCHOR[1], ANCHOR[2], 0);
          const s = hall.at(row, 0);
          hall.putBall(row, floats[s]!, floats[s + 1]!, floats[s + 2]! + ABOVE);
        },
        judge(row, touches, rewards) {
          const w = row * rows.wordStride;
          const s = hall.at(row, 0);
          const b = hall.ballAt(row);
          const kind = countTouch(touches[0]!, hall.steps(row), words[w + LAST]!, GAP);
          let reward = 0;
          let fault = kind < 0;
          if (kind > 0) {
            reward += 1;
            words[w + HITS] = words[w + HITS]! + 1;
            words[w + LAST] = hall.steps(row);
          }
          let away = 0;
          for (let i = 0; i < 3; i++) away += (floats[s + i]! - ANCHOR[i]!) ** 2;
          if (away > 1) reward -= 0.05;
          const z = floats[b + 2]!;
          const landed = words[w + HITS] === 1 && z < 2 && floats[b + 5]! < 0 && kind === 0;
          if (landed) reward += 2 * (ANCHOR[0] - floats[b]!);
          if (floats[s + 2]! < 0.4 || Math.abs(floats[s]!) < 0.01 || z < 0.15 || z > 16) fault = true;
          rewards[0] = reward - (fault ? FAULT : 0);
          return fault || landed ? 1 : 0;
        },
        observe: (row, k, out, o) => writeDrill(hall, row, k, ANCHOR, 0, out, o),
        extra(row, out, at) {
          out[at] = words[row * rows.wordStride + HITS]!;
        },
      };
    },
  };
}

export const volleyHitTheBall = defineHall<Config>({
  id: 'volley-hit-the-ball',
  title: 'Hit the ball',
  summary: 'One hit with the racket, as far over the net as possible.',
  config,
  presets: [
    { id: 'standard', title: 'body rates and thrust', config: {} },
    { id: 'rotors', title: 'rotor commands', config: { actionType: 'prt' } },
  ],
  game,
  maxSteps: (c) => c.maxSteps,
  score: () => 'mean',
  references: (c) =>
    isStandardDrill(c, HORIZON)
      ? [
          { name: 'random', value: -9.2, source: 'uniform commands, 100 episodes here' },
          { name: 'hitter', value: 20.8, source: 'policy "hitter", 20 episodes here' },
          { name: 'to the end line', value: 28, source: 'ball at x = -9 m after one hit' },
        ]
      : [],
  policies: {
    hitter: (c) => drillPolicy(c, 1, ANCHOR, () => ({ height: 2.5, x: -13, y: 0, apex: 2.4, drop: 0 })),
  },
});
