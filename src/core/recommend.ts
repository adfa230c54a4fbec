/**
 * Which algorithm, settings and budget the workbench offers first for an environment: what its file recommends, else a rule by the
 * kind of its agents, observations and actions. Only settings that differ from the algorithm's defaults are given; the discount is the
 * environment's own. Measured by `npm run rl -- learn` (bench/results/learn.json).
 */
import type { Recommendation } from '#contract/catalog/catalog.ts';
import { startIn } from '#contract/catalog/starts.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { AlgoEntry } from './algos/api/types.ts';
import { getAlgo } from './algos/index.ts';
import type { EnvEntry, EnvMeta, Recommended } from './envs/api/types.ts';
import { checkFit } from './run/complete.ts';

/** Ids of the methods that `recommend` may answer here. Throws LabError('config-invalid') for a wrong config. */
export const candidates = (entry: EnvEntry, config: unknown = {}): readonly string[] =>
  candidatesOf(entry, entry.meta(config)).map(({ algo }) => algo);

const candidatesOf = (entry: EnvEntry, meta: EnvMeta): readonly Recommended[] => [
  ...(entry.recommended === undefined ? [] : [entry.recommended]),
  ...byKind(meta),
];

/** The first candidate that can act in this setting of the environment. Their code must be loaded. Throws LabError('config-invalid') for a wrong config. */
export function recommend(entry: EnvEntry, config: unknown = {}): Recommendation {
  const meta = entry.meta(config);
  for (const candidate of candidatesOf(entry, meta)) {
    const algo = getAlgo(candidate.algo);
    const settings = settingsOf(algo, candidate, meta);
    if (!fits(algo, settings, meta, entry.title)) continue;
    const { steps, env, evalEvery } = candidate;
    return { algo: algo.id, config: settings, steps, ...(env && { env }), ...(evalEvery !== undefined && { evalEvery }) };
  }
  return { algo: 'random', config: {}, steps: 20_000 };
}

function fits(algo: AlgoEntry, settings: JsonObject, meta: EnvMeta, title: string): boolean {
  try {
    checkFit(algo, settings, meta, title);
    return true;
  } catch {
    return false; // the next candidate; the reason is shown where a person chooses this algorithm
  }
}

/** A value network needs long for returns far from 1, so rewards are scaled there. Where they are near 1, scaling by statistics that move costs seeds. */
const WIDE = 2;

function settingsOf(algo: AlgoEntry, { preset, config }: Recommended, { id, gamma, agents, returnSpread = 0 }: EnvMeta): JsonObject {
  const defaults = algo.parse({});
  const card = { id: algo.id, defaults, presets: algo.presets };
  const scale = returnSpread > WIDE && 'normaliseReward' in defaults ? { normaliseReward: true } : {};
  const chosen = algo.presets.find(({ id }) => id === preset)?.config;
  // a preset that is named replaces that for continuous actions, not the discount
  const start = startIn(chosen === undefined && algo.continuous !== undefined ? { ...card, continuous: algo.continuous } : card, {
    id,
    gamma,
    groups: agents,
  });
  return { ...start, ...chosen, ...scale, ...config };
}

/** Best first. */
function byKind(meta: EnvMeta): readonly Recommended[] {
  const [first] = meta.agents;
  if (meta.actionSize === 0 || first === undefined) return [];
  const continuous = meta.agents.some(({ action }) => action.kind === 'box');
  if (meta.listed === true) return [{ algo: 'cfr', steps: 2_000_000 }, { algo: 'replicator', steps: 100_000 }, TEAM];
  if (meta.turns === true) return [{ algo: 'self-play', preset: 'boards', steps: 400_000 }, TEAM];
  if (meta.rewards.length > 1) {
    return [
      { algo: 'pareto-sweep', preset: 'deep-sea-treasure', steps: 300_000 },
      { algo: 'pareto-dqn', preset: 'item-gathering', steps: 100_000 },
      { algo: 'pareto-dqn', steps: 100_000 }, // its presets name points of as many rewards as their environment has
    ];
  }
  if (meta.agentCount > 1) return meta.shaped === true ? [{ algo: 'ippo', preset: 'overcooked', steps: 1_000_000 }, TEAM] : [TEAM, ALONE];
  if (meta.costs.includes('regret'))
    return [first.obs.kind === 'discrete' ? { algo: 'ucb1', steps: 10_000 } : { algo: 'linucb', steps: 10_000 }, ALONE];
  if (first.obs.kind === 'discrete') return [{ algo: 'q-learning', steps: 200_000 }, ALONE];
  if (continuous) return [{ algo: 'ppo', preset: 'drone-hover', steps: 1_000_000 }];
  if (first.obs.kind === 'grid') return [{ algo: 'ppo', preset: 'minigrid', steps: 1_000_000 }];
  return [ALONE];
}

/** Agents of a team learn side by side; agents alike share a network. */
const TEAM: Recommended = { algo: 'ippo', config: { lr: 0.001 }, steps: 500_000 };
const ALONE: Recommended = { algo: 'ppo', preset: 'minigrid', steps: 200_000 };
