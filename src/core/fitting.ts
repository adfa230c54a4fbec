/**
 * What each method can do, and which of them an environment is offered. Claims are not written down a second time: a method remembers, keeps to
 * masks, coordinates or aims because it solves the probe that needs it (core/testing/probes.ts), and its card says which actions and how many
 * agents it takes. Whether it can act is what checkFit says, as for every run.
 */

import { startIn } from '#contract/catalog/starts.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { Fit, Fitting } from '#contract/run/fitting.ts';
import type { AlgoEntry, ProbeId } from './algos/api/types.ts';
import { getAlgo } from './algos/index.ts';
import type { EnvEntry, EnvMeta } from './envs/api/types.ts';
import { envFamilyOf } from './envs/index.ts';
import { recommend } from './recommend.ts';
import { checkFit } from './run/complete.ts';

/** What a method has shown in its probes. */
export interface Abilities {
  readonly memory: boolean;
  readonly masks: boolean;
  /** Continuous actions. */
  readonly aims: boolean;
  /** Several agents, each for itself; several that must agree. */
  readonly team: boolean;
  readonly coordination: boolean;
}

const SHOWN: { readonly [ability in keyof Abilities]: readonly ProbeId[] } = {
  memory: ['memoryOne', 'tellLater'],
  masks: ['masked'],
  aims: ['pointing', 'aimedBefore', 'pointingTeam'],
  team: ['team', 'roles', 'pointingTeam', 'tell'],
  coordination: ['climbing', 'xorTeam', 'twoStep', 'pointingTeam'],
};

/** Settings that name what is learned from in place of the reward: recorded play, answers. They are chosen by hand. */
const TOLD = ['dataset', 'comparisons'] as const;

export function abilitiesOf({ probes }: Pick<AlgoEntry, 'probes'>): Abilities {
  const solved = new Set(probes.flatMap(({ on }) => on));
  const shown = (ability: keyof Abilities): boolean => SHOWN[ability].some((probe) => solved.has(probe));
  return {
    memory: shown('memory'),
    masks: shown('masks'),
    aims: shown('aims'),
    team: shown('team'),
    coordination: shown('coordination'),
  };
}

interface Place {
  readonly entry: EnvEntry;
  readonly meta: EnvMeta;
  readonly recommended: string;
  readonly steps: number;
  /** What is recommended there remembers: who does not sees too little. */
  readonly memory: boolean;
  readonly family: readonly string[];
  readonly model: boolean;
}

/** `methods`: all there are, loaded. Throws LabError('config-invalid') for a wrong config. */
export function fitting(entry: EnvEntry, config: unknown, methods: readonly AlgoEntry[]): Fitting {
  const meta = entry.meta(config);
  const { algo, steps } = recommend(entry, config);
  const place: Place = {
    entry,
    meta,
    recommended: algo,
    steps,
    memory: abilitiesOf(getAlgo(algo)).memory && meta.agentCount === 1,
    family: envFamilyOf(entry.id).ids,
    model: meta.agents.every(({ obs }) => obs.kind === 'discrete') && entry.create(config, 1).model !== undefined,
  };
  const fits: (Fit & { readonly rank: number })[] = [];
  const others: { algo: string; why: string }[] = [];
  for (const one of methods.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const found = settingsThatFit(one, place);
    if ('why' in found) others.push({ algo: one.id, why: found.why });
    else fits.push({ algo: one.id, ...judged(one, place), ...(found.preset !== undefined && { preset: found.preset }) });
  }
  fits.sort((a, b) => b.rank - a.rank);
  return { fits: fits.map(({ rank: _, ...fit }) => fit), others };
}

/** Its usual settings there, or a preset where those do not fit; else why not. */
function settingsThatFit(algo: AlgoEntry, { entry, meta, model }: Place): { readonly preset?: string } | { readonly why: string } {
  if (algo.needsModel === true && !model) return { why: `${algo.title} needs the transition table, and ${entry.title} does not give one.` };
  const start = startIn(
    { id: algo.id, defaults: algo.parse({}), presets: algo.presets, ...(algo.continuous !== undefined && { continuous: algo.continuous }) },
    { id: meta.id, gamma: meta.gamma, groups: meta.agents },
  );
  const usual = misfit(algo, start, meta, entry.title);
  if (usual === null) return {};
  const preset = algo.presets.find(({ config }) => misfit(algo, config, meta, entry.title) === null);
  return preset === undefined ? { why: usual } : { preset: preset.id };
}

function misfit(algo: AlgoEntry, settings: JsonObject, meta: EnvMeta, title: string): string | null {
  try {
    checkFit(algo, algo.parse(settings), meta, title);
    return null;
  } catch (error) {
    return toFailure(error).message;
  }
}

/** What speaks for a method there: the first of these is said, all of them are counted. */
function judged(algo: AlgoEntry, place: Place): { readonly why: string; readonly rank: number } {
  const { entry, meta } = place;
  const can = abilitiesOf(algo);
  const own = algo.presets.find(({ id }) => id === entry.id || id.startsWith(`${entry.id}-`));
  const [first] = meta.agents;
  const box = meta.agents.some(({ action }) => action.kind === 'box');
  const many = meta.agentCount > 1;
  const numbered = first?.obs.kind === 'discrete';
  const points: readonly (readonly [holds: boolean, rank: number, why: string])[] = [
    [algo.id === place.recommended, 1000, `the first choice here, with ${place.steps.toLocaleString('en')} steps`],
    [own !== undefined, 60, `has settings for it: ${own?.title ?? ''}`],
    [algo.needsModel === true, 40, 'plans exactly, from the transition table'],
    [algo.trial.env === entry.id, 25, 'tried in this environment'],
    [place.memory && can.memory, 40, 'remembers what it saw, which this environment asks for'],
    [many && can.coordination, 35, 'learns what agents must do together'],
    [many && can.team, 20, 'trains all agents'],
    [box && can.aims, 30, 'aims with continuous actions'],
    [numbered && !many && algo.learner === 'table', 30, 'keeps a table of its numbered states'],
    [place.family.includes(algo.trial.env), 15, `tried in an environment of this family`],
    [meta.masked && can.masks, 10, 'keeps to the actions that are allowed'],
    [!box && algo.probes.length > 0, 5, algo.summary],
  ];
  const held = points.filter(([holds]) => holds);
  const settings = algo.parse({});
  const told = algo.shown === true || TOLD.some((field) => field in settings);
  const lacks = (place.memory && !can.memory ? 20 : 0) + (algo.learner === 'none' ? 100 : 0) + (told ? 60 : 0);
  const rank = held.reduce((sum, [, worth]) => sum + worth, 0) - lacks;
  if (algo.learner === 'none') return { why: 'learns nothing: what to compare with', rank };
  return { why: held[0]?.[2] ?? algo.summary, rank };
}
