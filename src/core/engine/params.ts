/**
 * A parameter group that keeps its initial values on the host: what executors without a memory of their own start from,
 * and what tests of networks use. Names are unique in a group.
 */
import { showShape, sizeOf } from './shapes.ts';
import type { Param, ParamGroup, Shape } from './types.ts';

export interface HostGroup extends ParamGroup {
  readonly initial: ReadonlyMap<Param, Float32Array>;
  /** After this, `param` throws. */
  freeze(): void;
}

/** Numbers of all parameters of a group. */
export const groupSize = ({ params }: ParamGroup): number => params.reduce((n, p) => n + sizeOf(p.shape), 0);

/** Where a parameter begins where those of its group lie behind each other. Throws Error for a parameter of another group. */
export function offsetIn(group: ParamGroup, param: Param): number {
  let at = 0;
  for (const p of group.params) {
    if (p === param) return at;
    at += sizeOf(p.shape);
  }
  throw new Error(`"${param.name}" is not a parameter of "${group.name}"`);
}

export function hostGroup(name: string): HostGroup {
  const params: Param[] = [];
  const initial = new Map<Param, Float32Array>();
  let frozen = false;
  const group: HostGroup = {
    name,
    params,
    initial,
    freeze: () => {
      frozen = true;
    },
    param(key: string, shape: Shape, init: Float32Array): Param {
      if (frozen) throw new Error(`parameter "${name}.${key}" comes too late: a program that uses "${name}" is compiled already`);
      if (params.some((p) => p.name === key)) throw new Error(`there are two parameters "${name}.${key}"`);
      if (init.length !== sizeOf(shape))
        throw new Error(`parameter "${name}.${key}": ${init.length} numbers do not fill ${showShape(shape)}`);
      const param: Param = { name: key, shape: [...shape], group };
      params.push(param);
      initial.set(param, Float32Array.from(init));
      return param;
    },
  };
  return group;
}
