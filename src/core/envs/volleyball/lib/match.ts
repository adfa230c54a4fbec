/**
 * A rally of two teams of racket drones, after VolleyBots. Side 0 (first half of the drones) stands at x > 0; side 1 sees everything
 * turned by half a turn, so that both play towards smaller x.
 * One against one: the turn passes at every right hit. Teams: a drone may hit once while the ball is on its side; at the serve only the
 * server may. Rewards per step (sides alike, zero-sum only in winning):
 *   1 v 1   100 win, -100 loss, 5 for a right hit, 0.5 / (1 + horizontal distance to the ball) in its turn, -0.2 position penalty, -100 on the ground
 *   teams   100, -100, 10 per right hit of the team, 0.5 / (1 + distance to the ball of the nearest mate that may still hit), 0.05 / (1 + anchor
 *           distance), -100 on the ground (z < 0.3 m), -100 nearer than 0.8 m to a mate
 * The position penalty (distances into half a metre from net, lines and the court's long axis, and more than 1 m off the anchor's height)
 * charges for the long axis too: so does the reference.
 */
import type { StateField } from '../../api/types.ts';
import { BY_BODY, BY_RACKET } from './ball.ts';
import type { HallConfig } from './config.ts';
import { type BoundGame, distance, type Game, OWN, OWN_LABELS, vector, writeBetween, writeOwn, writeVector } from './game.ts';
import { POS } from './quad.ts';
import { type Court, judge, type Rally, verdict } from './rules.ts';

export interface MatchConfig extends HallConfig {
  readonly teamSize: number;
  readonly court: { readonly length: number | null; readonly width: number | null };
  readonly netHeight: number;
  readonly randomServe: boolean;
}

const COURTS: { readonly [teamSize: number]: readonly [number, number] } = { 1: [6, 3], 3: [12, 6], 6: [18, 9] };
const NET_DEPTH = 0.76; // m
const GROUND = 0.3; // m
const CLOSE = 0.8; // m
const ANCHORS: { readonly [teamSize: number]: readonly (readonly [number, number, number])[] } = {
  1: [[1.5, 0, 2]],
  3: [
    [3, -1.5, 2],
    [3, 1.5, 2],
    [6, 0, 2],
  ],
  6: [
    [3, -3, 2],
    [3, 0, 2],
    [3, 3, 2],
    [6, -3, 2],
    [9, 0, 2],
    [6, 3, 2],
  ],
};
const SERVER: { readonly [teamSize: number]: number } = { 1: 0, 3: 2, 6: 4 };

export function courtOf(c: MatchConfig): Court {
  const [length = 0, width = 0] = COURTS[c.teamSize] ?? [];
  return { length: c.court.length ?? length, width: c.court.width ?? width, net: c.netHeight };
}

/** Anchors of all drones, three numbers each; a court of another size moves them in proportion. */
export function anchorsOf(c: MatchConfig): Float64Array {
  const n = c.teamSize;
  const court = courtOf(c);
  const [length, width] = COURTS[n] as readonly [number, number];
  const out = new Float64Array(6 * n);
  for (let k = 0; k < 2 * n; k++) {
    const [x, y, z] = (ANCHORS[n] as readonly (readonly [number, number, number])[])[k % n] as readonly [number, number, number];
    const side = k < n ? 1 : -1;
    out.set([(side * x * court.length) / length, (side * y * court.width) / width, z], 3 * k);
  }
  return out;
}

const oneHot = (out: Float32Array, at: number, size: number, on: number) => {
  for (let i = 0; i < size; i++) out[at + i] = i === on ? 1 : 0;
};

export function matchGame(c: MatchConfig): Game {
  const n = c.teamSize;
  const court = courtOf(c);
  const anchors = anchorsOf(c);
  const solo = n === 1;
  const server = SERVER[n]!;
  const fields: readonly StateField[] = [
    { name: 'turn', type: 'u32', shape: [], doc: solo ? 'side whose turn it is' : 'side where the ball is' },
    { name: 'lastHit', type: 'u32', shape: [], doc: 'side that hit last' },
    { name: 'hadHit', type: 'u32', shape: [2 * n], doc: 'teams: 1 for a drone that may not hit now' },
    { name: 'contacts', type: 'u32', shape: [], doc: 'right hits in this rally' },
  ];
  const others = solo
    ? vector('other')
    : Array.from({ length: 2 * n }, (_, i) => vector(i < n ? `mate ${i + 1}` : `opponent ${i - n + 1}`)).flat();
  const labels = solo
    ? [...OWN_LABELS, ...vector('off anchor'), ...others, ...vector('from ball'), ...vector('ball speed'), 'my turn', 'their turn']
    : [
        ...OWN_LABELS,
        ...vector('off anchor'),
        ...vector('to ball'),
        ...vector('ball speed'),
        'ball here',
        'ball there',
        ...Array.from({ length: n }, (_, i) => `I am ${i + 1}`),
        'may hit',
        'may not hit',
        ...others,
      ];
  return {
    drones: 2 * n,
    ball: true,
    sideOf: (k) => (k < n ? 1 : -1),
    labels,
    fields,
    names: Array.from({ length: 2 * n }, (_, k) =>
      solo ? (k === 0 ? 'near side' : 'far side') : `${k < n ? 'near' : 'far'} ${(k % n) + 1}`,
    ),
    colourOf: (k) => (k < n ? 0 : 1),
    parts: [],
    fixtures: [{ kind: 'court', length: court.length, width: court.width, net: court.net, netDepth: NET_DEPTH }],
    bounds: [-court.length / 2, -court.width / 2, 0, court.length / 2, court.width / 2, 4.5],
    extra: ['contacts'],
    bind(hall): BoundGame {
      const { floats, words, rows } = hall;
      const TURN = rows.offset('turn');
      const LAST = rows.offset('lastHit');
      const HAD = rows.offset('hadHit');
      const CONTACTS = rows.offset('contacts');
      const rally: Rally = { teamSize: n, turn: 0, wrongTurn: new Uint8Array(2 * n), wrongRacket: new Uint8Array(2 * n) };
      const result = verdict();
      const hits = new Uint8Array(2); // right hits of this step
      const near = new Float64Array(2); // per side: nearest drone that may hit
      let judged = 0;
      const xOf = (k: number) => floats[hall.at(judged, k) + POS]!;
      const anchorDistance = (row: number, k: number): number => {
        let sum = 0;
        for (let i = 0; i < 3; i++) sum += (floats[hall.at(row, k) + i]! - anchors[3 * k + i]!) ** 2;
        return Math.sqrt(sum);
      };
      const penalty = (row: number, k: number): number => {
        const s = hall.at(row, k);
        const into = (d: number) => Math.max(0, 0.5 - d);
        const x = Math.abs(floats[s]!);
        const y = Math.abs(floats[s + 1]!);
        const high = Math.abs(floats[s + 2]! - anchors[3 * k + 2]!);
        return into(x) + into(court.length / 2 - x) + into(y) + into(court.width / 2 - y) + Math.max(0, high - 1);
      };
      const tooClose = (row: number, k: number): boolean => {
        const from = k < n ? 0 : n;
        for (let i = from; i < from + n; i++) if (i !== k && distance(floats, hall.at(row, k), hall.at(row, i)) < CLOSE) return true;
        return false;
      };
      /** Drone that may hit after the ball changed sides. */
      const allow = (w: number, side: number) => {
        for (let k = 0; k < 2 * n; k++) words[w + HAD + k] = (k < n ? 0 : 1) === side ? 0 : 1;
      };
      return {
        start(row) {
          const side = c.randomServe ? hall.draws.int(row, 2, 'server') : 0;
          for (let k = 0; k < 2 * n; k++) hall.put(row, k, anchors[3 * k]!, anchors[3 * k + 1]!, anchors[3 * k + 2]!, k < n ? 0 : 1);
          const first = side * n + server;
          const s = hall.at(row, first);
          hall.putBall(row, floats[s]!, floats[s + 1]!, floats[s + 2]! + (solo ? 1.5 : 3));
          const w = row * rows.wordStride;
          words[w + TURN] = side;
          words[w + LAST] = side;
          for (let k = 0; k < 2 * n; k++) words[w + HAD + k] = k === first ? 0 : 1;
        },
        judge(row, touches, rewards) {
          const w = row * rows.wordStride;
          const b = hall.ballAt(row);
          const turn = words[w + TURN]!;
          judged = row;
          hits.fill(0);
          for (let k = 0; k < 2 * n; k++) {
            const side = k < n ? 0 : 1;
            const allowed = solo ? side === turn : words[w + HAD + k] === 0;
            rally.wrongRacket[k] = touches[k] === BY_BODY ? 1 : 0;
            rally.wrongTurn[k] = touches[k] === BY_RACKET && !allowed ? 1 : 0;
            if (touches[k] !== BY_RACKET) continue;
            words[w + HAD + k] = 1;
            if (!allowed) continue;
            hits[side] = hits[side]! + 1;
            words[w + LAST] = side;
            words[w + CONTACTS] = words[w + CONTACTS]! + 1;
          }
          near.fill(Infinity);
          if (solo) {
            for (let k = 0; k < 2; k++) {
              const s = hall.at(row, k);
              const dx = floats[s]! - floats[b]!;
              const dy = floats[s + 1]! - floats[b + 1]!;
              if (k === turn) near[k] = Math.sqrt(dx * dx + dy * dy);
            }
            if (hits[turn]! > 0) words[w + TURN] = 1 - turn;
          } else {
            for (let k = 0; k < 2 * n; k++) {
              const side = k < n ? 0 : 1;
              if (words[w + HAD + k] === 0) near[side] = Math.min(near[side]!, distance(floats, hall.at(row, k), b));
            }
            const where = floats[b]! > 0 ? 0 : 1;
            if (where !== turn) {
              words[w + TURN] = where;
              allow(w, where);
            }
          }
          rally.turn = words[w + (solo ? TURN : LAST)]!;
          judge(court, rally, floats, b, xOf, result);
          let grounded = false;
          for (let k = 0; k < 2 * n; k++) {
            const side = k < n ? 0 : 1;
            const won = side === 0 ? result.result : -result.result;
            let r = 100 * won + (solo ? 5 : 10) * hits[side]! + 0.5 / (1 + near[side]!);
            r += solo ? -0.2 * penalty(row, k) : 0.05 / (1 + anchorDistance(row, k));
            if (floats[hall.at(row, k) + 2]! < GROUND) {
              r -= 100;
              grounded = true;
            }
            if (!solo && tooClose(row, k)) {
              r -= 100;
              grounded = true;
            }
            rewards[k] = r;
          }
          return result.result !== 0 || result.draw || grounded ? 1 : 0;
        },
        observe(row, k, out, o) {
          const side = k < n ? 1 : -1;
          const w = row * rows.wordStride;
          const s = hall.at(row, k);
          const b = hall.ballAt(row);
          const mine = words[w + TURN] === (k < n ? 0 : 1) ? 0 : 1;
          writeOwn(hall, row, k, side, out, o);
          let at = o + OWN;
          writeVector(
            floats[s]! - anchors[3 * k]!,
            floats[s + 1]! - anchors[3 * k + 1]!,
            floats[s + 2]! - anchors[3 * k + 2]!,
            side,
            out,
            at,
          );
          at += 3;
          if (solo) {
            writeBetween(floats, hall.at(row, 1 - k), s, side, out, at);
            writeBetween(floats, s, b, side, out, at + 3);
            writeVector(floats[b + 3]!, floats[b + 4]!, floats[b + 5]!, side, out, at + 6);
            oneHot(out, at + 9, 2, mine);
            return;
          }
          writeBetween(floats, b, s, side, out, at);
          writeVector(floats[b + 3]!, floats[b + 4]!, floats[b + 5]!, side, out, at + 3);
          oneHot(out, at + 6, 2, mine);
          oneHot(out, at + 8, n, k % n);
          oneHot(out, at + 8 + n, 2, words[w + HAD + k]!);
          at += 10 + n;
          for (let i = 0; i < 2 * n; i++) writeBetween(floats, hall.at(row, (i + (k < n ? 0 : n)) % (2 * n)), s, side, out, at + 3 * i);
        },
        extra(row, out, at) {
          out[at] = words[row * rows.wordStride + CONTACTS]!;
        },
      };
    },
  };
}
