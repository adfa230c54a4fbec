/** The stage: which policy or person plays on it, replays and tokens. */
import { laboratory } from '#client/address/laboratory.ts';
import { drafts, persistence, saving } from '#client/runs/parts.ts';
import { selectRun } from '#client/runs/service.ts';
import { chooseSeed, currentSubject } from '#client/runs/subject.ts';
import { late } from '#client/workers/late.ts';
import { workers } from '#client/workers/service.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { Latest } from '#stores/latest.ts';
import { layoutStore } from '#stores/layout.ts';
import { preferencesStore } from '#stores/preferences.ts';
import { findGroup, runsStore } from '#stores/runs.ts';
import { captionStage } from '#stores/stage.ts';
import type { HumanGame } from './human.ts';
import { Inspector } from './inspector.ts';
import { StageController } from './stage-controller.ts';
import { TokenReader } from './tokens.ts';

export interface Stage
  extends Pick<
    StageController,
    | 'anotherEpisode'
    | 'editMap'
    | 'keepStart'
    | 'leaveGame'
    | 'newLineup'
    | 'rewardTerms'
    | 'showPolicy'
    | 'stopComputing'
    | 'watchScripted'
  > {
  /** Goes to the laboratory and plays the kept policy nearest to this step, at or before it; the newest without a step. */
  watch(runId: string, seed: number, step?: number): Promise<void>;
  /** Of a run that learned a policy for every weighting of several rewards: plays the one for these weights from now on. */
  prefer(runId: string, seed: number, weights: readonly number[]): Promise<void>;
  /** The newest policy of this seed plays from a state in which an episode may begin, and the seed is shown from now on. `said`: beside the scene. */
  playFrom(of: { readonly runId: string; readonly seed: number }, start: Uint8Array, said: string): Promise<void>;
}

const autoplay = (): boolean => layoutStore.getState().motion !== 'none' && !matchMedia('(prefers-reduced-motion: reduce)').matches;
const now = (): number => performance.now();

/** What other services need of the stage. */
export const stageController = new StageController({ watch: workers.player, autoplay, now });
export const inspector = new Inspector(workers.player, now);

/** What was asked for may take long to read, and what was asked for since wins. */
const watched = new Latest();

/** As `Stage.watch`; the page that is open stays. Nothing is shown where another policy was asked for, or another run chosen, meanwhile. */
export async function watchPolicy(runId: string, seed: number, step?: number): Promise<void> {
  const group = findGroup(runId);
  if (group === null || group.imported !== undefined) return;
  const newest = watched.begin();
  const { activeId: before } = runsStore.getState();
  await persistence.then((kept) => kept.readRun(runId)).catch((error: unknown) => saving.pageWrote(error));
  const { activeId } = runsStore.getState();
  // Where no run was active, the page itself may have taken up the one of the draft.
  if (!newest() || (before !== null && activeId !== before && activeId !== runId)) return;
  chooseSeed(runId, seed);
  if (activeId !== runId || currentSubject()?.group?.id !== runId) {
    selectRun(runId);
    await drafts.check();
    if (!newest() || runsStore.getState().activeId !== runId) return;
  }
  await stageController.watch(runId, seed, step);
}

export const stage: Stage = {
  watch: (runId, seed, step) => {
    laboratory.show();
    return watchPolicy(runId, seed, step);
  },
  prefer: async (runId, seed, weights) => {
    preferencesStore.getState().prefer(runId, weights);
    chooseSeed(runId, seed);
    await stageController.prefer();
  },
  anotherEpisode: () => stageController.anotherEpisode(),
  editMap: (on) => stageController.editMap(on),
  keepStart: (on) => stageController.keepStart(on),
  leaveGame: () => stageController.leaveGame(),
  newLineup: () => stageController.newLineup(),
  playFrom: ({ runId, seed }, start, said) => {
    chooseSeed(runId, seed);
    return stageController.playFrom(start, said);
  },
  rewardTerms: (replay) => stageController.rewardTerms(replay),
  showPolicy: (snapshot, world) => stageController.showPolicy(snapshot, world),
  stopComputing: () => stageController.stopComputing(),
  watchScripted: (name) => stageController.watchScripted(name),
};

/** The game that is played, once there was one. */
let played: HumanGame | null = null;
const humanGame = late(async () => {
  played = new (await import('./human.ts')).HumanGame(workers.player, stageController);
  return played;
});
async function withGame(use: (game: HumanGame) => Promise<void>): Promise<void> {
  try {
    await use(await humanGame());
  } catch (error) {
    captionStage(toFailure(error).message);
  }
}
/** Seconds have passed on the stage. */
export const tickGame = (seconds: number): void => played?.tick(seconds);

/** A person plays. Loaded with the first game. */
export const game: Pick<HumanGame, 'open' | 'act' | 'end' | 'pull' | 'takeOver' | 'besideSays' | 'soFar'> = {
  open: () => withGame((human) => human.open()),
  takeOver: () => withGame((human) => human.takeOver()),
  pull: (pull) => withGame((human) => human.pull(pull)),
  act: async (action) => played?.act(action),
  end: async () => played?.end(),
  soFar: async () => played?.soFar(),
  besideSays: async () => played?.besideSays() ?? null,
};
/** What a language policy answers to a prompt. */
export const tokens: Pick<TokenReader, 'answer' | 'attention' | 'sample'> = new TokenReader(workers.player);
