/** What a player of a match reads from its own observation (match.ts): everything in its view of the court, where it plays towards smaller x. */
import { OWN } from './game.ts';

/** Position and velocity of the ball, six numbers to out[at ..]; `o`: where the observation of the player begins. */
export function readBall(solo: boolean, obs: Float32Array, o: number, out: Float64Array, at: number): void {
  for (let i = 0; i < 3; i++) {
    const own = obs[o + i]!;
    out[at + i] = solo ? own - obs[o + OWN + 6 + i]! : own + obs[o + OWN + 3 + i]!;
    out[at + 3 + i] = obs[o + OWN + (solo ? 9 : 6) + i]!;
  }
}

/** One against one: it is its turn. Teams: it has not hit since the ball came, or the ball is still to come. */
export function mayHit(teamSize: number, obs: Float32Array, o: number): boolean {
  if (teamSize === 1) return obs[o + OWN + 12] === 1;
  return obs[o + OWN + 11 + teamSize] === 1 || obs[o + OWN + 9] === 0;
}
