/** Scripts that know where everything lies: straight to the goal, or round what costs. */
import { cos, sin } from '#math/functions.ts';
import type { ScriptedPolicy } from '../../api/types.ts';
import { rangeOf } from '../../lib/safety/world.ts';
import { Around } from './around.ts';
import { CIRCLE, type Config, REACH, ROBOT, SECONDS, worldOf } from './config.ts';

/** How far it stays from what costs, m. */
const MARGIN = 0.04;

export function walker(c: Config, round: boolean): ScriptedPolicy {
  const world = worldOf(c);
  const { groups, names, edge, costs } = world;
  const goal = rangeOf(world, 'goal').from;
  const ways: Around[] = []; // one for each row, which keeps its plan
  const aim = new Float64Array(2);
  const discs: number[] = [];
  return {
    act(env, _, out) {
      for (let row = 0; row < env.batch; row++) {
        const state = env.save(row);
        // behind version and padding: places, distance, cost; then steps, reached, button, timer
        const floats = new Float64Array(state.buffer, state.byteOffset + 8, 2 * names.length + 2);
        const words = new Uint32Array(state.buffer, state.byteOffset + 8 + 8 * floats.length, 4);
        const [x, y, goalX, goalY] = [floats[0]!, floats[1]!, floats[2 * goal]!, floats[2 * goal + 1]!];
        discs.length = 0;
        const t = SECONDS * words[0]!;
        for (const { kind, count, size } of round && costs.length > 0 ? groups : []) {
          if (kind === 'goal') continue;
          const { from } = rangeOf(world, kind);
          const [dx, dy] = kind === 'gremlins' ? [CIRCLE * sin(t), CIRCLE * cos(t)] : [0, 0];
          for (let i = 0; i < count; i++)
            if (kind !== 'buttons' || i !== words[2])
              discs.push(floats[2 * (from + i)]! + dx, floats[2 * (from + i) + 1]! + dy, size + (kind === 'hazards' ? 0 : ROBOT) + MARGIN);
        }
        const way = (ways[row] ??= new Around(edge));
        way.towards(x, y, goalX, goalY, discs, aim);
        const [right, up] = [aim[0]! - x, aim[1]! - y];
        const longest = Math.max(Math.abs(right), Math.abs(up), REACH);
        out[2 * row] = right / longest;
        out[2 * row + 1] = up / longest;
      }
    },
  };
}
