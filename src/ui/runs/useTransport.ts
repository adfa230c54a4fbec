/** Train, pause, resume, step, stop: what each does now and why it may be off. Used by the header, the phone's bar and the keyboard. */
import { useStore } from 'zustand';
import { currentFork, forkProblem } from '#client/runs/forks.ts';
import { runs } from '#client/runs/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { canLearn } from '#contract/catalog/learnable.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { catalogStore, envCard } from '#stores/catalog.ts';
import { draftStore, isSettled } from '#stores/draft.ts';
import { forkStore } from '#stores/fork.ts';
import { layoutStore } from '#stores/layout.ts';
import { inLesson, routeStore } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import { stageStore } from '#stores/stage.ts';
import type { DraftState, LayoutState, RunGroup } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { invalidStore } from '#ui/form/invalid.ts';
import { type Phase, phaseOf } from '#ui/kit/progress.ts';
import { meantForPause } from './ended.ts';
import { runAt } from './here.ts';

export interface Transport {
  readonly group: RunGroup | null;
  readonly phase: Phase | 'none';
  /** `play`, `hold`: nothing can be learned here, so the episode is what starts and stops. */
  readonly main: 'train' | 'pause' | 'resume' | 'play' | 'hold';
  /** Why the main button is off; '' when it is on. */
  readonly blocked: string;
  /** The draft asks for another run than the one going on. */
  readonly differs: boolean;
  readonly canStep: boolean;
  readonly canStop: boolean;
  /** It has done something, and could begin anew. */
  readonly canReset: boolean;
}

function blockedBy(ready: boolean, lesson: boolean, problems: readonly string[]): string {
  if (!ready) return t('The workbench is still starting.');
  if (lesson) return t('In a lesson its steps start the runs.');
  return problems[0] ?? '';
}

/** Of its config: a fork's own hash says where it begins, too. */
const hashOf = ({ parent, hash, config }: RunGroup): string => (parent === null ? hash : configHash(config));

/** What keeps the fork that is being set up from being trained. */
function forkProblems(): readonly string[] {
  const fork = currentFork();
  const problem = fork === null ? null : forkProblem(fork, draftStore.getState().config);
  return problem === null ? [] : [`${problem.message} ${problem.fix}`];
}

function describe(group: RunGroup | null, draftHash: string, blocked: string, watched: 'play' | 'hold' | null): Transport {
  const phase = group === null ? 'none' : phaseOf(group);
  const open = phase === 'running' || phase === 'paused' || phase === 'interrupted';
  const differs = open && draftHash !== '' && group !== null && hashOf(group) !== draftHash;
  // Another tab has the controls: here a new run can be trained.
  if (group?.elsewhere === true)
    return { group, phase, main: 'train', blocked, differs: false, canStep: false, canStop: false, canReset: false };
  const main = phase === 'running' ? 'pause' : open ? 'resume' : (watched ?? 'train');
  const canReset = group !== null && phase !== 'running' && group.imported === undefined && group.seeds.some(({ step }) => step > 0);
  return {
    group,
    phase,
    main,
    blocked: main === 'train' || differs ? blocked : '',
    differs,
    canStep: phase === 'paused',
    canStop: open,
    canReset,
  };
}

/** What the main button does to the episode where nothing can be learned; null: it trains. At the depth of research a method can still be run there. */
function watchedAt(env: EnvCard | undefined, depth: LayoutState['depth'], playing: boolean): 'play' | 'hold' | null {
  return env === undefined || canLearn(env) || depth === 'research' ? null : playing ? 'hold' : 'play';
}

/** The world with its settings, as members of a swarm may learn by a setting; while they are being checked, the one of the catalogue. */
function worldOf({ env, config }: Pick<DraftState, 'env' | 'config'>): EnvCard | undefined {
  return (env?.id === config.env.id ? env : envCard(config.env.id)) ?? undefined;
}

export function useTransport(): Transport {
  const world = useStore(draftStore, ({ config }) => config.env.id);
  const group = useStore(runsStore, (state) => runAt(state, world));
  const ready = useStore(catalogStore, (state) => state.catalog !== null);
  const lesson = useStore(routeStore, inLesson);
  const hash = useStore(draftStore, (state) => state.hash);
  const settled = useStore(draftStore, isSettled);
  const problems = useStore(draftStore, (state) => state.problems);
  const bad = useStore(invalidStore, (state) => state.fields);
  useStore(forkStore);
  const env = useStore(draftStore, (draft) => (ready ? worldOf(draft) : undefined));
  const depth = useStore(layoutStore, (state) => state.depth);
  const playing = useStore(stageStore, (state) => state.playing);
  return describe(
    group,
    hash,
    blockedBy(ready && settled, lesson, [
      ...Object.values(bad).map((entry) => entry.message),
      ...problems.map((problem) => problem.message),
      ...forkProblems(),
    ]),
    watchedAt(env, depth, playing),
  );
}

/** The same without React, for keys. */
export function transportNow(): Transport {
  const { hash, problems, config } = draftStore.getState();
  const bad = Object.values(invalidStore.getState().fields).map((entry) => entry.message);
  const group = runAt(runsStore.getState(), config.env.id);
  return describe(
    group,
    hash,
    blockedBy(catalogStore.getState().catalog !== null && isSettled(draftStore.getState()), inLesson(routeStore.getState()), [
      ...bad,
      ...problems.map((problem) => problem.message),
      ...forkProblems(),
    ]),
    watchedAt(worldOf(draftStore.getState()), layoutStore.getState().depth, stageStore.getState().playing),
  );
}

export function pressMain(transport: Transport): void {
  if (transport.main === 'play' || transport.main === 'hold') stageStore.getState().setPlaying(transport.main === 'play');
  else if (transport.main === 'train') {
    if (transport.blocked === '' && !meantForPause()) void runs.train();
  } else if (transport.group !== null) {
    if (transport.main === 'pause') runs.pause(transport.group.id);
    else runs.resume(transport.group.id);
  }
}
