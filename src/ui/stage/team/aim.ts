/** Where a person sends agents that go to cells: which agent, and the cell that arrow keys move before it is set. */
import { createStore } from 'zustand/vanilla';
import { game } from '#client/stage/service.ts';
import { type GridLayout, isGrid } from '#contract/game/frames.ts';
import { stageStore } from '#stores/stage.ts';

interface AimState {
  /** Whose flag is set. */
  readonly agent: number;
  /** Moved by keys and not set yet, row-major; -1: none. */
  readonly cell: number;
}

export const aimStore = createStore<AimState>(() => ({ agent: 0, cell: -1 }));

/** From now on the flag of this agent is set. */
export function aimFor(agent: number): void {
  aimStore.setState({ agent, cell: -1 });
}

/** The grid on the stage whose agents go to cells now; null: none. */
export function aimed({
  mode,
  takeover,
  source,
  t,
}: Pick<ReturnType<typeof stageStore.getState>, 'mode' | 'takeover' | 'source' | 't'>): GridLayout | null {
  const plays = mode === 'live' || mode === 'replay' || (mode === 'play' && takeover !== null);
  return plays && isGrid(source?.layout) && source.cells?.(t) !== undefined ? source.layout : null;
}

/** Sends the chosen agent to a cell. False: agents do not go to cells here. */
export function aimAt(cell: number): boolean {
  const state = stageStore.getState();
  const layout = aimed(state);
  if (layout === null) return false;
  // an episode that is over cannot go on: from its start
  if (state.mode !== 'play' && state.t >= state.length - 2) state.seek(0);
  const agent = Math.min(aimStore.getState().agent, layout.agents - 1);
  aimStore.setState({ cell: -1 });
  if (!state.playing) state.setPlaying(true);
  void game.pull({ part: agent, at: [0, 0, 0], to: [cell % layout.width, Math.floor(cell / layout.width), 0] });
  void game.pull(null);
  return true;
}

/** Moves the cell that would be set, from the flag on. */
export function moveAim(layout: GridLayout, dx: number, dy: number): void {
  const { cell, agent } = aimStore.getState();
  const { source, t } = stageStore.getState();
  const from = cell >= 0 ? cell : Math.max(0, source?.cells?.(t)?.[agent] ?? 0);
  const x = Math.min(layout.width - 1, Math.max(0, (from % layout.width) + dx));
  const y = Math.min(layout.height - 1, Math.max(0, Math.floor(from / layout.width) + dy));
  aimStore.setState({ cell: y * layout.width + x });
}
