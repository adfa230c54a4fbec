/**
 * Completions of a token environment, all rows in lockstep. A step program keeps the keys and values of what each row has read, so a token
 * costs one column of attention. A rollout gives every row one whole episode; members of a group start from the same prompt.
 */
import type { Engine, Graph } from '#core/engine/types.ts';
import { createActions } from '#core/envs/api/buffers.ts';
import { withSeed } from '#core/envs/api/state.ts';
import type { Actions, EnvMeta } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { cacheShapes, type TransformerShape, tokenLogits, transformerStep, type Weights } from '#core/nets/transformer.ts';
import type { Rng } from '#math/rng.ts';
import { categorical } from '#math/sampling.ts';

/** Tokens of a row. */
export function placesOf(meta: EnvMeta): { readonly places: number; readonly vocabulary: number } {
  const obs = meta.agents[0]!.obs;
  if (obs.kind !== 'grid') throw new Error('token environments have observations of [1, places, 1]');
  return { places: obs.shape[1], vocabulary: obs.codes[0]! };
}

export interface Decoder {
  /** [rows, V], of the last token of each row. Valid until the next call. */
  readonly logits: () => Float32Array;
  /** Forgets all rows. */
  clear(): void;
  /** Reads each row's tokens ids[row * places ..] up to lengths[row] that it has not read. */
  read(ids: Float32Array, lengths: Int32Array): Promise<void>;
}

export function createDecoder(
  engine: Engine,
  shape: TransformerShape,
  weights: (g: Graph) => Weights,
  rows: number,
  places: number,
): Decoder {
  const cache = cacheShapes(shape, rows, places);
  const program = engine.compile(
    { ids: [rows], positions: [rows], ...cache },
    (x, g) => {
      const w = weights(g);
      const out = transformerStep(shape, w, x);
      return { logits: tokenLogits(shape, w, out.states), newKeys: out.keys, newValues: out.values };
    },
    { name: 'decode' },
  );
  const done = new Int32Array(rows);
  const { layers, heads, width } = shape;
  const E = width / heads;
  /** Puts what the program gave for each row's token to its place. */
  const keep = (): void => {
    const { positions, keys, values } = program.in;
    const { newKeys, newValues } = program.out;
    for (let lr = 0; lr < layers * rows; lr++) {
      const at = positions[lr % rows]!;
      for (let h = 0; h < heads; h++) {
        const from = lr * width + h * E;
        const head = lr * heads + h;
        for (let e = 0; e < E; e++) {
          keys[(head * E + e) * places + at] = newKeys[from + e]!;
          values[(head * places + at) * E + e] = newValues[from + e]!;
        }
      }
    }
  };
  return {
    logits: () => program.out.logits,
    clear: () => done.fill(0),
    async read(ids, lengths) {
      for (let more = true; more; ) {
        more = false;
        const feed = program.in;
        for (let row = 0; row < rows; row++) {
          // a row without anything new reads its last token again: the same numbers at the same place
          const at = Math.min(done[row]!, lengths[row]! - 1);
          feed.ids[row] = ids[row * places + at]!;
          feed.positions[row] = at;
          done[row] = at + 1;
          if (at + 1 < lengths[row]!) more = true;
        }
        const pending = program.run();
        if (pending) await pending;
        keep();
      }
    },
  };
}

/** One episode per row. */
export interface Completions {
  /** [rows, places] ids, 0 behind the end. */
  readonly ids: Float32Array;
  /** [rows, places] 1 where the policy wrote the token. */
  readonly written: Float32Array;
  readonly lengths: Int32Array;
  /** Tokens written. */
  readonly count: Int32Array;
  /** Sum of the rewards of each row's episode. */
  readonly rewards: Float64Array;
}

export interface Collector {
  readonly last: Completions;
  /** Plays one episode in every row; gives the number of tokens written. `act` says the next token of the rows that play. */
  collect(next: (completions: Completions, playing: Uint8Array, actions: Actions) => Promise<void> | void): Promise<number>;
}

/** `group` rows in a row start alike, from a prompt drawn by the first of them; 1: each from its own. */
export function createCollector(env: VectorEnv, group: number, seeds: Rng): Collector {
  const { meta, batch: rows, buffers } = env;
  const { places } = placesOf(meta);
  const last: Completions = {
    ids: new Float32Array(rows * places),
    written: new Float32Array(rows * places),
    lengths: new Int32Array(rows),
    count: new Int32Array(rows),
    rewards: new Float64Array(rows),
  };
  const actions = createActions(meta, rows);
  const playing = new Uint8Array(rows);
  const all = new Uint8Array(rows).fill(1);
  const look = (row: number, from: Float32Array): void => {
    const at = row * places;
    let n = 0;
    for (let i = 0; i < places; i++) {
      const id = from[at + i]!;
      last.ids[at + i] = id;
      if (id !== 0) n = i + 1;
    }
    last.lengths[row] = n;
  };
  return {
    last,
    async collect(next) {
      env.env.restart(all, buffers);
      if (group > 1) {
        for (let first = 0; first < rows; first += group) {
          const start = env.env.save(first);
          for (let row = first + 1; row < first + group; row++) env.env.load(row, withSeed(start, seeds.next()), buffers);
        }
      }
      last.written.fill(0);
      last.count.fill(0);
      last.rewards.fill(0);
      playing.fill(1);
      for (let row = 0; row < rows; row++) look(row, buffers.obs);
      let total = 0;
      for (let left = rows; left > 0; ) {
        await next(last, playing, actions);
        for (let row = 0; row < rows; row++) {
          if (playing[row] === 0) continue;
          last.written[row * places + last.lengths[row]!] = 1;
          last.count[row] = last.count[row]! + 1;
          total++;
        }
        env.step(actions, playing);
        for (let row = 0; row < rows; row++) {
          if (playing[row] === 0) continue;
          last.rewards[row] = last.rewards[row]! + buffers.reward[row]!;
          const over = buffers.terminated[row] === 1 || buffers.truncated[row] === 1;
          look(row, over ? buffers.finalObs : buffers.obs);
          if (!over) continue;
          playing[row] = 0;
          left--;
        }
      }
      return total;
    },
  };
}

/** Draws the next token of every row that plays from the logits of the decoder. */
export function sampler(decoder: Decoder, vocabulary: number, rng: Rng) {
  return async ({ ids, lengths }: Completions, playing: Uint8Array, actions: Actions): Promise<void> => {
    await decoder.read(ids, lengths);
    const logits = decoder.logits();
    for (let row = 0; row < actions.length; row++)
      actions[row] = playing[row] === 0 ? 0 : categorical(logits, row * vocabulary, vocabulary, rng.uniform());
  };
}
