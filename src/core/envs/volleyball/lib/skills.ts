/**
 * What a drone of a match can do for some time, flown by the hand-made pilot (pilot.ts) with whatever commands the court uses: wait at
 * its anchor, and play the ball to a place. `return` sends it over the net in a high arc to where the scripted rally expects it, `attack`
 * lower and short behind the net; in teams `pass` plays it up for a mate in the middle, `set` up at the net, and a drone may go to the net or to the back. Left,
 * middle and right are those of who looks at the net. A drone that may not hit, or to whose side the ball does not come, waits at its
 * anchor instead; whether it should hit while a mate does too is for who chooses. After VolleyBots, whose hierarchical policy has
 * go to, hover, serve, first pass, set and attack.
 */
import type { Skills } from '../../api/types.ts';
import { airframeOf } from './airframes.ts';
import { command } from './command.ts';
import type { Shot } from './drill.ts';
import { OWN } from './game.ts';
import { aimHit, type Plan, planHit } from './hit.ts';
import { anchorsOf, courtOf, type MatchConfig } from './match.ts';
import { type Wish, wish } from './pilot.ts';
import { FALLING, hover, tacticsOf } from './rally.ts';
import { mayHit, readBall } from './view.ts';

/** Plays the ball, goes to a place, or, with neither, waits at the anchor. */
interface Deed {
  readonly name: string;
  readonly shot?: Shot;
  readonly serve?: Shot; // of a ball that has not been hit yet; as `shot` if missing
  readonly place?: readonly [number, number]; // m
}

/** Low over the net and short: `far` and heights as in rally.ts, `drop` m lower than the hit. Found by random search against the rally. */
interface Attack {
  readonly height: number;
  readonly far: number;
  readonly apex: number;
  readonly drop: number;
}
const ATTACKS: { readonly [teamSize: number]: { readonly rates: Attack; readonly rotors: Attack } } = {
  1: { rates: { height: 2.4, far: 0.46, apex: 0.76, drop: 0.78 }, rotors: { height: 2.12, far: 0.66, apex: 1.62, drop: 0.4 } },
  3: { rates: { height: 2.37, far: 0.57, apex: 1.77, drop: 1.18 }, rotors: { height: 2.2, far: 0.96, apex: 1.81, drop: 0.87 } },
  6: { rates: { height: 2.35, far: 0.91, apex: 0.52, drop: 1.36 }, rotors: { height: 2.13, far: 1.26, apex: 1.62, drop: 0.44 } },
};
/** Balls for mates: where they come down, in distances of the front row from the net, and their apex, m above the hit. */
const PASS = { height: 2.44, far: 1.38, apex: 2 };
const SET = { height: 2.51, far: 0.89, apex: 2 };

const SIDES = [
  ['left', -1],
  ['middle', 0],
  ['right', 1],
] as const;

/** What the drones of this court can do. */
export function deedsOf(c: MatchConfig): readonly Deed[] {
  const n = c.teamSize;
  const court = courtOf(c);
  const front = anchorsOf(c)[0]!; // m from the net
  const wide = 0.25 * court.width; // m off the middle
  const { height, serve, play } = tacticsOf(c);
  const over = (arc: { readonly far: number; readonly apex: number }, side: number): Shot => ({
    height,
    x: -arc.far * front,
    y: side * wide,
    apex: arc.apex,
    drop: 0,
  });
  const { rates, rotors } = ATTACKS[n] as { readonly rates: Attack; readonly rotors: Attack };
  const attack = c.actionType === 'prt' ? rotors : rates;
  const returns = SIDES.map(([name, side]): Deed => ({ name: `return ${name}`, shot: over(play, side), serve: over(serve, side) }));
  const attacks = SIDES.map(([name, side]): Deed => {
    const { far, ...shot } = attack;
    return { name: `attack ${name}`, shot: { ...shot, x: -far * front, y: side * wide }, serve: over(serve, side) };
  });
  if (n === 1) return [{ name: 'hold' }, ...returns, ...attacks];
  const up = (name: string, { far, ...shot }: typeof PASS): Deed => ({ name, shot: { ...shot, x: far * front, y: 0, drop: 0 } });
  return [
    { name: 'hold' },
    { name: 'go to the net', place: [0.4 * front, 0] },
    { name: 'go to the back', place: [1.8 * front, 0] },
    up('pass', PASS),
    up('set', SET),
    ...returns,
    ...attacks,
  ];
}

export function volleySkills(c: MatchConfig, deeds = deedsOf(c)): Skills {
  const n = c.teamSize;
  const solo = n === 1;
  const frame = airframeOf(c.airframe, c.gravity);
  const to: Wish = wish();
  const plan: Plan = { time: 0, x: 0, y: 0, z: 0 };
  const ball = new Float64Array(6);

  const home = (obs: Float32Array, o: number): void => {
    const anchor = (i: number) => obs[o + i]! - obs[o + OWN + i]!;
    hover(to, anchor(0), anchor(1), anchor(2));
  };
  /** Whether it may play the ball, which comes down to this height on its side: that is then planned. */
  const reaches = (obs: Float32Array, o: number, height: number): boolean => {
    planHit(ball, 0, height, c.gravity, plan);
    return mayHit(n, obs, o) && plan.x > 0.1;
  };

  return {
    act(skill, obs, o, out, a) {
      const deed = deeds[skill] as Deed;
      readBall(solo, obs, o, ball, 0);
      const still = ball[3]! ** 2 + ball[4]! ** 2 < FALLING * FALLING;
      const shot = still ? (deed.serve ?? deed.shot) : deed.shot;
      if (deed.place !== undefined) hover(to, deed.place[0], deed.place[1], 2);
      else if (shot !== undefined && reaches(obs, o, shot.height))
        aimHit(to, ball, 0, plan, shot.x, shot.y, shot.apex, c.gravity, c.restitution, shot.drop);
      else home(obs, o);
      command(c, frame, obs, o, to, out, a);
    },
    // A touch turns a falling ball upwards or passes the turn; at the top of its flight there is time to think again.
    moment(obs, o) {
      const mine = obs[o + OWN + (solo ? 12 : 9)] === 1 ? 1 : 0;
      const may = solo || obs[o + OWN + 11 + n] === 1 ? 2 : 0;
      const rises = obs[o + OWN + (solo ? 11 : 8)]! > 0 ? 4 : 0;
      return mine + may + rises;
    },
  };
}
