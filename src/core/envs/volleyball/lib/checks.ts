/** Golden checks of VolleyBots: the faults of a rally, constants and steps of rotors. */
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { numberOf } from '../../api/checks.ts';
import { airframeOf, nextThrottle } from './airframes.ts';
import { courtOf, type MatchConfig } from './match.ts';
import { FAULTS, judge, verdict } from './rules.ts';

const list = (value: Json | undefined): readonly number[] => (Array.isArray(value) ? (value as readonly number[]) : []);

export const volleyChecks = {
  'rally-faults': (c: MatchConfig, inputs: JsonObject): Json => {
    const drones = (Array.isArray(inputs.drones) ? (inputs.drones as readonly Json[]) : []).map(list);
    const rally = {
      teamSize: c.teamSize,
      turn: numberOf(inputs, c.teamSize === 1 ? 'turn' : 'lastHitTeam'),
      wrongTurn: Uint8Array.from(list(inputs.wrongTurn)),
      wrongRacket: Uint8Array.from(list(inputs.wrongRacket)),
    };
    const { result, draw, faults } = judge(courtOf(c), rally, list(inputs.ball), 0, (k) => drones[k]?.[0] ?? 0, verdict());
    return { result, draw, faults: [Array.from(faults.subarray(0, FAULTS)), Array.from(faults.subarray(FAULTS))] };
  },
  'rotor-constants': (c: MatchConfig, inputs: JsonObject): Json => {
    const f = airframeOf(c.airframe, c.gravity, typeof inputs.mass === 'number' ? inputs.mass : null);
    return {
      maxThrustPerRotor: f.fullThrust,
      maxMomentPerRotor: f.fullMoment,
      hoverThrottle: Math.sqrt((f.hoverCommand + 1) / 2),
      hoverCommand: f.hoverCommand,
    };
  },
  'rotor-step': (c: MatchConfig, inputs: JsonObject, memory: { [key: string]: Json }): Json => {
    const f = airframeOf(c.airframe, c.gravity);
    const commands = list(inputs.command);
    const throttle = list(memory.throttle).map((t, i) => nextThrottle(t, commands[i] ?? 0));
    memory.throttle = throttle;
    return {
      throttle,
      thrust: throttle.map((t) => t * t * f.fullThrust),
      moment: throttle.map((t, i) => -(f.directions[i] ?? 0) * t * t * f.fullMoment),
    };
  },
};
