/** Golden cases of Safety-Gymnasium: rules, draws and states as its files list them. */
import { fail } from '#contract/kit/errors.ts';
import { isObject, type Json, type JsonObject } from '#contract/kit/json.ts';
import { atan2 } from '#math/functions.ts';
import type { DrawSource } from '../../../api/types.ts';
import { addToLidar, compass, hazardCost, LIDAR } from '../../../lib/safety/sensing.ts';
import { drawLayout, observationOf, type SafetyTask, type SafetyWorld, safetyWorld } from '../../../lib/safety/world.ts';
import { OWN, type SafetyModel, SENSED } from './model.ts';
import { BEGIN } from './play.ts';

const wrong = (what: string) => fail('file-invalid', `Golden check of a safety world: ${what}.`, 'Compare the case with its description.');

function numbers(value: Json | undefined, name: string): readonly number[] {
  if (!Array.isArray(value)) throw wrong(`"${name}" is no list`);
  return value.flat().map(Number);
}

const at = (list: readonly number[], i: number): number => list[i] ?? Number.NaN;

const lidarCheck = (_: unknown, inputs: JsonObject): Json => {
  const { agentPos, agentMat, positions, bins = LIDAR.bins, maxDist = LIDAR.maxDist, expGain = LIDAR.gain, alias = LIDAR.alias } = inputs;
  const [from, turn, places] = [numbers(agentPos, 'agentPos'), numbers(agentMat, 'agentMat'), numbers(positions, 'positions')];
  const how = { bins: Number(bins), maxDist: maxDist === null ? null : Number(maxDist), gain: Number(expGain), alias: alias === true };
  const lidar = new Array<number>(how.bins).fill(0);
  for (let i = 0; i < places.length; i += 2) addToLidar(how, from, 0, turn, 0, at(places, i), at(places, i + 1), lidar, 0);
  return { lidar };
};

const layoutCheck = (_: unknown, { extents, objects, draws }: JsonObject): Json => {
  const list = Array.isArray(objects) ? objects.filter(isObject) : [];
  const us = numbers(draws, 'draws');
  let used = 0;
  const out: number[] = [];
  const found = drawLayout(
    numbers(extents, 'extents'),
    list.map(({ keepout }) => Number(keepout)),
    () => {
      if (used >= us.length) throw wrong('there are too few draws');
      return at(us, used++);
    },
    out,
    0,
  );
  if (!found) throw wrong('no layout was found');
  return { layout: Object.fromEntries(list.map(({ name }, i) => [String(name), [at(out, 2 * i), at(out, 2 * i + 1)]])), drawsUsed: used };
};

export const safetyChecks: { readonly [check: string]: (config: unknown, inputs: JsonObject) => Json } = {
  'pseudo-lidar': lidarCheck,
  compass: (_, { agentPos, agentMat, position }) => ({
    compass: [...compass(numbers(agentPos, 'agentPos'), numbers(agentMat, 'agentMat'), numbers(position, 'position'))],
  }),
  'hazard-cost': (_, { agent, hazards, size }) => {
    const [places, me] = [numbers(hazards, 'hazards'), numbers(agent, 'agent')];
    const sum = hazardCost(at(me, 0), at(me, 1), places, 0, places.length / 2, Number(size));
    return { sum, cost: sum > 0 ? 1 : 0 };
  },
  layout: layoutCheck,
  'safety-world': (_, { agent, task, level }) => {
    const world = safetyWorld({ agent, task, level } as SafetyTask);
    const observation = observationOf(world);
    return {
      extents: [-world.half, -world.half, world.half, world.half],
      names: [...world.names],
      keepout: [...world.keepouts],
      observation: observation.map((part) => [...part]),
      size: observation.reduce((sum, [, length]) => sum + length, 0),
    };
  },
};

/** Draws { goal: [u, ...], goalButton: [k, ...] }, each list in its order; one that is missing throws. */
export function safetyDraws({ goal, goalButton }: JsonObject): DrawSource {
  const [us, ks] = [Array.isArray(goal) ? numbers(goal, 'goal') : [], Array.isArray(goalButton) ? numbers(goalButton, 'goalButton') : []];
  let [u, k] = [0, 0];
  const next = (list: readonly number[], i: number, name: string): number => {
    if (i >= list.length) throw wrong(`draw ${i} of ${name} is missing`);
    return at(list, i);
  };
  return {
    uniform: (_, name) => (name === 'goal' ? next(us, u++, name) : undefined),
    int: (_, n, name) => {
      if (name !== 'goalButton') return undefined;
      const button = next(ks, k++, name);
      if (!Number.isInteger(button) || button < 0 || button >= n) throw wrong(`there is no button ${button}`);
      return button;
    },
  };
}

/** Places and angles as golden files list them; the physics begins when the state is loaded. */
export function safetyFromJson(json: JsonObject, world: SafetyWorld, model: SafetyModel): JsonObject {
  const { layout, agentRot, objectRots, goalButton = 0, timer = 0 } = json;
  if (!isObject(layout)) return json;
  const angles = world.names.map((_, i) => (i === 0 ? Number(agentRot ?? 0) : 0));
  let from = 1;
  for (const { kind, count } of world.groups) {
    const given = isObject(objectRots) ? objectRots[kind] : undefined;
    if (Array.isArray(given)) for (const [i, angle] of numbers(given, kind).entries()) angles[from + i] = angle;
    from += count;
  }
  const zeros = (count: number): Json => new Array<number>(count).fill(0);
  return {
    qpos: zeros(model.nq),
    qvel: zeros(model.nv),
    warmstart: zeros(model.nv),
    ctrl: [0, 0],
    layout: world.names.map((name) => [...numbers(layout[name], name)]),
    angles,
    sensed: zeros(SENSED[world.agent] + 15),
    distances: [0, 0],
    time: BEGIN,
    cost: 0,
    reached: 0,
    button: goalButton,
    timer,
    steps: 0,
  };
}

/** What golden files list of a state, beside the state itself. */
export function safetyToJson(json: JsonObject, world: SafetyWorld, model: SafetyModel): JsonObject {
  const sensed = numbers(json.sensed, 'sensed').slice(SENSED[world.agent]);
  const [qpos, layout] = [numbers(json.qpos, 'qpos'), numbers(json.layout, 'layout')];
  const [own] = OWN[world.agent];
  const of = (kind: string): Json[] =>
    model.free.flatMap((one, i) => (one.kind === kind ? [qpos.slice(own + 7 * i, own + 7 * i + 3)] : []));
  const turn = sensed.slice(3, 12);
  const goal = 2 * world.names.indexOf('goal');
  return {
    ...json,
    agentPos: sensed.slice(0, 3),
    agentMat: [turn.slice(0, 3), turn.slice(3, 6), turn.slice(6, 9)],
    agentVel: sensed.slice(12, 15),
    angle: atan2(at(turn, 3), at(turn, 0)),
    angularVelocity: at(numbers(json.qvel, 'qvel'), 2),
    goal: layout.slice(goal, goal + 2),
    goalButton: json.button ?? 0,
    vases: of('vases'),
    gremlins: of('gremlins'),
    box: of('push_box')[0] ?? null,
  };
}
