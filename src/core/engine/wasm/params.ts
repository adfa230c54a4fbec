/**
 * Parameter groups in linear memory. One block per stream (parameters, gradients, each optimiser slot), all with the same offsets:
 * every tensor starts at a multiple of 8 floats and the padding stays zero, so that an optimiser or the norm is one pass.
 */
import { initialSlot, type Slot, slotsOf } from '../optimisers.ts';
import { sizeOf } from '../shapes.ts';
import type { Optimiser, Param, ParamGroup, Shape } from '../types.ts';
import type { Memory } from './memory.ts';
import { type Buffer, newBuffer } from './view.ts';

export interface OptimiserState {
  readonly optimiser: Optimiser;
  readonly slots: ReadonlyMap<Slot, number>; // address of each block
  /** Steps taken. */
  t: number;
}

export class WasmGroup implements ParamGroup {
  readonly name: string;
  readonly params: WasmParam[] = [];
  /** Floats of one block; 0 before layout. */
  floats = 0;
  /** Address of the parameters; 0 before layout. */
  values = 0;
  private gradientBlock = 0;
  state: OptimiserState | undefined;
  private readonly memory: Memory;

  constructor(memory: Memory, name: string) {
    this.memory = memory;
    this.name = name;
  }

  param(name: string, shape: Shape, init: Float32Array): Param {
    if (this.values !== 0) throw new Error(`${this.name}: "${name}" comes too late, a program uses this group already`);
    if (this.params.some((p) => p.name === name)) throw new Error(`${this.name}: there are two parameters "${name}"`);
    const size = sizeOf(shape);
    if (init.length !== size) throw new Error(`${this.name}/${name}: ${init.length} numbers do not fill [${shape}]`);
    const param = new WasmParam(this, name, shape, this.floats, Float32Array.from(init));
    this.floats += (size + 7) & ~7;
    this.params.push(param);
    return param;
  }

  /** Gives the parameters their place in memory, once. */
  layout(): void {
    if (this.values !== 0) return;
    this.values = this.memory.allocate(Math.max(this.floats, 8) * 4);
    for (const p of this.params) this.memory.f32.set(p.initial, (this.values >> 2) + p.offset);
  }

  gradients(): number {
    this.layout();
    if (this.gradientBlock === 0) this.gradientBlock = this.memory.allocate(Math.max(this.floats, 8) * 4);
    return this.gradientBlock;
  }

  optimiserState(optimiser: Optimiser): OptimiserState {
    this.layout();
    if (this.state !== undefined) {
      if (JSON.stringify(this.state.optimiser) !== JSON.stringify(optimiser))
        throw new Error(`${this.name}: programs that train one group must use one optimiser`);
      return this.state;
    }
    const slots = new Map<Slot, number>();
    for (const slot of slotsOf(optimiser)) {
      const at = this.memory.allocate(Math.max(this.floats, 8) * 4);
      slots.set(slot, at);
      // padding too: its gradient is zero, so what it holds never reaches a parameter
      this.memory.f32.fill(initialSlot(optimiser, slot), at >> 2, (at >> 2) + this.floats);
    }
    this.state = { optimiser, slots, t: 0 };
    return this.state;
  }
}

export class WasmParam implements Param {
  readonly group: WasmGroup;
  readonly name: string;
  readonly shape: Shape;
  readonly size: number;
  /** In its group's blocks, floats. */
  readonly offset: number;
  /** The value before layout. */
  readonly initial: Float32Array;

  constructor(group: WasmGroup, name: string, shape: Shape, offset: number, initial: Float32Array) {
    this.group = group;
    this.name = name;
    this.shape = [...shape];
    this.size = initial.length;
    this.offset = offset;
    this.initial = initial;
  }

  buffer(block: number): Buffer {
    return newBuffer(this.size, block + this.offset * 4);
  }
}

/** The executor's own parameter behind the interface. */
export function asWasm(param: Param): WasmParam {
  if (param instanceof WasmParam) return param;
  throw new Error(`"${param.name}" belongs to another executor`);
}
export function asWasmGroup(group: ParamGroup): WasmGroup {
  if (group instanceof WasmGroup) return group;
  throw new Error(`group "${group.name}" belongs to another executor`);
}
