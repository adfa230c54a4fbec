/**
 * Scripted particles: a rule says from an agent's observation which force it wants (in units of a full action) and what it says;
 * here that becomes an action, continuous or the nearest of the five moves.
 */
import type { EnvMeta, ScriptedPolicy } from '../../api/types.ts';
import { MOVES } from './world.ts';

export interface Wish {
  x: number;
  y: number;
  say: number;
}

/** Fills `wish` for one agent from its observation at obs[at]. */
export type Rule = (obs: Float32Array, at: number, agent: number, wish: Wish) => void;

/** The nearest of none, left, right, down, up. */
function nearestMove({ x, y }: Wish): number {
  const wide = Math.abs(x) >= Math.abs(y);
  const most = wide ? x : y;
  if (Math.abs(most) < 0.5) return 0;
  if (wide) return most < 0 ? 1 : 2;
  return most < 0 ? 3 : 4;
}

export function scripted(rule: Rule): ScriptedPolicy {
  const wish: Wish = { x: 0, y: 0, say: 0 };
  return {
    act({ meta, batch }, buffers, out) {
      const spaces = spacesOf(meta);
      for (let row = 0; row < batch; row++)
        for (let i = 0; i < meta.agentCount; i++) {
          const slot = row * meta.agentCount + i;
          wish.x = 0;
          wish.y = 0;
          wish.say = 0;
          rule(buffers.obs, slot * meta.obsSize, i, wish);
          const { moves, symbols } = spaces[i]!;
          const at = slot * meta.actionSize;
          if (meta.actionCount > 0) {
            out[at] = (moves ? nearestMove(wish) : 0) + (moves ? MOVES : 1) * wish.say;
            continue;
          }
          let from = at;
          if (moves) {
            out.fill(0, from, from + MOVES);
            out[from + 1] = Math.min(1, Math.max(0, -wish.x));
            out[from + 2] = Math.min(1, Math.max(0, wish.x));
            out[from + 3] = Math.min(1, Math.max(0, -wish.y));
            out[from + 4] = Math.min(1, Math.max(0, wish.y));
            from += MOVES;
          }
          if (symbols === 0) continue;
          out.fill(0, from, from + symbols);
          out[from + wish.say] = 1;
        }
    },
  };
}

/** From the action spaces: which agents move, and how many symbols they have. */
function spacesOf(meta: EnvMeta): { moves: boolean; symbols: number }[] {
  return meta.agents.flatMap(({ count, action }) => {
    const moves = action.labels.includes('left') || action.labels.some((label) => label.startsWith('left,'));
    const says = action.labels.filter((label) => label.startsWith('say ')).length;
    const symbols = moves && action.kind === 'discrete' ? (action.n > MOVES ? action.n / MOVES : 0) : says;
    return Array.from({ length: count }, () => ({ moves, symbols }));
  });
}

/**
 * Force (in full actions) that brings a body to rest-free arrival at (dx, dy) two steps from now: position moves with the old
 * velocity, so x'' = x + dt (v + (keep v + F dt / m)). Far away it saturates.
 */
export function arrive(
  how: { readonly dt: number; readonly damping: number; readonly mass: number; readonly force: number },
  dx: number,
  vx: number,
): number {
  return ((dx / how.dt - (2 - how.damping) * vx) * how.mass) / (how.force * how.dt);
}
