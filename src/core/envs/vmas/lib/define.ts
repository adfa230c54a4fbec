/**
 * Makes a registry entry of a VMAS scenario: state, actions (force x, y from -1 to 1, clipped), step, frame and golden hooks are the same
 * for all; a scenario says what there is, what is paid and what is seen. State of a row: agentPos, agentVel, landmarkPos, landmarkVel,
 * landmarkRot, landmarkAngVel (float64), flags of the scenario, steps. Truncates at `maxSteps`. Central state: all observations.
 */
import type { z } from 'zod';
import type { HumanAxis, Preset, Source } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { defineEnv } from '../../api/define.ts';
import { Draws } from '../../api/draws.ts';
import { assemble } from '../../api/environment.ts';
import { maxStepsField } from '../../api/limits.ts';
import { offerOf } from '../../api/offer.ts';
import { allocateRows, defineState } from '../../api/state.ts';
import type { AgentGroup, EnvEntry, EnvMeta, Offer, ScriptedPolicy, StateSpec } from '../../api/types.ts';
import { frameWriter, layoutOf } from './look.ts';
import type { Scene } from './scene.ts';
import { createWorld } from './world.ts';

interface Limits {
  readonly maxSteps: number;
}

export interface VmasDef<C extends Limits> extends Offer {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly config: z.ZodType<C>;
  readonly presets: readonly Preset[];
  scene(c: C): Scene;
  readonly policies?: { readonly [name: string]: (c: C) => ScriptedPolicy };
}

const VMAS: Source = {
  title: 'VMAS: a vectorized multi-agent simulator for collective robot learning',
  authors: 'Bettini et al.',
  year: 2022,
  url: 'https://arxiv.org/abs/2207.03530',
};

const AXES: readonly HumanAxis[] = [
  { name: 'left and right', component: 0, less: ['ArrowLeft', 'a'], more: ['ArrowRight', 'd'], low: -1, high: 1, rest: 0, stick: 'leftX' },
  { name: 'down and up', component: 1, less: ['ArrowDown', 's'], more: ['ArrowUp', 'w'], low: -1, high: 1, rest: 0, stick: 'leftY' },
];

/** The step limit that benchmarks of these scenarios use. */
export function limitField(standard: number) {
  return maxStepsField(standard, 'BenchMARL', [20, 2000]);
}

function stateOf(scene: Scene): StateSpec {
  const A = scene.agents.length;
  const L = scene.landmarks.length;
  return defineState(
    1,
    [
      { name: 'agentPos', type: 'f64', shape: [A, 2], unit: 'm', doc: 'place of each agent' },
      { name: 'agentVel', type: 'f64', shape: [A, 2], unit: 'm/s', doc: 'velocity of each agent' },
      { name: 'landmarkPos', type: 'f64', shape: [L, 2], unit: 'm', doc: 'place of each landmark' },
      { name: 'landmarkVel', type: 'f64', shape: [L, 2], unit: 'm/s', doc: 'velocity of each landmark' },
      { name: 'landmarkRot', type: 'f64', shape: [L], unit: 'rad', doc: 'angle of each landmark' },
      { name: 'landmarkAngVel', type: 'f64', shape: [L], unit: 'rad/s', doc: 'how fast each landmark turns' },
      ...(scene.flags === null ? [] : [{ name: scene.flags, type: 'u32', shape: [L], doc: 'whether each landmark is done with' } as const]),
      { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
    ],
    ['landmarkVel', 'landmarkRot', 'landmarkAngVel', ...(scene.flags === null ? [] : [scene.flags])],
  );
}

export function defineVmas<C extends Limits>(def: VmasDef<C>): EnvEntry {
  const metaOf = (c: C, scene: Scene): EnvMeta => {
    const acting = scene.agents.slice(scene.scripted);
    const group: AgentGroup = {
      count: acting.length,
      names: acting.map((a) => a.name),
      obs: { kind: 'box', shape: [scene.sees.length], low: -1e6, high: 1e6, labels: scene.sees },
      action: { kind: 'box', size: 2, low: [-1, -1], high: [1, 1], labels: ['force x', 'force y'] },
    };
    return {
      id: def.id,
      version: 1,
      agents: [group],
      agentCount: acting.length,
      obsSize: scene.sees.length,
      actionSize: 2,
      actionCount: 0,
      rewards: ['reward'],
      costs: [],
      globalSize: acting.length * scene.sees.length,
      masked: false,
      score: scene.shared ? 'shared' : 'mean',
      gamma: 0.99,
      maxSteps: c.maxSteps,
      evalMaxSteps: c.maxSteps,
      state: stateOf(scene),
      frame: layoutOf(scene),
      references: scene.references,
      keys: [],
      axes: AXES,
      idleAction: null,
      fps: 10,
    };
  };

  return defineEnv<C>({
    spec: {
      id: def.id,
      version: 1,
      title: def.title,
      summary: def.summary,
      source: VMAS,
      config: def.config,
      presets: def.presets,
      ...offerOf(def),
      meta: (c) => metaOf(c, def.scene(c)),
    },
    create(c, batch, options) {
      let scene = def.scene(c);
      const m = metaOf(c, scene);
      const rows = allocateRows(m.state, batch);
      const { floats, words, floatStride, wordStride } = rows;
      const draws = new Draws(rows.rng, options?.draws);
      const A = m.agentCount;
      const O = m.obsSize;
      const first = scene.scripted;
      let move = createWorld(scene);
      const drive = new Float64Array(2 * scene.agents.length);
      const memo = new Float64Array(A);
      const paint = frameWriter(scene);
      const STEPS = rows.offset('steps');
      let drawing = 0; // row that draws
      const u = () => draws.uniform(drawing, 'place');
      const push = (action: number) => scene.multiplier * Math.min(1, Math.max(-1, action));

      return assemble(m, batch, rows, {
        start(row) {
          floats.fill(0, row * floatStride, (row + 1) * floatStride);
          words.fill(0, row * wordStride, row * wordStride + STEPS + 1);
          drawing = row;
          scene.start(floats, row * floatStride, u);
        },
        step(actions, out) {
          for (let row = 0; row < batch; row++) {
            const s = row * floatStride;
            const w = row * wordStride;
            const steps = words[w + STEPS]!;
            scene.script?.(drive, steps);
            for (let k = 0; k < 2 * A; k++) drive[2 * first + k] = push(actions[row * 2 * A + k]!);
            scene.before?.(floats, s, memo);
            move(floats, s, drive);
            words[w + STEPS] = steps + 1;
            drawing = row;
            const done = scene.reward(floats, s, words, w, memo, out.reward, row * A, u);
            out.terminated[row] = done ? 1 : 0;
            out.truncated[row] = !done && steps + 1 >= c.maxSteps ? 1 : 0;
            scene.observe(floats, s, words, w, out.obs, row * A * O);
          }
          out.state?.set(out.obs);
        },
        observe(row, out) {
          out.alive?.fill(1, row * A, (row + 1) * A);
          const from = row * A * O;
          scene.observe(floats, row * floatStride, words, row * wordStride, out.obs, from);
          if (out.state) for (let k = from; k < from + A * O; k++) out.state[k] = out.obs[k]!;
        },
        configure(next) {
          scene = def.scene(next as never as C);
          move = createWorld(scene);
        },
        frame(row, out) {
          paint(floats, row * floatStride, words, row * wordStride, out);
        },
      });
    },
    ...(def.policies && { policies: def.policies }),
    golden: {
      fromJson(json, c) {
        const { landmarkNames: _, ...state } = json as JsonObject; // for people
        return stateOf(def.scene(c)).fromJSON(state);
      },
    },
  });
}
