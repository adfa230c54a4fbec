import type { Group } from 'three';

/** Something on the table: draws itself from its columns in two frames. */
export interface Thing {
  readonly root: Group;
  /** Whether the action between the two frames is this thing's; called before update. */
  act?(own: boolean): void;
  /** Shows or hides what the player does not know. */
  reveal?(on: boolean): void;
  update(a: readonly number[], b: readonly number[], alpha: number): void;
}
