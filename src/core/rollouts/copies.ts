/** Copies of an environment on the device: their states go there from the host's copies, and come back to be saved. */
import type { DeviceSide, Param } from '../engine/types.ts';
import type { VectorEnv } from '../envs/api/vector-env.ts';
import { type StateLayout, stateLayout } from './row.ts';

export interface Copies {
  readonly layout: StateLayout;
  readonly floats: Param;
  readonly words: Param;
  readonly obs: Param;
  /** The host's states and observations go to the device. */
  push(): void;
  /** The other way round; the host's copies keep their episode statistics. */
  pull(): Promise<void>;
}

/** Bytes of a saved row before its fields (envs/api/state.ts). */
const HEADER = 8;

export function deviceCopies(device: DeviceSide, env: VectorEnv): Copies {
  const { meta, batch, buffers } = env;
  const layout = stateLayout(meta.state);
  const { floats: F, words: W } = layout;
  const floats = device.memory('floats', [batch, Math.max(1, F)]);
  const words = device.memory('words', [batch, W]);
  const obs = device.memory('obs', [batch, meta.obsSize]);
  return {
    layout,
    floats,
    words,
    obs,
    push() {
      const numbers = new Float32Array(batch * Math.max(1, F));
      const bits = new Uint32Array(batch * W);
      for (let row = 0; row < batch; row++) {
        const state = env.env.save(row);
        numbers.set(new Float64Array(state.buffer, state.byteOffset + HEADER, F), row * F);
        bits.set(new Uint32Array(state.buffer, state.byteOffset + HEADER + 8 * F, W), row * W);
      }
      device.write(floats, numbers);
      device.write(words, bits);
      device.write(obs, Float32Array.from(buffers.obs));
    },
    async pull() {
      const numbers = await device.read(floats);
      const read = await device.read(words);
      const bits = new Uint32Array(read.buffer, read.byteOffset, read.length);
      for (let row = 0; row < batch; row++) {
        const state = env.env.save(row);
        new Float64Array(state.buffer, state.byteOffset + HEADER, F).set(numbers.subarray(row * F, (row + 1) * F));
        new Uint32Array(state.buffer, state.byteOffset + HEADER + 8 * F, W).set(bits.subarray(row * W, (row + 1) * W));
        env.env.load(row, state, buffers);
      }
    },
  };
}
