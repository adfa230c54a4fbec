/**
 * Makes a registry entry of a particle scenario: spaces, state, start, step, frame and golden hooks are the same for all of them;
 * a scenario adds its agents, rewards and observations. State of a row: agentPos, agentVel, landmarkPos, message (float64),
 * then what is drawn at the start (goal, key), steps. Truncates at `maxCycles`, never terminates. Narrower agents' unused numbers
 * are zeros, their missing actions masked. Central state: all observations in a row.
 */
import type { z } from 'zod';
import type { HumanAxis, Preset, Source } from '#contract/catalog/catalog.ts';
import type { ActionSpace } from '#contract/game/spaces.ts';
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { VersionChange } from '#contract/run/versions.ts';
import { defineEnv } from '../../api/define.ts';
import { Draws } from '../../api/draws.ts';
import { assemble } from '../../api/environment.ts';
import { offerOf } from '../../api/offer.ts';
import { allocateRows, defineState, nest } from '../../api/state.ts';
import { createTerms } from '../../api/terms.ts';
import type { AgentGroup, EnvDef, EnvEntry, EnvMeta, Offer, ScriptedPolicy, StateSpec } from '../../api/types.ts';
import { MPE_SOURCE, type Shared, STANDARD_PHYSICS } from './config.ts';
import { frameWriter, layoutOf } from './look.ts';
import { type AgentPlan, type Plan, symbolName } from './plan.ts';
import { MOVES, moveAll, type World } from './world.ts';

export interface ScenarioDef<C extends Shared> extends Offer {
  readonly id: string;
  /** 1 without it. */
  readonly version?: number;
  readonly changes?: readonly VersionChange[];
  readonly title: string;
  readonly summary: string;
  readonly source?: Source;
  readonly config: z.ZodType<C>;
  readonly presets: readonly Preset[];
  plan(c: C): Plan;
  readonly checks?: EnvDef<C>['checks'];
  readonly policies?: { readonly [name: string]: (c: C) => ScriptedPolicy };
}

const MOVE_LABELS = ['none', 'left', 'right', 'down', 'up'];
const MOVE_KEYS = [['.'], ['ArrowLeft', 'a'], ['ArrowRight', 'd'], ['ArrowDown', 's'], ['ArrowUp', 'w']];

function actionSpace(agent: AgentPlan, symbols: number, continuous: boolean): ActionSpace {
  const says = agent.speaks ? Array.from({ length: symbols }, (_, k) => `say ${symbolName(k)}`) : [];
  if (continuous) {
    const labels = [...(agent.moves ? ['unused', ...MOVE_LABELS.slice(1)] : []), ...says];
    return { kind: 'box', size: labels.length, low: labels.map(() => 0), high: labels.map(() => 1), labels };
  }
  const moves = agent.moves ? MOVE_LABELS : [];
  const labels = says.length === 0 ? moves : moves.length === 0 ? says : says.flatMap((say) => moves.map((move) => `${move}, ${say}`));
  return { kind: 'discrete', n: labels.length, labels };
}

/** Continuous moves of the first agent: one key each, from 0 to a full action. */
function axesOf(agent: AgentPlan): readonly HumanAxis[] {
  if (!agent.moves) return [];
  return MOVE_LABELS.slice(1).map((name, k) => ({ name, component: k + 1, less: [], more: MOVE_KEYS[k + 1]!, low: 0, high: 1, rest: 0 }));
}

/** Keys of the first agent: moves without speech, and digits that speak. */
function keysOf(agent: AgentPlan, symbols: number): EnvMeta['keys'] {
  const digit = (k: number) => [String((k + 1) % 10)];
  if (!agent.speaks) return MOVE_KEYS;
  if (!agent.moves) return Array.from({ length: symbols }, (_, k) => digit(k));
  return Array.from({ length: MOVES * symbols }, (_, a) => {
    if (a < MOVES) return MOVE_KEYS[a]!;
    return a % MOVES === 0 ? digit(a / MOVES) : [];
  });
}

function groupsOf(plan: Plan, continuous: boolean): AgentGroup[] {
  const out: { group: string; names: string[]; agent: AgentPlan }[] = [];
  for (const agent of plan.agents) {
    const last = out.at(-1);
    if (last?.group === agent.group) last.names.push(agent.name);
    else out.push({ group: agent.group, names: [agent.name], agent });
  }
  return out.map(({ names, agent }) => ({
    count: names.length,
    names,
    obs: {
      kind: 'box',
      shape: [agent.sees.length],
      low: -1e6,
      high: 1e6,
      labels: agent.sees,
      ...(agent.entities && { entities: agent.entities }),
    },
    action: actionSpace(agent, plan.symbols, continuous),
  }));
}

function stateOf(plan: Plan): StateSpec {
  const A = plan.agents.length;
  return defineState(
    1,
    [
      { name: 'agentPos', type: 'f64', shape: [A, 2], unit: 'm', doc: 'place of each agent' },
      { name: 'agentVel', type: 'f64', shape: [A, 2], unit: 'm/s', doc: 'velocity of each agent' },
      { name: 'landmarkPos', type: 'f64', shape: [plan.landmarks.length, 2], unit: 'm', doc: 'place of each landmark' },
      ...(plan.symbols > 0
        ? [{ name: 'message', type: 'f64', shape: [A, plan.symbols], doc: 'message of each agent in the last step' } as const]
        : []),
      ...plan.picks.map(({ name, count, doc }) => ({ name, type: 'u32', shape: count === 0 ? [] : [count], doc }) as const),
      { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
    ],
    ['message'],
  );
}

function worldOf(plan: Plan, c: Shared): World {
  const { agents, landmarks } = plan;
  const A = agents.length;
  const bodies = [...agents, ...landmarks];
  const how = { ...STANDARD_PHYSICS, ...c };
  const pairs: number[] = [];
  const touch: number[] = [];
  const offset = (i: number) => (i < A ? 2 * i : 4 * A + 2 * (i - A));
  const pushed = (i: number) => (agents[i]?.moves ? 2 * i : -1);
  bodies.forEach((a, i) => {
    bodies.forEach((b, j) => {
      if (j <= i || !a.collides || !b.collides || (pushed(i) < 0 && pushed(j) < 0)) return;
      pairs.push(offset(i), offset(j), pushed(i), pushed(j));
      touch.push(a.size + b.size);
    });
  });
  return {
    agents: A,
    landmarks: landmarks.length,
    dt: how.dt,
    keep: 1 - how.damping,
    contactForce: how.contactForce,
    contactMargin: how.contactMargin,
    scale: Float64Array.from(agents, (a) => a.force),
    mass: Float64Array.from(agents, (a) => a.mass),
    topSpeed: Float64Array.from(agents, (a) => a.topSpeed ?? Number.POSITIVE_INFINITY),
    movable: Uint8Array.from(agents, (a) => (a.moves ? 1 : 0)),
    speaks: Uint8Array.from(agents, (a) => (a.speaks ? 1 : 0)),
    symbols: plan.symbols,
    pairs: Int32Array.from(pairs),
    touch: Float64Array.from(touch),
    force: new Float64Array(2 * A),
  };
}

export function defineScenario<C extends Shared>(def: ScenarioDef<C>): EnvEntry {
  const meta = (c: C): EnvMeta => {
    const plan = def.plan(c);
    const agents = groupsOf(plan, c.continuousActions);
    const size = (space: ActionSpace) => (space.kind === 'discrete' ? space.n : space.size);
    const widest = Math.max(...agents.map((g) => size(g.action)));
    const first = plan.agents[0]!;
    return {
      id: def.id,
      version: def.version ?? 1,
      agents,
      agentCount: plan.agents.length,
      obsSize: Math.max(...plan.agents.map((a) => a.sees.length)),
      actionSize: c.continuousActions ? widest : 1,
      actionCount: c.continuousActions ? 0 : widest,
      rewards: ['reward'],
      ...(plan.terms !== undefined && { terms: plan.terms.cards }),
      costs: [],
      globalSize: plan.agents.reduce((sum, a) => sum + a.sees.length, 0),
      masked: !c.continuousActions && agents.some((g) => size(g.action) < widest),
      score: plan.score,
      gamma: 0.99,
      maxSteps: c.maxCycles,
      evalMaxSteps: c.maxCycles,
      state: stateOf(plan),
      frame: layoutOf(plan),
      references: plan.references,
      keys: c.continuousActions ? [] : keysOf(first, plan.symbols),
      ...(c.continuousActions && { axes: axesOf(first) }),
      idleAction: 0,
      fps: 10,
    };
  };

  const create: EnvDef<C>['create'] = (c, batch, options) => {
    const m = meta(c);
    let plan = def.plan(c);
    let world = worldOf(plan, c);
    const rows = allocateRows(m.state, batch);
    const { floats, words, floatStride, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const A = plan.agents.length;
    const L = plan.landmarks.length;
    const O = m.obsSize;
    const D = m.actionSize;
    const STEPS = rows.offset('steps');
    const picks = plan.picks.flatMap((p) => Array.from({ length: Math.max(1, p.count) }, () => p));
    const widths = Int32Array.from(plan.agents, (a) => a.sees.length);
    const { kept, terms } = createTerms(batch, plan.terms?.cards.length ?? 0);
    const paint = frameWriter(plan);
    const legal = plan.agents.map((a) => {
      const space = actionSpace(a, plan.symbols, c.continuousActions);
      return space.kind === 'discrete' ? space.n : 0;
    });

    const even = plan.agents.every((a) => a.sees.length === O);
    /** The central state: what all agents see, one after the other. */
    const gather = (row: number, obs: Float32Array, state: Float32Array) => {
      let to = row * m.globalSize;
      for (let i = 0; i < A; i++) {
        const at = (row * A + i) * O;
        const end = at + widths[i]!;
        for (let k = at; k < end; k++) state[to++] = obs[k]!;
      }
    };

    return assemble(m, batch, rows, {
      start(row) {
        const s = row * floatStride;
        floats.fill(0, s, s + floatStride);
        const u = () => draws.uniform(row, 'place');
        for (let k = 0; k < 2 * A; k++) floats[s + k] = 2 * u() - 1;
        if (plan.place !== undefined) plan.place(floats, s + 4 * A, u);
        else for (let k = 0; k < 2 * L; k++) floats[s + 4 * A + k] = plan.spread * (2 * u() - 1);
        picks.forEach((pick, k) => {
          words[row * wordStride + k] = draws.int(row, pick.n, pick.name);
        });
        words[row * wordStride + STEPS] = 0;
      },
      step(actions, out) {
        moveAll(world, batch, floats, floatStride, actions, D, c.continuousActions);
        for (let row = 0; row < batch; row++) {
          const w = row * wordStride;
          plan.reward(floats, row * floatStride, words, w, out.reward, row * A);
          if (plan.terms !== undefined) kept.set(plan.terms.added, row * plan.terms.added.length);
          const steps = words[w + STEPS]! + 1;
          words[w + STEPS] = steps;
          out.terminated[row] = 0;
          out.truncated[row] = steps >= c.maxCycles ? 1 : 0;
          plan.observe(floats, row * floatStride, words, w, out.obs, row * A * O, O);
        }
        if (out.state === undefined) return;
        if (even) out.state.set(out.obs);
        else for (let row = 0; row < batch; row++) gather(row, out.obs, out.state);
      },
      observe(row, out) {
        out.alive?.fill(1, row * A, (row + 1) * A);
        if (out.mask) {
          const N = m.actionCount;
          for (let i = 0; i < A; i++) for (let a = 0; a < N; a++) out.mask[(row * A + i) * N + a] = a < legal[i]! ? 1 : 0;
        }
        plan.observe(floats, row * floatStride, words, row * wordStride, out.obs, row * A * O, O);
        if (out.state) gather(row, out.obs, out.state);
      },
      loaded(row) {
        picks.forEach((pick, k) => {
          if (words[row * wordStride + k]! < pick.n) return;
          throw fail(
            'state-invalid',
            `State field "${pick.name}" is ${words[row * wordStride + k]}.`,
            `Allowed: 0 to ${pick.n - 1}.`,
            pick.name,
          );
        });
      },
      ...(plan.agents.some((a) => a.moves) && {
        configure(next) {
          plan = def.plan(next as never);
          world = worldOf(plan, next as never);
        },
      }),
      ...(plan.terms !== undefined && { terms }),
      frame(row, out) {
        paint(floats, row * floatStride, words, row * wordStride, out);
      },
      extras(row): JsonObject {
        if (plan.symbols === 0) return {};
        const from = row * floatStride + 4 * A + 2 * L;
        return { message: nest(Array.from(floats.subarray(from, from + A * plan.symbols)), [A, plan.symbols]) };
      },
    });
  };

  return defineEnv<C>({
    spec: {
      id: def.id,
      version: def.version ?? 1,
      changes: def.changes ?? [],
      title: def.title,
      summary: def.summary,
      source: def.source ?? MPE_SOURCE,
      config: def.config,
      presets: def.presets,
      ...offerOf(def),
      meta,
    },
    create,
    ...(def.checks && { checks: def.checks }),
    ...(def.policies && { policies: def.policies }),
  });
}
