/**
 * A parameter group on a tfjs backend: all parameters in one flat tensor, the optimiser's slots in flat tensors beside it, so
 * that a step is a dozen operations whatever the number of parameters. Single parameters are cached slices.
 * Writes and loads are kept on the host until the backend is active (`flush`).
 */

import * as tf from '@tensorflow/tfjs-core';
import { present } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import { initialSlot, type Slot, slotsOf } from '../optimisers.ts';
import { groupSize, type HostGroup, offsetIn } from '../params.ts';
import { paramKey, savedArray, savedSteps, slotKey } from '../saved.ts';
import { sizeOf } from '../shapes.ts';
import type { Optimiser, Param } from '../types.ts';

function flatten(parts: readonly Float32Array[], size: number): Float32Array {
  const out = new Float32Array(size);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

export class GroupStore {
  readonly group: HostGroup;
  /** Optimiser steps taken. */
  t = 0;
  private flat: tf.Tensor | undefined;
  private readonly slots = new Map<Slot, tf.Tensor>();
  private optimiser: Optimiser | undefined;
  private readonly views = new Map<Param, tf.Tensor>();
  private readonly written = new Map<Param, Float32Array>();
  /** Holds slots that are not on the backend yet, perhaps because no program trains this group yet. */
  private loaded: Saved | undefined;

  constructor(group: HostGroup) {
    this.group = group;
  }

  get size(): number {
    return groupSize(this.group);
  }
  private offsetOf(param: Param): number {
    return offsetIn(this.group, param);
  }

  /** Says how this group is trained; all programs that train it must agree. */
  train(optimiser: Optimiser): void {
    if (this.optimiser !== undefined && JSON.stringify(this.optimiser) !== JSON.stringify(optimiser))
      throw new Error(`the group "${this.group.name}" is trained by another optimiser already`);
    this.optimiser = optimiser;
  }

  write(param: Param, data: Float32Array): void {
    if (data.length !== sizeOf(param.shape))
      throw new Error(`write: ${data.length} numbers do not fill "${param.name}" of ${sizeOf(param.shape)}`);
    this.offsetOf(param);
    this.written.set(param, Float32Array.from(data));
  }

  private savedSlot(saved: Saved, slot: Slot): Float32Array {
    const { name, params } = this.group;
    return flatten(
      params.map((p) => savedArray(saved, slotKey(name, p.name, slot), sizeOf(p.shape))),
      this.size,
    );
  }
  /** Checks everything before it changes anything; call `load` on all groups only if none of them throws. */
  check(saved: Saved): void {
    for (const p of this.group.params) savedArray(saved, paramKey(this.group.name, p.name), sizeOf(p.shape));
    if (this.optimiser === undefined || savedSteps(saved, this.group.name) === 0) return;
    for (const slot of slotsOf(this.optimiser)) this.savedSlot(saved, slot);
  }
  load(saved: Saved): void {
    for (const p of this.group.params) this.write(p, savedArray(saved, paramKey(this.group.name, p.name), sizeOf(p.shape)));
    this.t = savedSteps(saved, this.group.name);
    this.loaded = saved;
  }

  /** Brings what was written on the host to the backend, which must be active. */
  flush(): void {
    this.flushParams();
    if (this.optimiser === undefined) return;
    const { optimiser, loaded } = this;
    this.loaded = undefined;
    for (const slot of slotsOf(optimiser)) {
      if (this.slots.has(slot) && loaded === undefined) continue;
      // A file without optimiser state (a policy) makes the optimiser as new.
      const stored = loaded !== undefined && this.t > 0 ? this.savedSlot(loaded, slot) : undefined;
      this.replaceSlot(slot, tf.tensor1d(stored ?? new Float32Array(this.size).fill(initialSlot(optimiser, slot))));
    }
  }
  private flushParams(): void {
    const { group, written } = this;
    if (this.flat === undefined) {
      const parts = group.params.map((p) => written.get(p) ?? present(group.initial.get(p), 'the initial value of a parameter'));
      this.flat = tf.tensor1d(flatten(parts, this.size), 'float32');
    } else if (written.size > 0) {
      const next = tf.tidy(() =>
        tf.concat(
          group.params.map((p) => {
            const data = written.get(p);
            return data === undefined ? tf.reshape(this.view(p), [-1]) : tf.tensor1d(data);
          }),
          0,
        ),
      );
      this.replace(next);
    }
    written.clear();
  }

  /** All parameters, [size]. After flush. */
  all(): tf.Tensor {
    return present(this.flat, 'the block of parameters before flush()');
  }
  slot(name: Slot): tf.Tensor {
    return present(this.slots.get(name), 'a slot before flush()');
  }
  /** One parameter in its shape; belongs to the store. */
  view(param: Param): tf.Tensor {
    const known = this.views.get(param);
    if (known !== undefined) return known;
    // Kept even if asked for inside a tidy: it outlives the program that reads it first.
    const made = tf.keep(tf.tidy(() => tf.reshape(tf.slice(this.all(), [this.offsetOf(param)], [sizeOf(param.shape)]), [...param.shape])));
    this.views.set(param, made);
    return made;
  }
  /** Takes over new values for all parameters. */
  replace(flat: tf.Tensor): void {
    for (const v of this.views.values()) v.dispose();
    this.views.clear();
    this.flat?.dispose();
    this.flat = flat;
  }
  replaceSlot(name: Slot, value: tf.Tensor): void {
    this.slots.get(name)?.dispose();
    this.slots.set(name, value);
  }

  /** Parameters, and with `slots` the optimiser's, by the keys of saved.ts. After flush. */
  async arrays(slots: boolean): Promise<Map<string, Float32Array>> {
    const { name, params } = this.group;
    const out = new Map<string, Float32Array>();
    const take = async (flat: tf.Tensor, key: (param: string) => string): Promise<void> => {
      const data = (await flat.data()) as Float32Array;
      for (const p of params) out.set(key(p.name), data.slice(this.offsetOf(p), this.offsetOf(p) + sizeOf(p.shape)));
    };
    const kept = slots ? [...this.slots] : [];
    await Promise.all([
      take(this.all(), (p) => paramKey(name, p)),
      ...kept.map(([slot, flat]) => take(flat, (p) => slotKey(name, p, slot))),
    ]);
    return out;
  }
  /** Steps to be saved; undefined if nothing trains this group. */
  get steps(): number | undefined {
    return this.optimiser === undefined ? undefined : this.t;
  }

  dispose(): void {
    for (const x of [...this.views.values(), ...this.slots.values(), ...(this.flat === undefined ? [] : [this.flat])]) x.dispose();
    this.views.clear();
    this.slots.clear();
    this.flat = undefined;
  }
}
