/** The programs of one network that acts, by their number of rows: compiled when first needed, and kept. */
import type { Program, Tensor } from '../../engine/types.ts';

export interface PolicyPrograms {
  /** All outputs. */
  whole(rows: number): Program;
  /** Without the part of the network that only `value` needs. */
  actor(rows: number): Program;
}

export function policyPrograms(compile: (rows: number) => Program): PolicyPrograms {
  const programs = new Map<number, Program>();
  const actors = new Map<number, Program>();

  function whole(rows: number): Program {
    let found = programs.get(rows);
    if (found === undefined) programs.set(rows, (found = compile(rows)));
    return found;
  }

  function actor(rows: number): Program {
    let found = actors.get(rows);
    if (found === undefined) {
      const all = whole(rows);
      const acting = ({ value: _, ...rest }: { readonly [name: string]: Tensor }) => rest;
      actors.set(rows, (found = all.out.value === undefined || Object.keys(all.out).length === 1 ? all : all.derive(acting)));
    }
    return found;
  }

  return { whole, actor };
}
