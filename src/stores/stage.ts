/** What the scene shows and where its clock stands. The client tells what happens; views set overlays, camera, speed, play and position. */
import { createStore } from 'zustand/vanilla';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { FrameSource } from '#contract/game/frames.ts';
import type { Replay } from '#contract/run/events.ts';
import type { GridMap, Inspection } from '#contract/session/session.ts';
import { FIRST, inSight, next, type Shown, type StageEvent, type StageTodo } from './stage-machine.ts';
import type { HumanScore, StageState } from './types.ts';

export const SLOWEST = 0.25;
export const FASTEST = 16;

export const stageStore = createStore<StageState>((set, get) => ({
  mode: 'idle',
  machine: FIRST,
  source: null,
  replay: null,
  t: 0,
  length: 0,
  playing: false,
  questioned: false,
  speed: 1,
  returnSoFar: 0,
  policy: null,
  scripted: null,
  sameStart: null,
  checkpoints: [],
  inspection: null,
  valueMap: null,
  visits: null,
  overlays: {
    values: false,
    policy: false,
    visits: false,
    view: true,
    trails: true,
    rays: true,
    messages: true,
    forces: false,
    payouts: true,
    potential: true,
  },
  camera: 'home',
  game: null,
  takeover: null,
  held: [],
  sticks: [],
  computing: false,
  told: '',
  message: '',
  setOverlay: (name, on) => set({ overlays: { ...get().overlays, [name]: on } }),
  setCamera: (camera) => set({ camera }),
  setSpeed: (speed) => set({ speed: Math.min(FASTEST, Math.max(SLOWEST, speed)) }),
  // Playing an episode that has been shown to its end shows it again.
  setPlaying: (playing) =>
    set(({ mode, t, length }) => ({
      playing,
      ...(playing && { questioned: false }),
      ...(playing && mode === 'replay' && t >= length - 1 && { t: 0 }),
    })),
  question: () => set({ questioned: true }),
  seek: (t) => set({ t: Math.min(Math.max(0, Math.floor(t)), Math.max(0, get().length - 1)) }),
}));

/** What an episode, a game or the map begins with. */
const EMPTY: Partial<StageState> = {
  questioned: false,
  replay: null,
  t: 0,
  returnSoFar: 0,
  policy: null,
  scripted: null,
  inspection: null,
  valueMap: null,
  visits: null,
  game: null,
  takeover: null,
  held: [],
};

/** Tells the stage what has happened; answers what is to be done. `scene`: what is seen of it. */
function happened(event: StageEvent, scene: Partial<StageState> = {}): StageTodo {
  const before = stageStore.getState().machine;
  const [machine, todo] = next(before, event);
  if (machine !== before) stageStore.setState({ ...scene, machine, mode: inSight(machine).kind });
  return todo;
}

export const stageEvent = (event: Exclude<StageEvent, { kind: 'shown' }>): StageTodo => happened(event);

/** An episode takes the stage. `autoplay`: it plays where nothing was playing or paused before. `t`: the frame it comes in at. */
export function showEpisode(
  as: Extract<Shown, { kind: 'live' | 'replay' }>,
  episode: { readonly replay: Replay; readonly source: FrameSource; readonly length: number; readonly t: number; readonly message: string },
  {
    autoplay,
    scripted = null,
    game = null,
  }: { readonly autoplay: boolean; readonly scripted?: string | null; readonly game?: HumanScore | null },
): void {
  const { mode, playing, inspection, valueMap, visits } = stageStore.getState();
  happened(
    { kind: 'shown', as },
    {
      ...EMPTY,
      // An explanation stays until the next one is there, so that it does not blink between episodes.
      ...(as.policy !== null && { inspection, valueMap, visits }),
      ...episode,
      told: episode.replay.told ?? '',
      policy: as.policy,
      scripted,
      game,
      playing: mode === 'live' || mode === 'replay' ? playing : autoplay,
    },
  );
}

/** The first frame of the map that is edited. */
export function showMap(env: EnvCard, source: FrameSource, told: string, message: string): void {
  happened({ kind: 'shown', as: { kind: 'edit', env } }, { ...EMPTY, source, told, length: 1, playing: false, message });
}

/** A person takes over the stage: `game` counts against others, in `takeover` a policy acts beside them. */
export function showGame(
  env: EnvCard,
  scene: { readonly source: FrameSource; readonly length: number; readonly t: number; readonly told: string; readonly message: string },
  shared: Pick<StageState, 'game' | 'takeover' | 'returnSoFar'>,
): void {
  happened({ kind: 'shown', as: { kind: 'play', env } }, { ...EMPTY, ...scene, ...shared, playing: true });
}

/** Steps of the game: `length` frames so far, `reward` of these steps; `own`: a person acted in place of the policy. */
export function gameSteps(length: number, reward: number, own: boolean): void {
  stageStore.setState(({ returnSoFar, takeover }) => ({
    length,
    t: length - 1,
    returnSoFar: returnSoFar + reward,
    ...(own && takeover !== null && { takeover: { steps: takeover.steps + 1 } }),
  }));
}

/** Another played from the start of the game on the stage, or from that of one of its rounds: then scores are added. */
export function rivalScored({ name, score }: HumanScore['rivals'][number]): void {
  stageStore.setState(({ game }) => {
    if (game === null) return {};
    const known = game.rivals.some((rival) => rival.name === name);
    const added = game.rivals.map((rival) => (rival.name === name ? { name, score: rival.score + score } : rival));
    return { game: { ...game, rivals: known ? added : [...game.rivals, { name, score }] } };
  });
}

/** The mission of this episode, in words. */
export function tellTask(told: string): void {
  stageStore.setState({ told });
}

/** In the caption of the stage: why something cannot be shown, for instance. */
export function captionStage(message: string): void {
  stageStore.setState({ message });
}

/** Whether the next episode takes long. */
export function episodeTakesLong(computing: boolean): void {
  stageStore.setState({ computing });
}

/** Every episode begins at the start of this seed; null: each at another. */
export function keepStartAt(sameStart: number | null): void {
  stageStore.setState({ sameStart });
}

export function listCheckpoints(checkpoints: StageState['checkpoints']): void {
  stageStore.setState({ checkpoints });
}

/** The clock has come to this frame. */
export function frameShown(t: number): void {
  stageStore.setState({ t });
}

/** Up to the shown frame. */
export function returnCounted(returnSoFar: number): void {
  if (stageStore.getState().returnSoFar !== returnSoFar) stageStore.setState({ returnSoFar });
}

/** null: what was inspected is not what is shown any more. */
export function policyInspected(inspection: Inspection | null): void {
  stageStore.setState({ inspection });
}

/** null: this policy has no values of cells. */
export function valuesMapped(valueMap: GridMap | null): void {
  stageStore.setState({ valueMap });
}

export function cellsVisited(visits: Float64Array): void {
  stageStore.setState({ visits });
}

/** Keys go down and up; those held already stay where they are in the order. */
export function pressKeys(down: readonly string[], up: readonly string[] = []): void {
  const { held } = stageStore.getState();
  const stays = held.filter((key) => !up.includes(key));
  const fresh = down.filter((key) => !stays.includes(key));
  if (fresh.length > 0 || stays.length < held.length) stageStore.setState({ held: [...stays, ...fresh] });
}

/** By index of the environment's axes, -1 to 1. */
export function pushSticks(sticks: readonly number[]): void {
  stageStore.setState({ sticks });
}

/** The page is no longer looked at: no key is held and no stick pushed. */
export function letGo(): void {
  stageStore.setState({ held: [], sticks: [] });
}

/** The episode on the stage is a person's: played, taken over or pulled at, and over. */
export const playedByPerson = ({ replay }: Pick<StageState, 'replay'>): boolean =>
  replay !== null && (replay.human !== undefined || replay.pulls !== undefined);
