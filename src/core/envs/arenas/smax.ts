/**
 * Two teams of units fight on a flat map: JaxMARL's SMAX (HeuristicEnemySMAX, and SMAX where both teams are agents).
 * One action lasts `worldSteps` world steps (lib/battle.ts): move, shoot, cooldowns, walls, push, all units at once. Observations of a unit and
 * the central state: lib/observe.ts. Actions: up, right, down, left, stop, attack foe k; those that cannot be done are masked, and done as a stop.
 * Reward of a team, the same for all its units: damage to the foes as a share of their health, and a bonus for a win. A battle terminates when a
 * team is dead, or in the action after `maxSteps` (the reference has one flag).
 * Differs: float64 here; the reference computes in float32.
 * Source: Rutherford et al. 2023; `FLAIROx/JaxMARL` at c793d09, `jaxmarl/environments/smax`.
 */

import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { allocateRows, nest } from '../api/state.ts';
import type { StepBuffers } from '../api/types.ts';
import { ATTACK, available, createScratch, foesOf, healthOf, order, orderContinuous, push, type Row, worldStep } from './lib/battle.ts';
import { checks } from './lib/checks.ts';
import { type Config, config, meta, presets, teamsOf } from './lib/config.ts';
import { battleDraws } from './lib/draws.ts';
import { type Decision, decide, setHomes } from './lib/heuristic.ts';
import { writeFrame } from './lib/look.ts';
import { obsLength, stateLength, writeObs, writeState } from './lib/observe.ts';
import { follow, giveOrder, type Orders } from './lib/orders.ts';
import { place } from './lib/places.ts';
import { asNumbers, heuristicTeam } from './lib/policy.ts';
import { fieldOf } from './lib/state.ts';
import { HEALTH } from './lib/units.ts';

const NONE: Orders = new Map();

export const smax = defineEnv<Config>({
  spec: {
    id: 'smax',
    version: 1,
    title: 'Battle (SMAX)',
    summary: 'Two teams of units fight; the own team learns whom to shoot at and when to step back.',
    source: {
      title: 'JaxMARL: multi-agent RL environments and algorithms in JAX',
      authors: 'Rutherford et al.',
      year: 2023,
      url: 'https://arxiv.org/abs/2311.10090',
    },
    config,
    presets,
    meta,
    recommended: {
      algo: 'ippo',
      config: { lr: 0.002, envs: 64, rolloutSteps: 64, entropyCoef: 0.005 },
      steps: 1_000_000,
      env: { scenario: '3m' },
    },
  },
  create(c, batch, options) {
    const m = meta(c);
    const { types, drawn } = teamsOf(c);
    const field = fieldOf(c, m.state);
    const { allies, units } = field;
    const rows = allocateRows(m.state, batch);
    const { floats, words, floatStride, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const scripted = options?.draws !== undefined;
    const [A, O, N, D] = [m.agentCount, m.obsSize, m.actionCount, m.actionSize];
    const [LAST, DECIDED, STEPS] = [rows.offset('last'), rows.offset('decided'), rows.offset('stepCount')];
    const scratch = createScratch(units);
    const now: Row = { floats, words, f: 0, w: 0 };
    const before = new Float64Array(units);
    const decision: Decision = { action: 0, last: -1 };
    const manner = { shoots: c.enemyShoots, closest: c.attackMode === 'closest' };
    const chosen = new Int32Array(batch * units).fill(-1); // actions of the heuristic in the last step, for golden files
    const clocks = new Uint32Array(batch); // actions since creation, which listed draws are named by
    const orders = new Map<number, Orders>(); // of a person, by row
    let current = 0;
    let unit = 0;
    let worldTime = 0;
    const at = (row: number): Row => {
      now.f = row * floatStride;
      now.w = row * wordStride;
      current = row;
      return now;
    };
    const cooldownDraw = (i: number) => draws.uniform(current, scripted ? `cooldown ${worldTime} ${i}` : 'cooldown');
    const pick = (n: number, attack: boolean) =>
      Math.floor(n * draws.uniform(current, scripted ? `${attack ? 'attack' : 'target'} ${clocks[current]} ${unit - allies}` : 'foe'));

    const leadEnemies = (row: Row) => {
      if (words[row.w + DECIDED] === 0) setHomes(field, row);
      words[row.w + DECIDED] = 1;
      for (unit = allies; unit < units; unit++) {
        const slot = current * units + unit;
        chosen[slot] = -1;
        if (healthOf(field, row, unit) <= 0) {
          order(field, row, unit, 4);
          words[row.w + LAST + unit] = 0;
          continue;
        }
        decide(field, row, unit, words[row.w + LAST + unit]! - 1, manner, pick, decision);
        words[row.w + LAST + unit] = decision.last + 1;
        chosen[slot] = decision.action;
      }
      for (let i = allies; i < units; i++) if (chosen[current * units + i]! >= 0) order(field, row, i, chosen[current * units + i]!);
    };

    const living = (row: Row, from: number, to: number): number => {
      let count = 0;
      for (let i = from; i < to; i++) if (healthOf(field, row, i) > 0) count++;
      return count;
    };
    /** Reward of one team whose foes are units from..to-1. */
    const teamReward = (row: Row, from: number, to: number, own: number, foes: number): number => {
      const won = foes === 0 && own > 0 ? c.wonBattleBonus : 0;
      if (c.selfPlayReward) return won - (own === 0 && foes > 0 ? c.wonBattleBonus : 0);
      let lost = 0;
      for (let j = from; j < to; j++) lost += (before[j]! - healthOf(field, row, j)) / HEALTH[words[row.w + field.types + j]!]!;
      return lost / (to - from) + won;
    };

    const observe = (index: number, out: StepBuffers) => {
      const row = at(index);
      for (let i = 0; i < A; i++) {
        const slot = index * A + i;
        writeObs(field, row, i, out.obs, slot * O);
        if (out.alive) out.alive[slot] = healthOf(field, row, i) > 0 ? 1 : 0;
        if (!out.mask || N === 0) continue;
        const legal = ATTACK + foesOf(field, i);
        for (let a = 0; a < N; a++) out.mask[slot * N + a] = a < legal && available(field, row, i, a) ? 1 : 0;
      }
      if (out.state) writeState(field, row, out.state, index * m.globalSize);
    };

    return assemble(m, batch, rows, {
      start(index) {
        orders.delete(index);
        const row = at(index);
        floats.fill(0, row.f, row.f + floatStride);
        words.fill(0, row.w, row.w + STEPS + 1);
        words.set(types, row.w + field.types);
        place(field, row, drawn, draws, index);
        for (let i = 0; i < units; i++) floats[row.f + field.health + i] = HEALTH[words[row.w + field.types + i]!]!;
        push(field, row, scratch);
      },
      step(actions, out) {
        for (let index = 0; index < batch; index++) {
          const row = at(index);
          for (let i = 0; i < units; i++) before[i] = healthOf(field, row, i);
          if (c.enemyPolicy === 'heuristic') leadEnemies(row);
          for (let i = 0; i < A; i++) {
            const a = (index * A + i) * D;
            if (D === 1) order(field, row, i, actions[a]!);
            else {
              const nearest = draws.uniform(index, 'aim') < actions[a]!;
              const moves = draws.uniform(index, 'move') < actions[a + 1]!;
              orderContinuous(field, row, i, moves, nearest, actions[a + 2]!, actions[a + 3]!);
            }
          }
          for (let k = 0; k < c.worldSteps; k++) {
            worldTime = clocks[index]! * c.worldSteps + k;
            worldStep(field, row, scratch, cooldownDraw);
          }
          clocks[index] = clocks[index]! + 1;
          const own = living(row, 0, allies);
          const foes = living(row, allies, units);
          const steps = words[row.w + STEPS]!;
          words[row.w + STEPS] = steps + 1;
          out.terminated[index] = own === 0 || foes === 0 || steps >= c.maxSteps ? 1 : 0;
          out.truncated[index] = 0;
          const ours = teamReward(row, allies, units, own, foes);
          out.reward.fill(ours, index * A, index * A + allies);
          if (A > allies) out.reward.fill(teamReward(row, 0, allies, foes, own), index * A + allies, (index + 1) * A);
          observe(index, out);
        }
      },
      observe,
      loaded(index) {
        orders.delete(index);
        const row = at(index);
        for (let i = 0; i < units; i++) {
          const [type, attack] = [words[row.w + field.types + i]!, words[row.w + field.attack + i]!];
          if (type >= HEALTH.length) throw fail('state-invalid', `State field "types" holds ${type}.`, 'Allowed: 0 to 5.', 'types');
          if (attack >= ATTACK + foesOf(field, i))
            throw fail('state-invalid', `State field "prevAttack" holds ${attack}.`, 'Attack only foes that are there.', 'prevAttack');
        }
      },
      measure(index, out, to) {
        const row = at(index);
        out[to] = living(row, allies, units) === 0 && living(row, 0, allies) > 0 ? 1 : 0;
      },
      frame(index, out) {
        writeFrame(field, at(index), out, orders.get(index));
      },
      orders: {
        give(index, pull) {
          const given = orders.get(index) ?? new Map();
          orders.set(index, given);
          giveOrder(field, at(index), given, pull);
        },
        follow(index, actions) {
          const given = orders.get(index) ?? NONE;
          let first = -1;
          for (let i = allies - 1; i >= 0; i--) {
            const action = follow(field, at(index), given, i);
            if (action < 0) continue;
            const to = (index * A + i) * D;
            actions[to] = action;
            if (D > 1) asNumbers(action, actions, to);
            first = i;
          }
          return first;
        },
      },
      extras(index): JsonObject {
        const row = at(index);
        const seen = new Float32Array(obsLength(units, field.conic));
        const obsOf = Object.fromEntries(
          Array.from({ length: units }, (_, i) => {
            writeObs(field, row, i, seen, 0);
            return [String(i), Array.from(seen)];
          }),
        );
        const world = new Float32Array(stateLength(units));
        writeState(field, row, world, 0);
        const legal = (i: number) =>
          Array.from({ length: ATTACK + foesOf(field, i) }, (_, a) => (available(field, row, i, a) ? '1' : '0')).join('');
        const enemies = Array.from({ length: units - allies }, (_, k) => allies + k);
        const home = row.f + field.home;
        return {
          obsOf,
          worldState: Array.from(world),
          availableActions: Array.from({ length: A }, (_, i) => legal(i)),
          enemyActions: enemies.map((i) => (chosen[index * units + i]! < 0 ? null : chosen[index * units + i]!)),
          state: {
            enemyLast: enemies.map((i) => words[row.w + LAST + i]! - 1),
            enemyTarget: nest(Array.from(floats.subarray(home + 2 * allies, home + 2 * units)), [units - allies, 2]),
          },
        };
      },
    });
  },
  policies: { heuristic: heuristicTeam },
  checks,
  golden: {
    draws: battleDraws,
  },
});
