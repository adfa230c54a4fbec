/**
 * The config being edited. Every change is one undo step; snapshots share what did not change, so they are cheap.
 * The client fills `env` and `problems` after each change.
 */
import { createStore } from 'zustand/vanilla';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { startIn } from '#contract/catalog/starts.ts';
import { sameJson } from '#contract/kit/canonical.ts';
import { type Failure, toFailure } from '#contract/kit/errors.ts';
import { type RunConfig, runConfigSchema } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { nestedConfig } from '#contract/run/flat-settings.ts';
import { readPath, writePath } from '#contract/run/paths.ts';
import { algoCard, envCard } from './catalog.ts';
import { type DraftEvent, nextPhase } from './draft-phase.ts';
import { Latest } from './latest.ts';
import type { DraftState } from './types.ts';

const LONGEST_HISTORY = 200;

/** Shown until the catalogue is here; never trained. */
const empty = runConfigSchema.parse({ env: { id: 'cartpole' }, algo: { id: 'ppo' } });

/** What each snapshot compares with: undoing a change of environment brings its base back too. */
const bases = new WeakMap<RunConfig, RunConfig>([[empty, empty]]);

/** The link of the address, or the first experiment, is open: before that the draft is only a place for it. */
export const isOpen = ({ phase }: Pick<DraftState, 'phase'>): boolean =>
  phase.kind === 'open' || (phase.kind === 'loading' && phase.over === 'open');

/** What is set up here is what would be trained. */
export const isSettled = ({ phase }: Pick<DraftState, 'phase'>): boolean => phase.kind === 'open';

/** A link, file or policy is being opened, which takes the place of what is set up unless that is changed meanwhile. */
export const isComing = ({ phase }: Pick<DraftState, 'phase'>): boolean => phase.kind === 'loading';

export const draftStore = createStore<DraftState>((set, get) => {
  /** The card of the same environment stays until the client has described the new config: views must not blink. */
  const show = (config: RunConfig, event: DraftEvent = 'chosen'): Pick<DraftState, 'config' | 'base' | 'hash' | 'env' | 'phase'> => {
    const before = get();
    const env = before.config.env.id === config.env.id ? before.env : null;
    return { config, base: bases.get(config) ?? before.base, hash: configHash(config), env, phase: nextPhase(before.phase, event) };
  };

  const change = (config: RunConfig, base: RunConfig, more: Partial<DraftState> = {}, event: DraftEvent = 'chosen'): void => {
    const { config: before, past } = get();
    const open = isOpen(get());
    if (open && sameJson(before, config) && sameJson(get().base, base)) return;
    bases.set(config, base);
    set({ ...show(config, event), past: open ? [...past.slice(1 - LONGEST_HISTORY), before] : [], future: [], ...more });
  };

  return {
    config: empty,
    base: empty,
    experimentId: null,
    hash: '',
    env: null,
    phase: { kind: 'empty' },
    problems: [],
    past: [],
    future: [],
    open: (config, experimentId = null) => change(config, config, { experimentId, problems: [] }),
    openUnasked: (config, experimentId) => change(config, config, { experimentId, problems: [] }, 'first'),
    set: (path, value) => get().setAll({ [path]: value }),
    setAll: (values) => {
      try {
        const next = Object.entries(values).reduce((config, [path, value]) => writePath(config, path, value), get().config);
        change(next, get().base);
      } catch (error) {
        set({ problems: [...get().problems.filter(({ field }) => field === undefined || !(field in values)), toFailure(error)] });
      }
    },
    reset: (path) => {
      const { config, base } = get();
      change(path === undefined ? base : writePath(config, path, readPath(base, path)), base);
    },
    setEnv: (id, presetId) => {
      const card = envCard(id);
      if (card === null) return;
      const preset = card.presets.find((candidate) => candidate.id === presetId);
      const { config, base } = get();
      // Another environment comes with what is recommended for it; a preset of the same one keeps the algorithm as it is set.
      const another = config.env.id !== id;
      const learner = another ? recommended(card, config) : {};
      const world = presetId === undefined && another ? card.recommended.env : preset?.config;
      const env = { id, version: card.version, config: { ...card.defaults, ...world } };
      change(unshaped({ ...config, ...learner, env }), unshaped({ ...base, ...learner, env }), { experimentId: null });
    },
    setAlgo: (id, presetId) => {
      const card = algoCard(id);
      if (card === null) return;
      const preset = card.presets.find((candidate) => candidate.id === presetId);
      const env = envCard(get().config.env.id);
      const start = preset?.config ?? (env === null ? {} : startIn(card, env));
      const algo = { id, version: card.version, config: { ...card.defaults, ...start } };
      change({ ...get().config, algo }, { ...get().base, algo }, { experimentId: null });
    },
    undo: () => {
      const { past, config, future } = get();
      const back = past.at(-1);
      if (back !== undefined) set({ ...show(back), past: past.slice(0, -1), future: [config, ...future] });
    },
    redo: () => {
      const { past, config, future } = get();
      const forth = future[0];
      if (forth !== undefined) set({ ...show(forth), past: [...past, config], future: future.slice(1) });
    },
  };
});

const loads = new Latest();

const phaseAfter = (event: DraftEvent): void => draftStore.setState(({ phase }) => ({ phase: nextPhase(phase, event) }));

/**
 * What is loaded to take the place of the set-up. null: meanwhile the set-up was changed or something else was asked for; nothing comes of this
 * one then, nor of its failure.
 */
export async function unlessLater<T>(load: Promise<T>): Promise<T | null> {
  const newest = loads.begin();
  const stillWanted = (): boolean => newest() && isComing(draftStore.getState());
  phaseAfter('asked');
  try {
    const loaded = await load;
    return stillWanted() ? loaded : null;
  } catch (error) {
    if (stillWanted()) throw error;
    return null;
  } finally {
    if (newest()) phaseAfter('ended');
  }
}

/**
 * Algorithm and budget that are recommended for this environment; the seeds and the executor stay, and evaluations that were not those of the environment
 * before. Empty while the catalogue is not here.
 */
export function recommended({ recommended: first }: EnvCard, { env, run }: RunConfig): Partial<Pick<RunConfig, 'algo' | 'run'>> {
  const card = algoCard(first.algo);
  if (card === null) return {};
  return {
    algo: { id: card.id, version: card.version, config: { ...card.defaults, ...nestedConfig(card.id, first.config) } },
    run: {
      ...run,
      steps: first.steps,
      evalEvery: first.evalEvery ?? (run.evalEvery === envCard(env.id)?.recommended.evalEvery ? 0 : run.evalEvery),
    },
  };
}

/** What was painted on the cells of one world says nothing of another. */
function unshaped(config: RunConfig): RunConfig {
  const { shaping: _, ...run } = config.run;
  return { ...config, run };
}

/** The same draft with its missing fields written out, as `complete` gives it: no undo step. */
export function fillDraft(complete: RunConfig): void {
  draftStore.setState(({ config, base }) => {
    const filledBase = base === config ? complete : base;
    bases.set(complete, filledBase);
    return { config: complete, base: filledBase, hash: configHash(complete) };
  });
}

/** It cannot be trained as it is set; one problem for each field. */
export function refuseDraft(problems: readonly Failure[]): void {
  draftStore.setState({ problems });
}

export function acceptDraft(): void {
  draftStore.setState({ problems: [] });
}

/** The card of its environment as it is set. */
export function describeDraft(env: EnvCard): void {
  draftStore.setState({ env });
}
