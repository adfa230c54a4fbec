/** How much each cell of the shown frame matters, drawn on the scene while an explanation of that frame is open. */
import { createStore } from 'zustand/vanilla';
import type { FeatureAttribution } from '#contract/explain/explain.ts';
import { frameSize, type GridLayout, isGrid } from '#contract/game/frames.ts';
import { agentOffset } from '#scenes/lib/frames.ts';
import { stageStore } from '#stores/stage.ts';

interface Heat {
  /** [H*W] 0 and more, NaN where nothing is said; null: nothing is drawn. */
  readonly cells: Float32Array | null;
}

export const heatStore = createStore<Heat>(() => ({ cells: null }));

const DX = [1, 0, -1, 0] as const;
const DY = [0, 1, 0, -1] as const;

/** An agent's view ahead of it, column by column from its left, far to near: its cells lie turned on the board. */
export function looksAhead(layout: GridLayout, [width, height]: readonly [number, number]): boolean {
  return layout.view > 0 && layout.headings && layout.centred !== true && width === height && width === 2 * layout.view + 1;
}

/** The cell of the board that each cell of an agent's view is; -1: not on it. null: the view cannot be laid on the board. */
export function boardCells(layout: GridLayout, view: readonly [number, number], frame: Float32Array, agent: number): Int32Array | null {
  const [width, height] = view;
  const cells = width * height;
  if (looksAhead(layout, view)) {
    const at = layout.width * layout.height * 3 + agent * 6;
    const [ax, ay, dir] = [frame[at]!, frame[at + 1]!, Math.round(frame[at + 2]!) & 3];
    const side = (dir + 1) % 4;
    return Int32Array.from({ length: cells }, (_, cell) => {
      const right = Math.floor(cell / width) - layout.view;
      const ahead = width - 1 - (cell % width);
      const x = ax + DX[dir]! * ahead + DX[side]! * right;
      const y = ay + DY[dir]! * ahead + DY[side]! * right;
      return x >= 0 && y >= 0 && x < layout.width && y < layout.height ? y * layout.width + x : -1;
    });
  }
  return width === layout.width && height === layout.height ? Int32Array.from({ length: cells }, (_, cell) => cell) : null;
}

/** What each feature is called at frame t of the shown episode: cells of a view by what lies there and where that is from the agent. */
export function seenNames(of: FeatureAttribution, t: number): readonly string[] {
  const { source } = stageStore.getState();
  const plain = of.features.map(({ name }) => name);
  if (of.view === null || source === null || !isGrid(source.layout)) return plain;
  const { layout } = source;
  const frame = new Float32Array(frameSize(layout));
  const board = source.read(t, frame) ? boardCells(layout, of.view, frame, of.question.agent) : null;
  if (board === null) return plain;
  const [width] = of.view;
  const ahead = looksAhead(layout, of.view);
  return of.features.map(({ cell, name }) => {
    if (cell === null) return name;
    const at = board[cell]!;
    const hands = ahead && cell === handsOf(width, layout.view);
    // where the agent itself stands it sees what it carries
    const code = hands ? frame[agentOffset(layout) + of.question.agent * 6 + 3]! : (frame[at * 3] ?? 0);
    const look = hands && code === 0 ? 'nothing' : at < 0 ? 'outside' : (layout.looks[code] ?? 'cell');
    return `${look === 'empty' ? 'floor' : look}, ${ahead ? fromAgent(cell, width, layout.view) : `column ${at % layout.width}, row ${Math.floor(at / layout.width)}`}`;
  });
}

/** The cell of a view ahead in which the agent itself stands. */
function handsOf(width: number, view: number): number {
  return view * width + width - 1;
}

function fromAgent(cell: number, width: number, view: number): string {
  const right = Math.floor(cell / width) - view;
  const far = width - 1 - (cell % width);
  if (right === 0 && far === 0) return 'in its hands';
  const side = right === 0 ? '' : `${Math.abs(right)} ${right < 0 ? 'left' : 'right'}`;
  return [far === 0 ? '' : `${far} ahead`, side].filter(Boolean).join(' ');
}

/** Draws the sizes of the cells' shares; false: they cannot be laid on this board. */
export function showHeat(of: FeatureAttribution): boolean {
  const { source, t } = stageStore.getState();
  if (of.view === null || source === null || !isGrid(source.layout)) return false;
  const { layout } = source;
  const frame = new Float32Array(frameSize(layout));
  if (!source.read(t, frame)) return false;
  const board = boardCells(layout, of.view, frame, of.question.agent);
  if (board === null) return false;
  const cells = new Float32Array(layout.width * layout.height).fill(Number.NaN);
  of.features.forEach(({ cell }, i) => {
    const at = cell === null ? -1 : board[cell]!;
    if (at >= 0) cells[at] = Math.abs(of.value[i]!);
  });
  heatStore.setState({ cells });
  return true;
}

export function hideHeat(): void {
  if (heatStore.getState().cells !== null) heatStore.setState({ cells: null });
}
