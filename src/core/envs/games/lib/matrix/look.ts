/** What a matrix game looks like on a table: of two players the board of payoffs, of more a seat, a card and the last payoff for each. */
import type { TableItem, TableLayout } from '#contract/game/frames.ts';
import type { NormalForm } from './normal-form.ts';

const CELL = 1.5; // of a payoff board, in cards
const SEAT = 1.9; // from one player to the next
const SEAT_COLUMNS = 4; // two of the seat, the card, the number

/** One or two letters for a card. */
function face(label: string): string {
  return /\d+$/.exec(label)?.[0] ?? label.slice(0, 1).toUpperCase();
}

export function tableOf(game: NormalForm): TableLayout {
  const { players, sizes, actions, pay } = game;
  if (players === 2) {
    const [R = 1, C = 1] = sizes;
    const payoffs = Array.from({ length: R }, (_, r) =>
      Array.from({ length: C }, (__, c) => [pay[2 * (r * C + c)]!, pay[2 * (r * C + c) + 1]!] as const),
    );
    const [w, h] = [(CELL * C) / 2, (CELL * R) / 2];
    return {
      kind: 'table',
      items: [{ kind: 'payoff', x: 0, y: 0, rows: actions[0] ?? [], columns: actions[1] ?? [], payoffs }],
      bounds: [-w - 0.9, -h - 0.4, w + 0.4, h + 0.9],
    };
  }
  const items = actions.flatMap((labels, p): readonly TableItem[] => {
    const x = (p - (players - 1) / 2) * SEAT;
    return [
      { kind: 'seat', x, y: -1.6, name: String(p + 1), team: p },
      { kind: 'card', x, y: 0, faces: labels.map(face) },
      { kind: 'number', x, y: 1.5, label: 'paid', digits: 2 },
    ];
  });
  const half = (players * SEAT) / 2 + 0.3;
  return { kind: 'table', items, bounds: [-half, -2.4, half, 2.2] };
}

/** `last[at + p]`: action + 1 of player p in the last round, 0 before the first. */
export function showRound(game: NormalForm, last: Uint32Array, at: number, out: Float32Array): void {
  const { players, sizes, pay } = game;
  if (players === 2) {
    out[0] = last[at]! - 1;
    out[1] = last[at + 1]! - 1;
    return;
  }
  let joint = 0;
  for (let p = 0; p < players; p++) joint = joint * sizes[p]! + Math.max(0, last[at + p]! - 1);
  for (let p = 0; p < players; p++) {
    const o = SEAT_COLUMNS * p;
    out[o] = 1; // all move at once
    out[o + 1] = 0;
    out[o + 2] = last[at + p]! - 1;
    out[o + 3] = last[at] === 0 ? 0 : pay[joint * players + p]!;
  }
}
