/** What the scene shows and where its clock stands. The client fills it; views set overlays, camera, speed, play and position. */
import { createStore } from 'zustand/vanilla';
import type { StageState } from './types.ts';

export const SLOWEST = 0.25;
export const FASTEST = 16;

export const stageStore = createStore<StageState>((set, get) => ({
  mode: 'idle',
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
