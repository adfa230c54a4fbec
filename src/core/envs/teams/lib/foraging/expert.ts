/**
 * Foragers who know the whole field and their levels: again and again the food that a team can be at soonest gets that team, the
 * smallest one that can lift it; the rest take the next food, or wait beside one that is too heavy for them. A team loads when all of
 * it stands there; teams stay together until a food is gone. No agent walks into another.
 */
import type { Environment, ScriptedPolicy } from '#core/envs/api/types.ts';
import type { Field } from './observe.ts';

const LOAD = 5;
const DROW = [0, -1, 1, 0, 0] as const;
const DCOLUMN = [0, 0, 0, -1, 1] as const;
const FAR = 1000;

interface Thing {
  readonly cell: number;
  readonly level: number;
}

interface Plan {
  readonly food: Thing;
  readonly team: readonly number[];
  readonly time: number;
  readonly sum: number;
}

export function expert({ rows, columns, players: playerCount, foods: foodCount }: Field): ScriptedPolicy {
  const beside = (cell: number, action: number): number => {
    const y = Math.floor(cell / columns) + DROW[action]!;
    const x = (cell % columns) + DCOLUMN[action]!;
    return y < 0 || x < 0 || y >= rows || x >= columns ? -1 : y * columns + x;
  };
  const around = (cell: number) => [1, 2, 3, 4].map((action) => beside(cell, action)).filter((next) => next >= 0);

  /** Steps from each cell to the nearest goal that is not taken; taken cells are not walked through, but know how far they are. */
  const distances = (goals: readonly number[], taken: ReadonlySet<number>): Int32Array => {
    const out = new Int32Array(rows * columns).fill(FAR);
    const queue = goals.filter((goal) => !taken.has(goal));
    for (const goal of queue) out[goal] = 0;
    for (const at of queue)
      for (const next of around(at)) {
        if (out[next]! <= out[at]! + 1) continue;
        out[next] = out[at]! + 1;
        if (!taken.has(next)) queue.push(next);
      }
    return out;
  };

  /** The soonest team among `idle` for a food; null: they cannot lift it. */
  const planFor = (food: Thing, players: readonly Thing[], idle: readonly number[], way: Int32Array): Plan | null => {
    const places = around(food.cell);
    const far = (i: number) => {
      const { cell } = players[i] as Thing;
      return places.includes(cell) ? 0 : way[cell]!;
    };
    let best: Plan | null = null;
    for (let bits = 1; bits < 1 << idle.length; bits++) {
      const team = idle.filter((_, k) => ((bits >> k) & 1) === 1);
      if (team.length > places.length || team.reduce((sum, i) => sum + (players[i] as Thing).level, 0) < food.level) continue;
      const time = Math.max(...team.map(far));
      const sum = team.reduce((total, i) => total + far(i), 0);
      if (time < FAR && (best === null || time < best.time || (time === best.time && sum < best.sum))) best = { food, team, time, sum };
    }
    return best;
  };

  /** Teams for all foods that can be lifted at once, the soonest first. */
  const share = (players: readonly Thing[], foods: readonly Thing[]): readonly Plan[] => {
    const taken = new Set([...players, ...foods].map((thing) => thing.cell));
    const chosen: Plan[] = [];
    for (;;) {
      const idle = players.flatMap((_, i) => (chosen.some((plan) => plan.team.includes(i)) ? [] : [i]));
      const open = foods.filter((food) => chosen.every((plan) => plan.food !== food));
      const plans = open.flatMap((food) => planFor(food, players, idle, distances(around(food.cell), taken)) ?? []);
      if (plans.length === 0) return chosen;
      chosen.push(plans.reduce((a, b) => (b.time < a.time || (b.time === a.time && b.sum < a.sum) ? b : a)));
    }
  };

  const decide = (players: readonly Thing[], foods: readonly Thing[], plans: readonly Plan[]): number[] => {
    const actions = new Array<number>(playerCount).fill(0);
    const taken = new Set([...players, ...foods].map((thing) => thing.cell));
    /** One step towards the nearest place; no other agent goes there. */
    const walk = (i: number, places: readonly number[]) => {
      const { cell } = players[i] as Thing;
      if (places.includes(cell)) return;
      const way = distances(places, taken);
      let to = cell;
      for (let a = 1; a < LOAD; a++) {
        const next = beside(cell, a);
        if (next < 0 || taken.has(next) || way[next]! >= way[to]!) continue;
        actions[i] = a;
        to = next;
      }
      taken.add(to);
    };
    for (const { food, team } of plans) {
      const places = around(food.cell);
      const ready = team.every((i) => places.includes((players[i] as Thing).cell));
      for (const i of team)
        if (ready) actions[i] = LOAD;
        else walk(i, places);
    }
    const heavy = foods.filter((food) => plans.every((plan) => plan.food.cell !== food.cell)).flatMap((food) => around(food.cell));
    players.forEach((_, i) => {
      if (plans.every((plan) => !plan.team.includes(i))) walk(i, heavy);
    });
    return actions;
  };

  /** [row, column, level] of players and then of foods: the first words of the state. */
  const look = (env: Environment, row: number): readonly Thing[] => {
    const state = env.save(row);
    const words = new Uint32Array(state.buffer, state.byteOffset + 8, 3 * (playerCount + foodCount));
    return Array.from({ length: playerCount + foodCount }, (_, i) => ({
      cell: words[3 * i]! * columns + words[3 * i + 1]!,
      level: words[3 * i + 2]!,
    }));
  };

  const kept = new Map<number, { readonly key: string; readonly plans: readonly Plan[] }>(); // by row
  return {
    act(env, _buffers, out) {
      for (let row = 0; row < env.batch; row++) {
        const things = look(env, row);
        const players = things.slice(0, playerCount);
        const foods = things.slice(playerCount).filter((food) => food.level > 0);
        const key = [...foods, ...players].map(({ cell, level }, i) => (i < foods.length ? `${cell} ${level}` : level)).join();
        const old = kept.get(row);
        const plans = old?.key === key ? old.plans : share(players, foods);
        kept.set(row, { key, plans });
        decide(players, foods, plans).forEach((action, i) => {
          out[row * playerCount + i] = action;
        });
      }
    },
  };
}
