/** The heuristic as a policy of agents of either team. It decides from the state alone: whom a unit attacked last is whom it remembers. */

import { viewOf } from '#core/envs/api/state.ts';
import type { ScriptedPolicy } from '#core/envs/api/types.ts';
import { Rng } from '#math/rng.ts';
import { ATTACK, healthOf, type Row, STOP } from './battle.ts';
import { type Config, meta } from './config.ts';
import { type Decision, decide, setHomes } from './heuristic.ts';
import { fieldOf, placeOf } from './state.ts';

/** Draws follow from the state's generator, mixed with the unit, so that a state always gives the same actions. */
export function heuristicTeam(c: Config): ScriptedPolicy {
  const m = meta(c);
  const field = fieldOf(c, m.state);
  const numbers = m.state.fields.filter(({ type }) => type === 'f64').reduce((sum, { shape }) => sum + shape.reduce((a, b) => a * b, 1), 0);
  const count = (m.state.bytes - 8 - 8 * numbers) / 4;
  const row: Row = { floats: new Float64Array(numbers), words: new Uint32Array(count), f: 0, w: 0 };
  const { floats, words } = row;
  const decision: Decision = { action: STOP, last: -1 };
  const manner = { shoots: true, closest: true };
  const DECIDED = placeOf(m.state, 'decided');
  return {
    act(env, _buffers, out) {
      const agents = env.meta.agentCount;
      for (let index = 0; index < env.batch; index++) {
        const saved = env.save(index);
        const view = viewOf(m.state, saved);
        for (let k = 0; k < numbers; k++) floats[k] = view.getFloat64(8 + 8 * k, true);
        for (let k = 0; k < count; k++) words[k] = view.getUint32(8 + 8 * numbers + 4 * k, true);
        if (words[DECIDED] === 0) setHomes(field, row);
        for (let i = 0; i < agents; i++) {
          const rng = Rng.from((words[count - 4]! ^ Math.imul(words[count - 2]! + 1, 0x9e3779b1) ^ Math.imul(i + 1, 0x85ebca6b)) >>> 0);
          decision.action = STOP;
          const last = words[field.attack + i]! - ATTACK;
          if (healthOf(field, row, i) > 0) decide(field, row, i, last, manner, (n) => rng.int(n), decision);
          const at = (index * agents + i) * env.meta.actionSize;
          out[at] = decision.action;
          if (env.meta.actionSize === 4) asNumbers(decision.action, out, at);
        }
      }
    },
  };
}

/** An action as four numbers: it moves, or shoots at the foe nearest to it. */
export function asNumbers(action: number, out: Float32Array | Int32Array, at: number): void {
  out[at] = action >= ATTACK ? 1 : 0;
  out[at + 1] = action < STOP ? 1 : 0;
  out[at + 2] = action < STOP ? 1 : 0;
  out[at + 3] = action < STOP ? ((5 - action) % 4) / 4 : 0;
}
