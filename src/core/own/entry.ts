/**
 * An environment of the workbench, made of a world in the simple form: the form's functions know one copy and one step; batches, state bytes,
 * step limit and the picture stand here, checks of what they give in rules.ts. Auto-reset is the vector wrapper's, as everywhere.
 * An error that a function of the form throws becomes LabError('world-invalid') naming the function and the line.
 */

import { Rng } from '#math/rng.ts';
import { std } from '#math/stats.ts';
import { defineEnv } from '../envs/api/define.ts';
import { assemble } from '../envs/api/environment.ts';
import { allocateRows, defineState } from '../envs/api/state.ts';
import type { Actions, EnvEntry, Environment, EnvMeta, StepBuffers } from '../envs/api/types.ts';
import { remembered } from '../envs/lib/remembered.ts';
import { type Call, callerOf, type LineOf } from './call.ts';
import { drawingOf, drawnBy, readView } from './drawing.ts';
import { readForm, type Settings, show, type WorldForm, type WorldState, wrong } from './form.ts';
import type { Drawing, Item } from './items.ts';
import { WorldRandom } from './random.ts';
import { barsView, type Chosen, type Rules, randomChoice, rulesOf } from './rules.ts';
import { configOf } from './settings.ts';
import { readActions, readKeys, readObservation } from './spaces.ts';
import { type StateShape, shapeOf } from './state.ts';
import { alone, readRewards, readScore, readTeam, type Team } from './team.ts';

/** Steps of random play that show how large pictures get. */
const SAMPLED = 200;
/** Field of the state bytes that holds the clock of the step limit. */
const CLOCK = 'clock of the step limit';

/** Steps of a world whose results are looked at for members that nothing reads. */
const LOOKED = 400;
/** A member of what `step` gave that nothing reads, `done` for instance, as a world says once it was played; null: there was none. */
export const strayOf = new WeakMap<Environment, () => string | null>();

/** All that follows from the settings. */
interface World {
  readonly team: Team;
  readonly rules: Rules;
  readonly shape: StateShape;
  readonly meta: EnvMeta;
  readonly drawing: Drawing;
}

/**
 * `given`: what defineEnv was called with; `id`: the name the environment gets, one for each code. Throws LabError('world-invalid'), here
 * for what the form says and later for what its functions do.
 */
export function worldEntry(given: unknown, id: string, lineOf: LineOf = () => null): EnvEntry {
  const call = callerOf(lineOf);
  const form = readForm(given);
  const config = configOf(form);
  const worldOf = remembered((settings: Settings): World => makeWorld(form, id, Object.freeze({ ...settings }), call), 51);
  worldOf(config.parse({})); // what is wrong with the default settings is said at once
  return defineEnv<Settings>({
    spec: {
      id,
      version: 1,
      title: form.title,
      summary: form.about ?? form.title,
      source: { title: form.title, authors: 'own world', year: 2026 },
      config,
      presets: [{ id: 'standard', title: 'as written', config: {} }],
      meta: (settings) => worldOf(settings).meta,
      ...(form.learn !== undefined && {
        recommended: { algo: form.learn.method, steps: form.learn.steps, config: { ...form.learn.settings } },
      }),
    },
    create: (settings, batch) => createWorld(worldOf(settings), batch),
  });
}

function makeWorld(form: WorldForm, id: string, settings: Settings, call: Call): World {
  const evaluate = (name: string, value: unknown): unknown =>
    typeof value === 'function' ? call(name, (): unknown => Reflect.apply(value, undefined, [settings])) : value;
  const usual = {
    obs: readObservation(evaluate('observation', form.observation)),
    action: readActions(evaluate('actions', form.actions)),
  };
  const team = form.agents === undefined ? alone(form.agent ?? 'agent', usual) : readTeam(evaluate('agents', form.agents), usual, evaluate);
  const rewards = readRewards(form.rewards, team.names.length);
  if (form.legal !== undefined && team.actionCount === 0) throw wrong('legal', '"legal" is for actions to choose among.', 'Leave it out.');
  const rules = rulesOf({ form, settings, team, rewards, call });
  const shape = shapeOf(rules.reset(new WorldRandom(Rng.from(0))));
  const state = defineState(1, [...shape.fields, { name: CLOCK, type: 'u32', shape: [], doc: 'steps done in this episode' }], [CLOCK]);
  const maxSteps = Number(settings.maxSteps);
  const view = form.view === undefined ? null : readView(evaluate('view', form.view));
  const gamma = form.gamma ?? 0.99;
  const { pictures, returnSpread } = sampled(rules, team, gamma);
  const drawing = drawingOf(view ?? barsView(team.obs[0]!), pictures);
  const meta: EnvMeta = {
    id,
    version: 1,
    agents: team.groups,
    agentCount: team.names.length,
    obsSize: team.obsSize,
    actionSize: team.actionSize,
    actionCount: team.actionCount,
    rewards,
    costs: [],
    globalSize: 0,
    masked: form.legal !== undefined,
    score: readScore(form.score, team),
    gamma,
    returnSpread,
    maxSteps,
    evalMaxSteps: maxSteps,
    state,
    frame: drawing.layout,
    references: [],
    ...readKeys(form, team.action[0]!),
    fps: form.fps ?? 8,
  };
  return { team, rules, shape, meta, drawing };
}

/** 200 steps of random play: their pictures, and how far the return (the first reward of the first agent) spreads. */
function sampled(
  rules: Rules,
  team: Team,
  gamma: number,
): { readonly pictures: readonly (readonly Item[])[]; readonly returnSpread: number } {
  const rng = Rng.from(1);
  const random = new WorldRandom(rng.split('world'));
  const pictures: (readonly Item[])[] = [];
  let state = rules.reset(random);
  const returns: number[] = [];
  let running = 0;
  for (let t = 0; t < SAMPLED; t++) {
    pictures.push(rules.draw(state));
    const chosen = team.action.map((space, agent) => randomChoice(space, rules.legal(state, agent), rng));
    const { rewards, ended } = rules.step(state, chosen, random);
    running = gamma * running + rewards[0]!;
    returns.push(running);
    if (!ended) continue;
    running = 0;
    state = rules.reset(random);
  }
  return { pictures, returnSpread: std(returns) };
}

function createWorld({ team, rules, shape, meta, drawing }: World, batch: number): Environment {
  const rows = allocateRows(meta.state, batch);
  const { floats, floatStride, words, wordStride } = rows;
  const clock = rows.offset(CLOCK);
  const { maxSteps, agentCount: agents, obsSize: width, actionSize, actionCount } = meta;
  const randoms = rows.rng.map((rng) => new WorldRandom(rng));
  const states: WorldState[] = randoms.map(() => ({}));
  const paidWidth = agents * meta.rewards.length;

  /** Continuous actions are cut to their range. */
  const chosen = (actions: Actions, row: number): readonly Chosen[] =>
    team.action.map((space, agent) => {
      const at = (row * agents + agent) * actionSize;
      if (space.kind === 'discrete') return actions[at]!;
      return space.low.map((low, i) => Math.min(space.high[i]!, Math.max(low, actions[at + i]!)));
    });
  const observe = (row: number, out: StepBuffers): void => {
    const state = states[row]!;
    for (let agent = 0; agent < agents; agent++) {
      const slot = row * agents + agent;
      const seen = rules.observe(state, agent);
      const at = slot * width;
      for (let i = 0; i < seen.length; i++) {
        const x: unknown = seen[i];
        if (typeof x !== 'number') throw wrong('observe', `Number ${i + 1} that observe gives is ${show(x)}.`, 'Return a list of numbers.');
        out.obs[at + i] = x;
      }
      if (out.alive !== undefined) out.alive[slot] = rules.alive(state, agent) ? 1 : 0;
      if (out.mask === undefined) continue;
      const legal = rules.legal(state, agent) ?? [];
      for (let a = 0; a < legal.length; a++) out.mask[slot * actionCount + a] = legal[a] === true ? 1 : 0;
    }
  };

  const drawn = (row: number): readonly Item[] => rules.draw(states[row]!);
  let looked = 0;
  let stray: string | null = null;
  const look = (result: object): void => {
    if (looked < LOOKED) stray ??= Object.keys(result).find((key) => key !== 'reward' && key !== 'ended') ?? null;
    looked++;
  };

  const env = assemble(meta, batch, rows, {
    start(row) {
      states[row] = rules.reset(randoms[row]!);
      words[row * wordStride + clock] = 0;
    },
    step(actions, out) {
      for (let row = 0; row < batch; row++) {
        const { rewards, ended } = rules.step(states[row]!, chosen(actions, row), randoms[row]!, look);
        const at = row * wordStride + clock;
        const steps = words[at]! + 1;
        words[at] = steps;
        for (let i = 0; i < paidWidth; i++) out.reward[row * paidWidth + i] = rewards[i]!;
        out.terminated[row] = ended ? 1 : 0;
        out.truncated[row] = !ended && steps >= maxSteps ? 1 : 0;
        observe(row, out);
      }
    },
    observe,
    loaded(row) {
      states[row] = shape.read(floats, row * floatStride);
    },
    frame: (row, out) => void drawing.write(drawn(row), out),
  });
  const world: Environment = {
    ...env,
    save(row) {
      shape.write(states[row], floats, row * floatStride, words[row * wordStride + clock] === 0 ? 'reset' : 'step');
      return env.save(row);
    },
  };
  strayOf.set(world, () => stray);
  drawnBy.set(world, (row) => ({ items: drawn(row), drawing }));
  return world;
}
