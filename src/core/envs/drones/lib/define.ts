/** Makes an environment of a flight and a task: spaces, state, layout, golden conversions. */
import type { z } from 'zod';
import type { Preset, ReferenceReturn, Source } from '#contract/catalog/catalog.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { defineEnv } from '../../api/define.ts';
import { offerOf } from '../../api/offer.ts';
import type { EnvDef, EnvEntry, EnvMeta, Offer, Score, ScriptedPolicy } from '../../api/types.ts';
import { actionNumbers, actionSpace, humanAxes } from '../../lib/drones/actions.ts';
import { craftOf, type FlightConfig, fromGoldenConfig } from '../../lib/drones/config.ts';
import type { Task } from '../../lib/drones/task.ts';
import { createFlight, ownNumbers } from './flight.ts';
import { flightLayout } from './frame.ts';
import { bodyOf, flightState, goldenDrone } from './state.ts';

export const GYM_DRONES: Source = {
  title: 'Learning to fly: a gym environment with PyBullet physics for reinforcement learning of multi-agent quadcopter control',
  authors: 'Panerati et al.',
  year: 2021,
  url: 'https://arxiv.org/abs/2103.02142',
};

export interface FlightDef<C extends FlightConfig> extends Offer {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly source: Source;
  readonly config: z.ZodType<C>;
  readonly presets: readonly Preset[];
  /** Actions kept in the observation; -1: the 20 numbers of the state and no actions. */
  memory(c: C): number;
  task(c: C): Task;
  maxSteps(c: C): number; // 0: no limit
  readonly score: Score;
  references(c: C): readonly ReferenceReturn[];
  readonly policies?: { readonly [name: string]: (config: C) => ScriptedPolicy };
  readonly checks?: EnvDef<C>['checks'];
  readonly controller?: (controller: JsonObject, config: C) => ScriptedPolicy;
}

const OWN = ['x', 'y', 'z', 'roll', 'pitch', 'yaw', 'vx', 'vy', 'vz', 'rate x', 'rate y', 'rate z'];
const STATE = [...OWN.slice(0, 3), 'qx', 'qy', 'qz', 'qw', ...OWN.slice(3), 'rpm 1', 'rpm 2', 'rpm 3', 'rpm 4'];
const WIDE = 1e5; // beyond what a flight can reach before it is over

export function defineFlight<C extends FlightConfig>(def: FlightDef<C>): EnvEntry {
  const meta = (c: C): EnvMeta => {
    const task = def.task(c);
    const memory = def.memory(c);
    const { frame } = craftOf(c);
    const action = actionSpace(c.actionType, frame);
    const pastLabels = Array.from({ length: Math.max(0, memory) }, (_, i) => action.labels.map((l) => `${l}, ${memory - i} ago`)).flat();
    const labels = [...(memory < 0 ? STATE : [...OWN, ...pastLabels]), ...task.labels];
    const width = ownNumbers(c, memory) + task.labels.length;
    const maxSteps = def.maxSteps(c);
    return {
      id: def.id,
      version: 2,
      agents: [
        {
          count: c.drones,
          names: Array.from({ length: c.drones }, (_, k) => (c.drones === 1 ? 'drone' : `drone ${k + 1}`)),
          obs: { kind: 'box', shape: [width], low: -WIDE, high: WIDE, labels },
          action,
        },
      ],
      agentCount: c.drones,
      obsSize: width,
      actionSize: actionNumbers(c.actionType),
      actionCount: 0,
      rewards: ['reward'],
      costs: [],
      globalSize: c.drones > 1 ? c.drones * width : 0,
      masked: false,
      score: c.drones > 1 ? def.score : 'mean',
      gamma: 0.99,
      maxSteps,
      evalMaxSteps: maxSteps > 0 ? maxSteps : 20 * c.controlHz,
      state: flightState(c, task, memory),
      frame: flightLayout(c, task),
      references: def.references(c),
      keys: [],
      axes: humanAxes(c.actionType),
      idleAction: null,
      fps: c.controlHz,
    };
  };
  const dronesOf = (json: JsonObject): readonly JsonObject[] => (Array.isArray(json.drones) ? (json.drones as readonly JsonObject[]) : []);
  return defineEnv<C>({
    spec: {
      id: def.id,
      version: 2,
      changes: [
        {
          version: 2,
          what: 'The rotors of the racing drone stand where its model file puts them, which the ground effect sees when it tilts.',
          where: { model: ['RACE'], physics: ['dyn-gnd', 'dyn-all'] },
          rerun: true,
        },
      ],
      title: def.title,
      summary: def.summary,
      source: def.source,
      config: def.config,
      presets: def.presets,
      ...offerOf(def),
      meta,
    },
    create: (c, batch, options) => createFlight(c, meta(c), def.task(c), def.memory(c), batch, options),
    ...(def.checks && { checks: def.checks }),
    ...(def.policies && { policies: def.policies }),
    golden: {
      config: fromGoldenConfig,
      fromJson: (json, c) => meta(c).state.fromJSON({ ...json, drones: dronesOf(json).map((d): Json => bodyOf(d)) }),
      toJson: (bytes, c) => {
        const json = meta(c).state.toJSON(bytes);
        return { ...json, drones: (json.drones as readonly (readonly number[])[]).map(goldenDrone) };
      },
      ...(def.controller && { controller: def.controller }),
    },
  });
}
