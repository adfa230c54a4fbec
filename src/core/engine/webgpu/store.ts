/**
 * Where a parameter group lies in the device's one buffer of parameters: its values in one block, the optimiser's slots in blocks of
 * the same size. Laid out by the first program that uses the group; what is written before waits on the host.
 */
import { present } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import { initialSlot, type Slot, slotsOf } from '../optimisers.ts';
import { groupSize, type HostGroup, hostGroup, offsetIn } from '../params.ts';
import { paramKey, savedArray, savedSteps, slotKey } from '../saved.ts';
import { sizeOf } from '../shapes.ts';
import type { Optimiser, Param } from '../types.ts';

/** Writes floats to the buffer of parameters, and finds room in it. */
export interface Room {
  allocate(floats: number): number;
  write(at: number, data: Float32Array<ArrayBuffer>): void;
}

export class GroupStore {
  readonly group: HostGroup;
  /** Optimiser steps taken. */
  t = 0;
  private readonly room: Room;
  private base: number | undefined;
  private readonly slots = new Map<Slot, number>();
  private optimiser: Optimiser | undefined;
  private readonly written = new Map<Param, Float32Array>();

  constructor(name: string, room: Room) {
    this.group = hostGroup(name);
    this.room = room;
  }

  get size(): number {
    return groupSize(this.group);
  }
  /** Parameters, and slots of the optimiser. */
  get tensors(): number {
    return this.group.params.length * (1 + this.slots.size);
  }
  private offsetOf(param: Param): number {
    return offsetIn(this.group, param);
  }
  private host(param: Param): Float32Array {
    return this.written.get(param) ?? present(this.group.initial.get(param), 'the initial value of a parameter');
  }

  /** After this the group has a place on the device. */
  layOut(): void {
    if (this.base !== undefined) return;
    this.group.freeze();
    this.base = this.room.allocate(this.size);
    for (const p of this.group.params) this.room.write(this.base + this.offsetOf(p), Float32Array.from(this.host(p)));
    this.written.clear();
  }
  /** The first float of the group's values; after layOut. */
  get values(): number {
    return present(this.base, 'the place of a parameter group');
  }
  placeOf(param: Param): number {
    return this.values + this.offsetOf(param);
  }

  /** Says how this group is trained; all programs that train it must agree. `saved`: state that was loaded before. */
  train(optimiser: Optimiser, saved: Saved | undefined): ReadonlyMap<Slot, number> {
    if (this.optimiser !== undefined) {
      if (JSON.stringify(this.optimiser) !== JSON.stringify(optimiser))
        throw new Error(`the group "${this.group.name}" is trained by another optimiser already`);
      return this.slots;
    }
    this.layOut();
    this.optimiser = optimiser;
    for (const slot of slotsOf(optimiser)) {
      const at = this.room.allocate(this.size);
      this.slots.set(slot, at);
      this.room.write(at, new Float32Array(this.size).fill(initialSlot(optimiser, slot)));
    }
    if (saved !== undefined) this.slotsFrom(saved)();
    return this.slots;
  }

  /** The value on the host while the group has no place on the device. */
  early(param: Param): Float32Array | undefined {
    this.offsetOf(param);
    return this.base === undefined ? this.host(param).slice() : undefined;
  }
  write(param: Param, data: Float32Array): void {
    if (data.length !== sizeOf(param.shape)) throw new Error(`write: ${data.length} numbers do not fill "${param.name}" [${param.shape}]`);
    const at = this.offsetOf(param);
    if (this.base === undefined) this.written.set(param, data.slice());
    else this.room.write(this.base + at, Float32Array.from(data));
  }

  /** Checks a file for this group; the answer puts it in place. */
  stateFrom(saved: Saved): () => void {
    const { name, params } = this.group;
    const values = params.map((p) => savedArray(saved, paramKey(name, p.name), sizeOf(p.shape)));
    const slots = this.slotsFrom(saved);
    return () => {
      params.forEach((p, i) => {
        this.write(p, values[i]!);
      });
      slots();
    };
  }
  /** The same for the optimiser's state alone. A file without it (a policy) makes the optimiser as new. */
  private slotsFrom(saved: Saved): () => void {
    const { name, params } = this.group;
    const { optimiser } = this;
    if (optimiser === undefined) return () => undefined;
    const t = savedSteps(saved, name);
    const slots = [...this.slots].map(([slot, at]) => ({
      at,
      data: params.map((p) => {
        const size = sizeOf(p.shape);
        if (t > 0) return savedArray(saved, slotKey(name, p.name, slot), size);
        return new Float32Array(size).fill(initialSlot(optimiser, slot));
      }),
    }));
    return () => {
      this.t = t;
      for (const { at, data } of slots)
        params.forEach((p, i) => {
          this.room.write(at + this.offsetOf(p), Float32Array.from(data[i]!));
        });
    };
  }

  /** Parameters, and with `slots` the optimiser's state, out of what the device's buffer holds, by the keys of saved.ts. */
  arrays(device: Float32Array, slots: boolean): [string, Float32Array][] {
    const { name, params } = this.group;
    const { base } = this;
    if (base === undefined) return params.map((p) => [paramKey(name, p.name), this.host(p).slice()]);
    const cut = (at: number, p: Param): Float32Array => device.slice(at + this.offsetOf(p), at + this.offsetOf(p) + sizeOf(p.shape));
    const values = params.map((p): [string, Float32Array] => [paramKey(name, p.name), cut(base, p)]);
    const kept = [...(slots ? this.slots : [])].flatMap(([slot, at]) =>
      params.map((p): [string, Float32Array] => [slotKey(name, p.name, slot), cut(at, p)]),
    );
    return [...values, ...kept];
  }
  /** Steps to be saved; undefined if nothing trains this group. */
  get steps(): number | undefined {
    return this.optimiser === undefined ? undefined : this.t;
  }
}
