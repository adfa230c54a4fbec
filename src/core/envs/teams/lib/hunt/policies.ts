/** Scripted hunters. They read the places of all agents from the state. */
import type { Environment, ScriptedPolicy } from '#core/envs/api/types.ts';
import { CATCH, type Config, fieldOf, STAY } from './config.ts';
import { neighbours } from './field.ts';

interface Seen {
  readonly predators: readonly (readonly [number, number])[];
  readonly prey: readonly (readonly [number, number])[];
  readonly left: readonly number[];
  readonly caught: readonly number[];
}

const look = (env: Environment, row: number) => env.meta.state.toJSON(env.save(row)) as unknown as Seen;

/** Distances and neighbours on the field, and the cells that are taken in one row. */
function groundOf(c: Config) {
  const { width, height } = fieldOf(c);
  const beside = neighbours(c);
  const around = (cell: number) => [0, 1, 2, 3].map((d) => beside(cell, d)).filter((next) => next >= 0);
  /** Steps from everywhere to the nearest of `goals`, around the cells in `taken`. */
  const distances = (goals: readonly number[], taken: ReadonlySet<number>): Int32Array => {
    const out = new Int32Array(width * height).fill(width * height);
    const queue = [...goals];
    for (const goal of goals) out[goal] = 0;
    for (const at of queue)
      for (const next of around(at)) {
        if (out[next]! <= out[at]! + 1) continue;
        out[next] = out[at]! + 1;
        if (!taken.has(next)) queue.push(next);
      }
    return out;
  };
  return { width, beside, around, distances };
}

/**
 * As many predators as a capture needs, the nearest ones, close in on one prey, the next ones on the next; who stands beside theirs
 * waits for the others, and they catch only when there are enough. With `surround` four are needed. At best all prey, or as many as
 * there are predators for; what it misses is prey that walks away from approaching predators.
 */
export function pack(c: Config): ScriptedPolicy {
  const { width, beside, around, distances } = groundOf(c);
  const needed = c.capture === 'catch' ? c.hunters : 4;
  const at = ([y, x]: readonly [number, number]) => y * width + x;
  return {
    act(env, _buffers, out) {
      for (let row = 0; row < env.batch; row++) {
        const seen = look(env, row);
        const cells = seen.predators.map(at);
        const idle = new Set(Array.from(cells.keys()).filter((i) => seen.left[i] === 0));
        const prey = seen.prey.flatMap((p, k) => (seen.caught[k] === 0 ? [at(p)] : []));
        const taken = new Set([...prey, ...[...idle].map((i) => cells[i]!)]);
        for (let i = 0; i < c.predators; i++) out[row * c.predators + i] = STAY;
        const open = new Set(prey);
        while (idle.size > 0 && open.size > 0) {
          const plans = [...open].map((target) => {
            const places = around(target);
            const free = distances(
              places.filter((cell) => !taken.has(cell)),
              taken,
            );
            const far = (i: number) => (places.includes(cells[i]!) ? 0 : free[cells[i]!]!);
            const team = [...idle].sort((a, b) => far(a) - far(b)).slice(0, needed);
            return { target, free, far, team, cost: team.reduce((sum, i) => sum + far(i), 0) };
          });
          const best = plans.reduce((a, b) => (b.cost < a.cost ? b : a));
          open.delete(best.target);
          const ready = best.team.length >= needed && best.cost === 0;
          for (const i of best.team) {
            idle.delete(i);
            const here = cells[i]!;
            let action = STAY;
            if (best.far(i) === 0) action = ready && c.capture === 'catch' ? CATCH : STAY;
            else
              for (let d = 0; d < 4; d++) {
                const next = beside(here, d);
                const now = action === STAY ? here : beside(here, action);
                if (next >= 0 && !taken.has(next) && best.free[next]! < best.free[now]!) action = d;
              }
            const to = action < STAY ? beside(here, action) : here;
            taken.add(to); // no other hunter of the pack goes there
            out[row * c.predators + i] = action;
          }
        }
      }
    },
  };
}

/** Each for itself: catches what is beside it, else walks towards the nearest prey. */
export function loners(c: Config): ScriptedPolicy {
  const { width, beside, around, distances } = groundOf(c);
  const at = ([y, x]: readonly [number, number]) => y * width + x;
  return {
    act(env, _buffers, out) {
      for (let row = 0; row < env.batch; row++) {
        const seen = look(env, row);
        const prey = seen.prey.flatMap((p, k) => (seen.caught[k] === 0 ? [at(p)] : []));
        const way = distances(prey, new Set());
        seen.predators.forEach((p, i) => {
          const here = at(p);
          let action = STAY;
          if (seen.left[i] === 0 && around(here).some((cell) => prey.includes(cell))) action = c.capture === 'catch' ? CATCH : STAY;
          else if (seen.left[i] === 0)
            for (let d = 0; d < 4; d++) {
              const next = beside(here, d);
              const now = action === STAY ? here : beside(here, action);
              if (next >= 0 && way[next]! < way[now]!) action = d;
            }
          out[row * c.predators + i] = action;
        });
      }
    },
  };
}
