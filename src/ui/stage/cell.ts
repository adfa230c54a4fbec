/** The cell of a grid that a person points at, shared by the scene and the explanation beside it. */
import { createStore } from 'zustand/vanilla';

interface CellState {
  /** Under the pointer, row-major; -1: none. */
  readonly hovered: number;
  /** Clicked: stays until another click; -1: none. */
  readonly pinned: number;
  /** An action highlighted in the explanation, drawn alone on the map; -1: none. */
  readonly action: number;
}

export const cellStore = createStore<CellState>(() => ({ hovered: -1, pinned: -1, action: -1 }));

/** The cell to talk about: the hovered one, else the clicked one. */
export function cellOfInterest({ hovered, pinned }: CellState): number {
  return hovered >= 0 ? hovered : pinned;
}

export function hoverCell(hovered: number): void {
  cellStore.setState({ hovered });
}

/** Pressed again it is let go. */
export function pinCell(cell: number): void {
  cellStore.setState(({ pinned }) => ({ pinned: pinned === cell ? -1 : cell }));
}

/** -1: none. */
export function pointAtAction(action: number): void {
  cellStore.setState({ action });
}
