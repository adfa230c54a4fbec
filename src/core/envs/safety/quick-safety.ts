/**
 * A robot among hazards, in closed form: reach goals or touch buttons, and keep what it costs within a limit, a hundred times as quick as MuJoCo.
 * Obs [a pseudo-lidar of 16 bins for each kind of thing: s = max(0, 3 m - distance) / 3 m in the bin of its angle, shared with the bins beside; bin 1
 * begins at the right and goes to the left]. Actions right, up in [-1, 1]: place += 0.03 m action, the reference's top speed. Reward: metres gained, 1
 * at a goal; cost 1 for a step in a hazard or, by task and level, at a vase, gremlin or wrong button. A goal that is reached is followed by a new
 * one. Ends never, but where no goal fits. Truncates at `maxSteps`. Usual limit: 25 for an episode of 1000 steps. A person may put the goal elsewhere.
 * Differs from Safety-Gymnasium: the robot is moved and does not turn; a fence 0.3 m behind the area holds it; vases and buttons stay where they are and
 * do not stop it; things touch as discs; level 1 of the goal task is without its vase, which costs nothing there. The reference itself: safety-navigation.
 * Source: PKU-Alignment/safety-gymnasium 1.2.0, commit ae966e51: areas, things, sizes, drawn places, lidar, reward, costs.
 */
import type { Pull } from '#contract/game/frames.ts';
import { cos, sin } from '#math/functions.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { allocateRows } from '../api/state.ts';
import { createTerms } from '../api/terms.ts';
import type { StepBuffers } from '../api/types.ts';
import { addSignal, hazardCost, LIDAR } from '../lib/safety/sensing.ts';
import { apart, BINS, between, drawLayout, rangeOf } from '../lib/safety/world.ts';
import { CIRCLE, type Config, config, meta, presets, REACH, ROBOT, SECONDS, TERMS, worldOf } from './lib/config.ts';
import { walker } from './lib/walker.ts';

/** Distance at which a goal counts as reached, m. */
const NEAR = 0.3;
/** Steps after a new button in which buttons are not sensed and cost nothing. */
const PAUSE = 10;
const TRIES = 10_000;
const COLOURS = { goal: 2, hazards: 1, buttons: 7, gremlins: 4, vases: 3, pillars: 7, push_box: 7 } as const;

export const quickSafety = defineEnv<Config>({
  spec: {
    id: 'quick-safety',
    version: 1,
    title: 'Safety navigation, quick',
    summary: 'Reach goals among hazards that cost, within a limit; learned in a minute.',
    source: {
      title: 'Safety-Gymnasium: A Unified Safe Reinforcement Learning Benchmark',
      authors: 'Ji et al.',
      year: 2023,
      url: 'https://arxiv.org/abs/2310.12567',
    },
    config,
    presets,
    recommended: { algo: 'ppo', preset: 'limited-quick', steps: 1_000_000 },
    before: 'straight',
    meta,
  },
  create(given, batch, options) {
    const c = { ...given };
    const m = meta(c);
    const world = worldOf(c);
    const { half, edge, groups, keepouts, costs } = world;
    const rows = allocateRows(m.state, batch);
    const { floats, words, floatStride, wordStride } = rows;
    const [D, COST] = [rows.offset('distance'), rows.offset('cost')];
    const [STEPS, REACHED, BUTTON, TIMER] = ['steps', 'reached', 'button', 'timer'].map((name) => rows.offset(name)) as [
      ...[number, number, number, number],
    ];
    const draws = new Draws(rows.rng, options?.draws);
    const { kept, terms } = createTerms(batch, TERMS.length);
    const pulls = new Map<number, Pull>();
    const goal = rangeOf(world, 'goal').from;
    const ranges = groups.map(({ kind }) => rangeOf(world, kind));
    const [hazards, buttons, gremlins, vases] = [
      rangeOf(world, 'hazards'),
      rangeOf(world, 'buttons'),
      rangeOf(world, 'gremlins'),
      rangeOf(world, 'vases'),
    ];
    const sizeOf = (kind: string): number => groups.find((group) => group.kind === kind)?.size ?? 0;
    const [hazard, button, gremlin, vase, target] = [
      sizeOf('hazards'),
      ROBOT + sizeOf('buttons'),
      ROBOT + sizeOf('gremlins'),
      ROBOT + sizeOf('vases'),
      sizeOf('goal'),
    ];
    const touching = c.task === 'button';
    const extents = [-half, -half, half, half];

    /** Distance of the robot from thing `i`, moved by (x, y), m. */
    const far = (s: number, i: number, x = 0, y = 0) =>
      apart(floats[s]! - floats[s + 2 * i]! - x, floats[s + 1]! - floats[s + 2 * i + 1]! - y);
    const touches = (
      s: number,
      { from, count }: { readonly from: number; readonly count: number },
      reach: number,
      except: number,
      x: number,
      y: number,
    ) => {
      for (let i = from; i < from + count; i++) if (i !== except && far(s, i, x, y) <= reach) return true;
      return false;
    };
    /** Places a new goal; false: there was no place for it. */
    const renew = (row: number): boolean => {
      const [s, w] = [row * floatStride, row * wordStride];
      if (touching) {
        const chosen = draws.int(row, buttons.count, 'button');
        words[w + BUTTON] = chosen;
        words[w + TIMER] = PAUSE;
        for (let k = 0; k < 2; k++) floats[s + 2 * goal + k] = floats[s + 2 * (buttons.from + chosen) + k]!;
        floats[s + D] = far(s, goal);
        return true;
      }
      const own = keepouts[goal]!;
      for (let attempt = 0; attempt < TRIES; attempt++) {
        const x = between(own - half, half - own, draws.uniform(row, 'goal'));
        const y = between(own - half, half - own, draws.uniform(row, 'goal'));
        let fits = true;
        for (let i = 0; i < keepouts.length && fits; i++)
          fits = i === goal || apart(x - floats[s + 2 * i]!, y - floats[s + 2 * i + 1]!) >= keepouts[i]! + own;
        if (!fits) continue;
        floats[s + 2 * goal] = x;
        floats[s + 2 * goal + 1] = y;
        floats[s + D] = far(s, goal);
        return true;
      }
      return false;
    };
    /** A person's goal. */
    const place = (row: number, { part, to: [x, y] }: Pull) => {
      if (part !== goal || touching) return;
      const s = row * floatStride;
      floats[s + 2 * goal] = Math.min(edge, Math.max(-edge, x));
      floats[s + 2 * goal + 1] = Math.min(edge, Math.max(-edge, y));
      floats[s + D] = far(s, goal);
    };
    /** 1 where the robot stands in or at something that costs. */
    const charge = (row: number): number => {
      const [s, w] = [row * floatStride, row * wordStride];
      if (costs.length === 0) return 0;
      if (hazardCost(floats[s]!, floats[s + 1]!, floats, s + 2 * hazards.from, hazards.count, hazard) > 0) return 1;
      if (touches(s, vases, vase, -1, 0, 0)) return 1;
      if (!touching) return 0;
      const t = SECONDS * words[w + STEPS]!;
      if (touches(s, gremlins, gremlin, -1, CIRCLE * sin(t), CIRCLE * cos(t))) return 1;
      return words[w + TIMER] === 0 && touches(s, buttons, button, buttons.from + words[w + BUTTON]!, 0, 0) ? 1 : 0;
    };
    const observe = (row: number, { obs }: StepBuffers) => {
      const [s, w] = [row * floatStride, row * wordStride];
      let at = row * m.obsSize;
      obs.fill(0, at, at + m.obsSize);
      const t = SECONDS * words[w + STEPS]!;
      for (let g = 0; g < groups.length; g++) {
        const { from, count } = ranges[g]!;
        const kind = groups[g]!.kind;
        const round = kind === 'gremlins';
        const [x, y] = round ? [CIRCLE * sin(t), CIRCLE * cos(t)] : [0, 0];
        if (kind !== 'buttons' || words[w + TIMER] === 0)
          for (let i = from; i < from + count; i++)
            addSignal(LIDAR, floats[s + 2 * i]! + x - floats[s]!, floats[s + 2 * i + 1]! + y - floats[s + 1]!, obs, at);
        at += BINS;
      }
    };
    const move = (action: number, at: number) => {
      floats[at] = Math.min(edge, Math.max(-edge, floats[at]! + REACH * Math.min(1, Math.max(-1, action))));
    };

    return assemble(m, batch, rows, {
      start(row) {
        const [s, w] = [row * floatStride, row * wordStride];
        floats.fill(0, s, s + floatStride);
        words.fill(0, w, w + 4);
        drawLayout(extents, keepouts, () => draws.uniform(row, 'layout'), floats, s);
        renew(row);
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const [s, w] = [row * floatStride, row * wordStride];
          const pull = pulls.get(row);
          if (pull !== undefined) place(row, pull);
          move(actions[2 * row]!, s);
          move(actions[2 * row + 1]!, s + 1);
          const steps = words[w + STEPS]! + 1;
          words[w + STEPS] = steps;
          const near = far(s, goal);
          const reached = near <= (touching ? button : NEAR);
          kept[2 * row] = c.progressWeight * (floats[s + D]! - near);
          kept[2 * row + 1] = reached ? c.goalWeight : 0;
          floats[s + D] = near;
          const cost = charge(row);
          floats[s + COST] = floats[s + COST]! + cost;
          if (words[w + TIMER]! > 0) words[w + TIMER] = words[w + TIMER]! - 1;
          let stuck = false;
          if (reached) {
            words[w + REACHED] = words[w + REACHED]! + 1;
            stuck = !renew(row);
          }
          out.reward[row] = kept[2 * row]! + kept[2 * row + 1]!;
          if (out.cost) out.cost[row] = cost;
          out.terminated[row] = stuck ? 1 : 0;
          out.truncated[row] = !stuck && steps >= c.maxSteps ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      terms,
      configure: (next) => void Object.assign(c, next),
      pull(row, pull) {
        if (pull === null) pulls.delete(row);
        else pulls.set(row, pull);
      },
      measure(row, out, at) {
        out[at] = floats[row * floatStride + COST]!;
        out[at + 1] = words[row * wordStride + REACHED]!;
      },
      frame(row, out) {
        const [s, w] = [row * floatStride, row * wordStride];
        const t = SECONDS * words[w + STEPS]!;
        out.set([floats[s]!, floats[s + 1]!, 0, 0, ROBOT, 0]);
        let at = 6;
        for (let g = 0; g < groups.length; g++) {
          const { kind, size } = groups[g]!;
          const { from, count } = ranges[g]!;
          const [x, y] = kind === 'gremlins' ? [CIRCLE * sin(t), CIRCLE * cos(t)] : [0, 0];
          for (let i = from; i < from + count; i++, at += 6)
            out.set([floats[s + 2 * i]! + x, floats[s + 2 * i + 1]! + y, 0, 0, kind === 'goal' ? target : size, COLOURS[kind]], at);
        }
        out[at] = words[w + REACHED]!;
        out[at + 1] = floats[s + COST]!;
      },
    });
  },
  policies: { around: (c) => walker(c, true), straight: (c) => walker(c, false) },
});
