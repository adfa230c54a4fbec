/** Plays the way that the planner finds for one that knows goal and rules; where it finds none it turns on the spot. */
import type { Actions, Environment, ScriptedPolicy } from '../../api/types.ts';
import { TURN_RIGHT } from './act.ts';
import { planWay } from './planner.ts';
import { COLUMN, DIR, GOAL_AT, LISTS, POCKET, ROW, RULE_COUNT, STEPS, TRIAL } from './state.ts';

/** Arrangements that are looked at for one trial. */
const MOST = 3000;

interface Way {
  readonly trial: number;
  /** Steps of the trial when it was planned. */
  readonly since: number;
  readonly actions: readonly number[] | null;
}

export function xlandExpert(height: number, width: number): ScriptedPolicy {
  const ways = new WeakMap<Environment, (Way | undefined)[]>();
  const cells = height * width;
  return {
    act(env: Environment, _buffers, out: Actions) {
      const own = ways.get(env) ?? [];
      ways.set(env, own);
      for (let row = 0; row < env.batch; row++) {
        const words = new Uint32Array(env.save(row).slice(8).buffer);
        const at = (i: number): number => words[cells + i]!;
        const steps = at(STEPS);
        let way = own[row];
        const left = way?.actions?.[steps - way.since];
        if (
          way === undefined ||
          steps === 0 ||
          way.trial !== at(TRIAL) ||
          steps < way.since ||
          (left === undefined && way.actions !== null)
        ) {
          const state = { cells: words.slice(0, cells), row: at(ROW), column: at(COLUMN), dir: at(DIR), pocket: at(POCKET) };
          const rules = words.slice(cells + LISTS, cells + LISTS + at(RULE_COUNT));
          way = { trial: at(TRIAL), since: steps, actions: planWay(state, height, width, at(GOAL_AT), rules, MOST) };
          own[row] = way;
        }
        out[row] = way.actions?.[steps - way.since] ?? TURN_RIGHT;
      }
    },
  };
}
