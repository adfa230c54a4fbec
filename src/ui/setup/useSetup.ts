/** What the forms need to know: the cards in use, their leaves, and whether a run of this config is going on. */
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { runs } from '#client/runs/service.ts';
import type { AlgoCard, EnvCard } from '#contract/catalog/catalog.ts';
import { switchedTo } from '#contract/catalog/variants.ts';
import { isGrid } from '#contract/game/frames.ts';
import type { Json } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { readPath } from '#contract/run/paths.ts';
import { algoCard, catalogStore, envCard } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { runsStore } from '#stores/runs.ts';
import type { RunGroup } from '#stores/types.ts';
import { actsIn, type Leaf, leavesOf, valueIn } from '#ui/form/leaves.ts';
import { budgetFields, evaluationFields, shapingFields, startsFields } from '#ui/form/run-fields.ts';
import { phaseOf } from '#ui/kit/progress.ts';
import { fitting, setDespite } from './needs.ts';

export interface Setup {
  readonly env: EnvCard | null;
  readonly algo: AlgoCard | null;
  readonly envLeaves: readonly Leaf[];
  readonly algoLeaves: readonly Leaf[];
  readonly budgetLeaves: readonly Leaf[];
  readonly evaluationLeaves: readonly Leaf[];
}

const BUDGET = leavesOf('run', budgetFields);
const EVALUATION = [...leavesOf('run', evaluationFields), ...leavesOf('run', startsFields)];
const SHAPING = leavesOf('run', shapingFields);
const NONE: readonly Leaf[] = [];

export function useSetup(): Setup {
  const catalog = useStore(catalogStore, (state) => state.catalog);
  const envId = useStore(draftStore, (state) => state.config.env.id);
  const algoId = useStore(draftStore, (state) => state.config.algo.id);
  const shaped = useStore(draftStore, (state) => state.config.run.shaping !== undefined);
  const despite = useStore(draftStore, ({ config: { algo } }) => setDespite(algoCard(algo.id)?.schema ?? {}, algo.config));
  return useMemo(() => {
    const env = catalog?.envs.find((card) => card.id === envId) ?? null;
    const algo = catalog?.algos.find((card) => card.id === algoId) ?? null;
    return {
      env,
      algo,
      envLeaves: env === null ? NONE : [...leavesOf('env', env.schema), ...(shaped || walkedOn(env) ? SHAPING : NONE)],
      algoLeaves: algo === null ? NONE : leavesOf('algo', fitting(algo.schema, env, despite)),
      budgetLeaves: BUDGET,
      evaluationLeaves: EVALUATION,
    };
  }, [catalog, envId, algoId, shaped, despite]);
}

/** One agent walks on cells there and gets one reward: a potential can be painted. */
const walkedOn = ({ frame, agents, rewards }: EnvCard): boolean =>
  isGrid(frame) && frame.agents === 1 && agents === 1 && rewards.length === 1;

/** Leaves of this environment, this method and the run's budget; none before the catalogue is there. */
export function leavesInUse({ env, algo }: RunConfig): readonly Leaf[] {
  const cards = [
    ['env', envCard(env.id)],
    ['algo', algoCard(algo.id)],
  ] as const;
  return [...cards.flatMap(([room, card]) => (card === null ? [] : leavesOf(room, card.schema))), ...BUDGET];
}

export function allLeaves(setup: Setup): readonly Leaf[] {
  return [...setup.envLeaves, ...setup.algoLeaves, ...setup.budgetLeaves, ...setup.evaluationLeaves];
}

/** The active run, if the draft has its environment and algorithm and it has not come to its end: what live fields act on. */
export function openTwin(groups: readonly RunGroup[], activeId: string | null, config: RunConfig): RunGroup | null {
  const group = groups.find((candidate) => candidate.id === activeId);
  if (group === undefined || group.config.env.id !== config.env.id || group.config.algo.id !== config.algo.id) return null;
  return phaseOf(group) === 'done' ? null : group;
}

/** The same, if it is going on. */
export function runningTwin(groups: readonly RunGroup[], activeId: string | null, config: RunConfig): RunGroup | null {
  const group = openTwin(groups, activeId, config);
  const phase = group === null ? 'done' : phaseOf(group);
  return phase === 'running' || phase === 'paused' ? group : null;
}

/** Fields in which the draft asks for something this run cannot become by live edits: it needs a run of its own. */
export function newRunFields(leaves: readonly Leaf[], draft: RunConfig, run: RunConfig): readonly Leaf[] {
  return leaves.filter((leaf) => !leaf.schema.live && changedSince(leaf, draft, run));
}

/** This field, or a hidden one that belongs to it, is not what it was. Fields of a kind that is not chosen have no value that could change. */
export function changedSince(leaf: Leaf, config: RunConfig, base: RunConfig): boolean {
  if (leaf.within !== undefined)
    return actsIn(leaf, config) && JSON.stringify(valueIn(leaf, config)) !== JSON.stringify(valueIn(leaf, base));
  return [leaf.path, ...leaf.beside].some((path) => JSON.stringify(readPath(config, path)) !== JSON.stringify(readPath(base, path)));
}

/** Back to where the draft came from, with what belongs to it: one undo step. */
export function resetField(leaf: Leaf): void {
  const { base } = draftStore.getState();
  if (leaf.variant !== undefined) draftStore.getState().set(leaf.variant.path, readPath(base, leaf.variant.path));
  else if (leaf.beside.length === 0) setField(leaf, leaf.path, valueIn(leaf, base));
  else draftStore.getState().setAll(Object.fromEntries([leaf.path, ...leaf.beside].map((path) => [path, readPath(base, path) ?? null])));
}

/** Sets a field of the draft; a live field of a run that goes on, or can, changes there too, as a logged event. */
export function setField(leaf: Leaf | undefined, path: string, value: Json | undefined): void {
  const { config, set } = draftStore.getState();
  if (leaf?.variant !== undefined) {
    const { path: whole, schema } = leaf.variant;
    set(whole, switchedTo(schema, readPath(config, whole), String(value)));
    return;
  }
  set(path, value);
  if (!leaf?.schema.live || value === undefined) return;
  const { groups, activeId } = runsStore.getState();
  const twin = openTwin(groups, activeId, draftStore.getState().config);
  if (twin !== null) runs.edit(twin.id, path, value);
}
