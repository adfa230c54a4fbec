/** Lines of cards on a table, their words to the left: pictures of worlds of turns. */
import type { TableItem } from '#contract/game/frames.ts';

/** Distance of the middles of two cards in a line. */
const GAP = 1.12;

/** `n` cards at height `y`; all lines of a picture begin at the same place if they say the same `width`, in cards. */
export const lineOfCards = (
  label: string,
  faces: readonly string[],
  { n, width, y }: { readonly n: number; readonly width: number; readonly y: number },
): readonly TableItem[] => [
  { kind: 'sign', text: label, x: -(GAP * width) / 2 - 0.9, y },
  ...Array.from({ length: n }, (_, i): TableItem => ({ kind: 'card', faces, x: GAP * (i - (width - 1) / 2), y })),
];

/** Half the width of a picture of such lines. */
export const halfOf = (width: number): number => (GAP * width) / 2 + 2;
