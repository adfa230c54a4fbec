/** One action of one row, as the end rules see it: before and after. One object, filled anew for every row. */
export const LEFT = 0;
export const RIGHT = 1;
export const FORWARD = 2;
export const PICKUP = 3;
export const DROP = 4;
export const TOGGLE = 5;
export const DONE = 6;

export interface Moment {
  words: Uint32Array;
  base: number; // where the cells of the row begin
  width: number;
  height: number;
  x: number; // agent, after the move
  y: number;
  frontX: number; // the cell in front, after the move
  frontY: number;
  front: number; // its index, -1 outside the map
  action: number;
  heldBefore: number; // word in hand, 0 none
  heldAfter: number;
  /** Doors a and b of an open-in-order rule before the action. */
  firstOpen: boolean;
  onGoal: boolean;
  a: number;
  b: number;
  /** Where cells lie from the start pose (places.ts), of this row from placesBase on; empty where no instruction asks. */
  places: Uint8Array;
  placesBase: number;
}
