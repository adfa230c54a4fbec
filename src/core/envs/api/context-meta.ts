/** What an environment with contexts is to its learners, and which settings may be drawn: those that leave spaces, state and picture alike. */
import type { Contexts } from '#contract/catalog/contexts.ts';
import { frameSize } from '#contract/game/frames.ts';
import type { ObsSpace } from '#contract/game/spaces.ts';
import type { Json } from '#contract/kit/json.ts';
import type { ContextDraws } from './context-draws.ts';
import { contextState } from './context-state.ts';
import { told } from './meta.ts';
import { badConfig } from './parse.ts';
import type { AgentGroup, EnvMeta } from './types.ts';

const seen = (space: ObsSpace): Json => (space.kind === 'box' ? ['box', ...space.shape] : (space as unknown as Json));

/** What must not differ between contexts, in words, with how each is compared. */
const ALIKE: readonly { readonly what: string; readonly of: (meta: EnvMeta) => unknown }[] = [
  { what: 'who acts', of: ({ agents }) => agents.map(({ names }) => names) },
  {
    what: 'the shape of observations',
    of: ({ agents, globalSize }) => [agents.map(({ obs }) => seen(obs)), globalSize],
  },
  { what: 'the actions', of: ({ agents, masked, turns }) => [agents.map(({ action }) => action), masked, turns] },
  { what: 'the kinds of reward', of: ({ rewards, costs, shaped, score }) => [rewards, costs, shaped, score] },
  { what: 'the size of the state', of: ({ state }) => [state.version, state.bytes] },
  // sizes of bodies may differ: the scene draws those of the settings that are shown
  { what: 'the picture', of: ({ frame }) => (frame.kind === 'grid' ? frame : [frame.kind, frameSize(frame)]) },
  { what: 'the vocabulary', of: ({ tokens, skills }) => [tokens, skills] },
];

/** Throws LabError('config-invalid') where a setting of the contexts makes a world of another kind than `plain`. */
export function checkSame(plain: EnvMeta, other: EnvMeta): void {
  const differs = ALIKE.find(({ of }) => JSON.stringify(of(plain)) !== JSON.stringify(of(other)));
  if (differs === undefined) return;
  throw badConfig(
    'contexts',
    `These contexts differ in ${differs.what}, so one policy cannot act in all of them.`,
    'Draw settings that leave it as it is, and set the others to fit.',
  );
}

/** The bound of all contexts; null: some have none. */
function widest(bounds: readonly (number | null)[], most: (...values: number[]) => number): number | null {
  return bounds.includes(null) ? null : most(...(bounds as readonly number[]));
}

/** The number that says which task of a sequence a row has come to. */
const AGE = { blocks: 'steps of this row', turns: 'episodes of this row', drift: 'steps of this row' } as const;

/** Between what agents are told at most. */
function endsOf(draws: ContextDraws, drawn: readonly Float64Array[]): readonly [low: number, high: number] {
  const all = drawn.flatMap((values) => {
    const numbers = new Float32Array(draws.told.length);
    draws.tell(values, numbers, 0);
    return [...numbers];
  });
  return [Math.min(...all), Math.max(...all)];
}

/** What agents are told of each task of the list; undefined: they are told nothing of it, or what they are told lies between two tasks. */
function tasksTold({ list, tell, order }: Contexts, draws: ContextDraws, drawn: Float64Array | undefined): EnvMeta['tasks'] {
  if (tell !== true || list === undefined || order?.by === 'drift' || drawn === undefined || draws.listed === 0) return undefined;
  const codes = list.map((_, task) => {
    const numbers = new Float32Array(draws.told.length);
    draws.tell(Float64Array.of(task, ...drawn.subarray(1)), numbers, 0);
    return [...numbers.subarray(0, draws.listed)];
  });
  return { told: draws.told.length, codes };
}

interface Extreme {
  readonly drawn: Float64Array;
  readonly meta: EnvMeta;
}

/** `extremes` are draws at the ends of ranges and lists, with their metas. References and exact models are those of one setting, so they are left out. */
export function contextMeta(plain: EnvMeta, extremes: readonly Extreme[], draws: ContextDraws, contexts: Contexts): EnvMeta {
  const { tell = false, order } = contexts;
  const others = extremes.map(({ meta }) => meta);
  const drawn = extremes.map((extreme) => extreme.drawn);
  const { searchable: _, listed: __, game: ___, goals: ____, ...rest } = plain;
  const labels = tell ? draws.told : [];
  const tasks = tasksTold(contexts, draws, drawn[0]);
  const bounded = plain.agents.map((group, g): AgentGroup => {
    if (group.obs.kind !== 'box') return group;
    const spaces = others.map(({ agents }) => agents[g]!.obs).filter((obs) => obs.kind === 'box');
    const low = widest(
      spaces.map((obs) => obs.low),
      Math.min,
    );
    const high = widest(
      spaces.map((obs) => obs.high),
      Math.max,
    );
    return { ...group, obs: { ...group.obs, low, high } };
  });
  if (tell && plain.tokens !== undefined)
    throw badConfig('contexts.tell', 'Agents read tokens here, to which no numbers can be added.', 'Leave "tell" off.');
  if (tell && plain.partners?.some((partner) => partner.told))
    throw badConfig(
      'contexts.tell',
      'Agents are told already who plays a seat, which is the last that they see.',
      'Leave "tell" off here or in the pool of the seat.',
    );
  return {
    ...rest,
    agents: tell ? bounded.map((group) => told(group, labels, endsOf(draws, drawn), 'contexts.tell')) : bounded,
    obsSize: plain.obsSize + labels.length,
    maxSteps: Math.max(...others.map(({ maxSteps }) => maxSteps)),
    evalMaxSteps: Math.max(...others.map(({ evalMaxSteps }) => evalMaxSteps)),
    state: contextState(plain.state, order === undefined ? draws.names : [...draws.names, AGE[order.by]]),
    references: [],
    ...(tasks !== undefined && { tasks }),
    ...(order?.steps !== undefined && order.by === 'blocks' && { blockSteps: order.steps }),
  };
}
