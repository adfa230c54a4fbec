import type { Group } from 'three';

/** Something on the table: draws itself from its columns in two frames. */
export interface Thing {
  readonly root: Group;
  update(a: readonly number[], b: readonly number[], alpha: number): void;
}
