/**
 * Logits of the next token of many rows in lockstep. A step program keeps the keys and values of what each row has read, so a token costs one
 * column of attention.
 */
import { reshape } from '#core/engine/ops.ts';
import type { DeviceSide, Engine, Graph } from '#core/engine/types.ts';
import { cacheShapes, type TransformerShape, tokenLogits, transformerStep, type Weights } from '#core/nets/transformer.ts';

export interface Decoder {
  /** [rows, V], of the last token of each row that was read for. Valid until the next call. */
  readonly logits: () => Float32Array;
  /** Forgets all rows, or one. */
  clear(row?: number): void;
  /**
   * Reads each row's tokens ids[row * places ..] up to lengths[row] that it has not read. `playing` [rows]: 0 for rows that have ended, whose
   * tokens need not be read before all rows are forgotten.
   */
  read(ids: Float32Array, lengths: Int32Array, playing?: Uint8Array): Promise<void>;
}

/** What a step program is fed in every slot: the next token that its row has not read. */
interface StepFeed {
  readonly ids: Float32Array;
  readonly positions: Float32Array;
}

/**
 * Tokens one by one, in every row the next that it has not read: `step` runs the program fed with them; `more`: another step follows at once,
 * whose logits alone are read. `slots`: the row that each slot of the program holds.
 */
async function readTokens(
  {
    ids,
    lengths,
    places,
    done,
    slots,
    playing,
  }: {
    readonly ids: Float32Array;
    readonly lengths: Int32Array;
    readonly places: number;
    readonly done: Int32Array;
    readonly slots: Int32Array;
    readonly playing: Uint8Array | undefined;
  },
  feed: () => StepFeed,
  step: (more: boolean) => Promise<void> | undefined,
): Promise<void> {
  for (let more = true; more; ) {
    more = false;
    const into = feed();
    for (let slot = 0; slot < slots.length; slot++) {
      const row = slots[slot]!;
      // a row without anything new, or that has ended, reads its last token again: the same numbers at the same place
      const end = playing?.[row] === 0 ? Math.max(1, done[row]!) : lengths[row]!;
      const at = Math.min(done[row]!, end - 1);
      into.ids[slot] = ids[row * places + at]!;
      into.positions[slot] = at;
      done[row] = at + 1;
      if (at + 1 < end) more = true;
    }
    const pending = step(more);
    if (pending) await pending;
  }
}

const everyRow = (rows: number): Int32Array => Int32Array.from({ length: rows }, (_, row) => row);

/** Rows of the smallest step program: below, a step costs hardly less. */
const FEWEST_ROWS = 8;

/** One step for `rows` rows. Keys and values lie in the program's inputs, where the host puts those of every token. */
function compileStep(engine: Engine, shape: TransformerShape, weights: (g: Graph) => Weights, rows: number, places: number) {
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
    rows,
    program,
    step(): Promise<void> | undefined {
      const pending = program.run();
      if (pending) return pending.then(keep);
      keep();
      return undefined;
    },
  };
}

/**
 * Reads in the program for all rows; rows that have ended leave it as soon as those that go on fit into one of half the rows. What a row is
 * given does not depend on the rows beside it, so the bits are the same.
 */
function createReader(engine: Engine, shape: TransformerShape, weights: (g: Graph) => Weights, rows: number, places: number) {
  const { layers, width, vocabulary } = shape;
  const all = compileStep(engine, shape, weights, rows, places);
  const steps = [all];
  const identity = everyRow(rows);
  const done = new Int32Array(rows);
  const logits = new Float32Array(rows * vocabulary);
  let now = all;
  /** Row of each slot of `now`; what its further slots are fed, is of no account. */
  let slots = identity;
  const half = (of: typeof all): typeof all => {
    const fewer = Math.ceil(of.rows / 2);
    let found = steps.find((one) => one.rows === fewer);
    if (found === undefined) steps.push((found = compileStep(engine, shape, weights, fewer, places)));
    return found;
  };
  const leave = (playing: Uint8Array): void => {
    const going = identity.filter((row) => playing[row] === 1);
    let to = now;
    while (to.rows >= 2 * FEWEST_ROWS && going.length <= to.rows / 2) to = half(to);
    if (to === now || going.length === 0) return;
    const block = width * places; // of a row in a layer
    const [from, into] = [now.program.in, to.program.in];
    going.forEach((row, slot) => {
      const at = slots.indexOf(row);
      for (let l = 0; l < layers; l++) {
        const [old, place] = [(l * now.rows + at) * block, (l * to.rows + slot) * block];
        into.keys.set(from.keys.subarray(old, old + block), place);
        into.values.set(from.values.subarray(old, old + block), place);
      }
    });
    now = to;
    slots = going;
  };
  return {
    all: all.program,
    done,
    logits: (): Float32Array => {
      const { logits: found } = now.program.out;
      if (now === all) return found;
      for (const [slot, row] of slots.entries()) logits.set(found.subarray(slot * vocabulary, (slot + 1) * vocabulary), row * vocabulary);
      return logits;
    },
    clear(row?: number): void {
      if (row !== undefined) {
        done[row] = 0;
        return;
      }
      done.fill(0);
      now = all;
      slots = identity;
    },
    read(ids: Float32Array, lengths: Int32Array, playing?: Uint8Array): Promise<void> {
      if (playing !== undefined) leave(playing);
      return readTokens({ ids, lengths, places, done, slots, playing }, () => now.program.in, now.step);
    },
  };
}

/** Keys and values stay in the memory of a graphics device: a token takes its number there and brings its logits back, and a prompt brings nothing. */
function createDeviceReader(
  engine: Engine,
  device: DeviceSide,
  shape: TransformerShape,
  weights: (g: Graph) => Weights,
  rows: number,
  places: number,
): Decoder {
  const cache = cacheShapes(shape, rows, places);
  const { layers, heads, width } = shape;
  const E = width / heads;
  const compile = () => {
    const [keys, values] = [device.memory('keys', cache.keys), device.memory('values', cache.values)];
    return engine.compile(
      { ids: [rows], positions: [rows] },
      ({ ids, positions }, g) => {
        const w = weights(g);
        const out = transformerStep(shape, w, { ids, positions, keys: g.read(keys), values: g.read(values) });
        const at = reshape(positions, [1, rows, 1, 1, 1]);
        g.put(keys, 4, at, reshape(out.keys, [layers, rows, heads, E, 1]));
        g.put(values, 3, at, reshape(out.values, [layers, rows, heads, 1, E]));
        return { logits: tokenLogits(shape, w, out.states) };
      },
      { name: 'decode' },
    );
  };
  // made at the first token: behind everything that is saved, which is read back in one piece
  let made: ReturnType<typeof compile> | undefined;
  const program = () => (made ??= compile());
  const done = new Int32Array(rows);
  const slots = everyRow(rows);
  return {
    logits: () => program().out.logits,
    clear: (row) => void (row === undefined ? done.fill(0) : done.fill(0, row, row + 1)),
    read: (ids, lengths, playing) =>
      readTokens(
        { ids, lengths, places, done, slots, playing },
        () => program().in,
        (more) => program().run({ read: !more }),
      ),
  };
}

/** `members`: so many rows in a row start alike; what they have in common at first is read once for all of them. */
export function createDecoder(
  engine: Engine,
  shape: TransformerShape,
  weights: (g: Graph) => Weights,
  rows: number,
  places: number,
  members = 1,
): Decoder {
  if (engine.device !== undefined) return createDeviceReader(engine, engine.device, shape, weights, rows, places);
  const each = createReader(engine, shape, weights, rows, places);
  const groups = rows / members;
  const first = members === 1 ? null : createReader(engine, shape, weights, groups, places);
  const { layers, heads, width } = shape;
  const E = width / heads;
  /** Tokens of each group that all its members begin with but one, whose logits every row wants for itself; null: some group has none. */
  const sharedOf = (ids: Float32Array, lengths: Int32Array): Int32Array | null => {
    const shared = new Int32Array(groups);
    for (let group = 0; group < groups; group++) {
      const from = group * members;
      let n = lengths[from]!;
      for (let row = from + 1; row < from + members; row++) {
        n = Math.min(n, lengths[row]!);
        for (let i = 0; i < n; i++) if (ids[row * places + i] !== ids[from * places + i]) n = i;
      }
      if (n < 2) return null;
      shared[group] = n - 1;
    }
    return shared;
  };
  /** Gives every member what its group has read. */
  const spread = (from: NonNullable<typeof first>, shared: Int32Array): void => {
    const { keys, values } = each.all.in;
    const { keys: oneKeys, values: oneValues } = from.all.in;
    for (let lr = 0; lr < layers * rows; lr++) {
      const group = Math.floor((lr % rows) / members);
      const n = shared[group]!;
      for (let h = 0; h < heads; h++) {
        const to = (lr * heads + h) * E * places;
        const at = ((Math.floor(lr / rows) * groups + group) * heads + h) * E * places;
        for (let e = 0; e < E; e++) keys.set(oneKeys.subarray(at + e * places, at + e * places + n), to + e * places);
        values.set(oneValues.subarray(at, at + n * E), to);
      }
    }
    for (let row = 0; row < rows; row++) each.done[row] = shared[Math.floor(row / members)]!;
  };
  return {
    logits: each.logits,
    clear: each.clear,
    async read(ids, lengths, playing) {
      const shared = first !== null && each.done.every((n) => n === 0) ? sharedOf(ids, lengths) : null;
      if (first !== null && shared !== null) {
        const one = Float32Array.from(
          { length: groups * places },
          (_, i) => ids[Math.floor(i / places) * members * places + (i % places)]!,
        );
        first.done.fill(0);
        await first.read(one, shared);
        spread(first, shared);
      }
      await each.read(ids, lengths, playing);
    },
  };
}
