/** What every environment must hold, listed or not: asked of all in the registry and of the one that docs/adding-an-environment.md builds. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { fieldAt } from '#contract/catalog/field-check.ts';
import { kindsOf } from '#contract/catalog/variants.ts';
import { frameSize } from '#contract/game/frames.ts';
import { actionSize, obsSize } from '#contract/game/spaces.ts';
import { LabError } from '#contract/kit/errors.ts';
import { type JsonObject, plainJson } from '#contract/kit/json.ts';
import { decodeSaved, encodeSaved } from '#contract/run/saved.ts';
import { Rng } from '#math/rng.ts';
import { createActions, createBuffers } from '../envs/api/buffers.ts';
import { allocateRows, fieldLength } from '../envs/api/state.ts';
import type { Actions, EnvEntry, EnvMeta, StepBuffers } from '../envs/api/types.ts';
import { createVectorEnv } from '../envs/api/vector-env.ts';
import { expectSame, expectSameArrays } from './same-numbers.ts';

export function envSuite(entry: EnvEntry): void {
  beforeAll(() => entry.prepare?.());

  it(`${entry.id}: config`, () => {
    const complete = entry.parse({});
    expect(entry.parse(complete)).toEqual(complete);
    expect(entry.presets[0]?.config).toEqual({});
    expect(new Set(entry.presets.map((p) => p.id)).size).toBe(entry.presets.length);
    const { seats: _, contexts: __, frameStack: ___, normaliseObs: ____, ...own } = entry.schema.properties ?? {}; // configs leave them out at rest
    expect(Object.keys(own).sort()).toEqual(Object.keys(complete).sort());
    const explained = (fields: Readonly<Record<string, FieldSchema>>, values: JsonObject): void => {
      for (const [key, field] of Object.entries(fields)) {
        expect(field.title, key).toBeTruthy();
        expect(field.description, key).toBeTruthy();
        // A field of several numbers has its defaults inside.
        if (field.properties !== undefined && !('editor' in field)) explained(field.properties, values[key] as JsonObject);
        // A variant has those of a kind inside, too.
        else if (kindsOf(field).length > 0) {
          const { kind, ...inner } = values[key] as JsonObject;
          expect(field.default, key).toEqual({ kind });
          explained(kindsOf(field).find(({ name }) => name === kind)?.fields ?? {}, inner);
        } else expect(field.default, key).toEqual(values[key]);
      }
    };
    explained(own, complete);
    try {
      entry.parse({ nonsense: 1 });
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(LabError);
      expect((error as LabError).failure).toMatchObject({ id: 'config-invalid', field: 'env.nonsense' });
    }
    expect(entry.source.title && entry.source.authors && entry.source.year).toBeTruthy();
    expect(entry.check('no-such-check', {}, {}, {})).toBeUndefined();
  });

  // the first and the last preset: in between they differ by size only
  for (const preset of entry.presets.filter((_, i) => i === 0 || i === entry.presets.length - 1))
    describePreset(entry, `${entry.id} ${preset.id}`, preset.config);
}

/** Legal uniform actions for all rows. */
export function randomActions(meta: EnvMeta, batch: number, buffers: StepBuffers, rng: Rng, actions: Actions): void {
  const spaces = meta.agents.flatMap((g) => Array.from({ length: g.count }, () => g.action));
  for (let row = 0; row < batch; row++)
    spaces.forEach((space, agent) => {
      const slot = row * meta.agentCount + agent;
      const at = slot * meta.actionSize;
      if (space.kind === 'box') {
        for (let d = 0; d < space.size; d++) {
          const low = space.low[d]!;
          actions[at + d] = low + (space.high[d]! - low) * rng.uniform();
        }
        return;
      }
      const isLegal = (action: number): boolean => buffers.mask?.[slot * meta.actionCount + action] !== 0;
      let legal = 0;
      for (let action = 0; action < space.n; action++) if (isLegal(action)) legal++;
      if (legal === 0) throw new Error(`agent ${agent} has no legal action`);
      let left = rng.int(legal);
      let action = 0;
      while (!isLegal(action) || left-- > 0) action++;
      actions[at] = action;
    });
}

/** All buffers; what a checkpoint does not keep only right after a step: shaped rewards, and the final mask of rows that ended in it. */
function snapshot(buffers: StepBuffers, justStepped: boolean): { readonly [name: string]: ArrayLike<number> } {
  const { finalMask, shaped, terminated, truncated, ...kept } = buffers;
  const all = { ...kept, ...(justStepped && shaped !== undefined && { shaped }), terminated, truncated } as unknown as {
    readonly [name: string]: Float32Array;
  };
  if (finalMask === undefined || !justStepped) return all;
  const width = finalMask.length / terminated.length;
  const ended = (i: number): boolean => terminated[Math.floor(i / width)] === 1 || truncated[Math.floor(i / width)] === 1;
  return { ...all, finalMask: finalMask.map((legal, i) => (ended(i) ? legal : 0)) };
}

function expectSameBuffers(found: StepBuffers, wanted: StepBuffers, when: string, justStepped = true): void {
  expectSameArrays(snapshot(found, justStepped), snapshot(wanted, justStepped), when);
}

function checkRanges(meta: EnvMeta, batch: number, obs: Float32Array): void {
  const spaces = meta.agents.flatMap((g) => Array.from({ length: g.count }, () => g.obs));
  for (let slot = 0; slot < batch * meta.agentCount; slot++) {
    const space = spaces[slot % meta.agentCount] as (typeof spaces)[number];
    const row = obs.subarray(slot * meta.obsSize, slot * meta.obsSize + obsSize(space));
    for (const x of row) if (!Number.isFinite(x)) throw new Error(`observation has ${x}`);
    if (space.kind === 'box') {
      for (const x of row)
        if (x < Math.fround(space.low ?? -Infinity) || x > Math.fround(space.high ?? Infinity))
          throw new Error(`${x} is outside ${space.low}..${space.high}`);
    } else if (space.kind === 'discrete') {
      if (row.filter((x) => x === 1).length !== 1 || row.some((x) => x !== 0 && x !== 1)) throw new Error('not one-hot');
    } else {
      const cells = row.length - space.extra;
      for (let i = 0; i < cells; i++) {
        const x = row[i]!;
        if (!Number.isInteger(x) || x < 0 || x >= space.codes[i % space.codes.length]!) throw new Error(`code ${x} at ${i}`);
      }
    }
  }
}

function describePreset(entry: EnvEntry, name: string, config: JsonObject): void {
  describe(name, () => {
    const meta = entry.meta(config);
    const B = 5;

    it('describes itself consistently', () => {
      expect(meta.id).toBe(entry.id);
      expect(meta.version).toBe(entry.version);
      expect(meta.agentCount).toBe(meta.agents.reduce((n, g) => n + g.count, 0));
      expect(meta.obsSize).toBe(Math.max(...meta.agents.map((g) => obsSize(g.obs))));
      expect(meta.actionSize).toBe(Math.max(...meta.agents.map((g) => actionSize(g.action))));
      expect(meta.actionCount).toBe(Math.max(...meta.agents.map((g) => (g.action.kind === 'discrete' ? g.action.n : 0))));
      for (const g of meta.agents) {
        expect(g.names.length).toBe(g.count);
        expect(g.action.labels.length).toBe(g.action.kind === 'discrete' ? g.action.n : g.action.size);
      }
      const first = meta.agents[0]?.action; // keys are the first agent's
      if (meta.keys.length > 0) expect(meta.keys.length).toBe(first?.kind === 'discrete' ? first.n : 0);
      expect(meta.evalMaxSteps).toBeGreaterThan(0);
      expect(meta.fps).toBeGreaterThan(0);
      expect(meta.references.every((r) => Number.isFinite(r.value) && r.source.length > 0)).toBe(true);
      expect(meta.state.fields.at(-1)?.name).toBe('rng');
      expect(meta.state.bytes).toBe(8 + meta.state.fields.reduce((n, f) => n + fieldLength(f) * (f.type === 'f64' ? 8 : 4), 0));
      expect(allocateRows(meta.state, 1).save(0).length).toBe(meta.state.bytes);
    });

    it('pays what its terms add up to', () => {
      const { terms = [] } = meta;
      const env = entry.create(config, B);
      expect(env.terms !== undefined).toBe(terms.length > 0);
      for (const field of terms.flatMap(({ weights }) => weights))
        expect(fieldAt(entry.schema, field.split('.'))?.type, field).toBe('number');
      if (terms.length === 0) return;
      const buffers = createBuffers(meta, B);
      const rng = Rng.from(6);
      const actions = createActions(meta, B);
      const found = new Float64Array(terms.length);
      env.reset(
        Uint32Array.from({ length: B }, (_, row) => row),
        buffers,
      );
      for (let t = 0; t < 60; t++) {
        randomActions(meta, B, buffers, rng, actions);
        env.step(actions, buffers);
        for (let row = 0; row < B; row++) {
          env.terms?.(row, found, 0);
          const reward = buffers.reward.subarray(row * meta.agentCount, (row + 1) * meta.agentCount).reduce((a, b) => a + b, 0);
          expect(found.reduce((a, b) => a + b, 0)).toBeCloseTo(reward, 3);
        }
        const over = buffers.terminated.map((flag, row) => flag | buffers.truncated[row]!);
        if (over.includes(1)) env.restart(over, buffers);
      }
    });

    it('pays what its rule says of the goal that is observed', () => {
      const { goals } = meta;
      const vector = createVectorEnv(entry, config, B, Rng.from(8));
      const { env, buffers } = vector;
      expect(env.goalReward !== undefined).toBe(goals !== undefined);
      if (goals === undefined || env.goalReward === undefined) return;
      expect(Math.max(goals.achieved, goals.desired) + goals.size).toBeLessThanOrEqual(meta.obsSize);
      const rng = Rng.from(9);
      const actions = createActions(meta, B);
      vector.reset();
      for (let t = 0; t < 120; t++) {
        randomActions(meta, B, buffers, rng, actions);
        vector.step(actions);
        for (let row = 0; row < B; row++) {
          expect(buffers.terminated[row]).toBe(0);
          const seen = buffers.truncated[row] === 1 ? buffers.finalObs : buffers.obs;
          const at = row * meta.obsSize;
          expect(env.goalReward(seen, at + goals.achieved, seen, at + goals.desired)).toBeCloseTo(buffers.reward[row]!, 5);
        }
      }
    });

    it('gives the same bits for the same seed, and stays finite and in its ranges', () => {
      // Where both runs are the same, what holds for one holds for the other: the second is only compared.
      const run = (seed: number, checked: boolean) => {
        const vector = createVectorEnv(entry, config, B, Rng.from(seed));
        const rng = Rng.from(99);
        const actions = createActions(meta, B);
        vector.reset();
        const frame = new Float32Array(frameSize(meta.frame));
        let trace = '';
        for (let t = 0; t < 200; t++) {
          if (checked) checkRanges(meta, B, vector.buffers.obs);
          randomActions(meta, B, vector.buffers, rng, actions);
          vector.step(actions);
          vector.env.frame(t % B, frame);
          if (checked) {
            const { terminated, truncated, finalObs, reward } = vector.buffers;
            const row = meta.agentCount * meta.obsSize;
            for (let i = 0; i < B; i++) if (terminated[i] || truncated[i]) checkRanges(meta, 1, finalObs.subarray(i * row, (i + 1) * row));
            for (const x of reward) if (!Number.isFinite(x)) throw new Error(`reward is ${x}`);
            for (const x of frame) if (!Number.isFinite(x)) throw new Error(`frame has ${x}`);
          }
          if (t % 50 === 0) trace += JSON.stringify([...vector.env.save(t % B), ...frame, ...vector.buffers.obs, ...vector.buffers.reward]);
        }
        return trace;
      };
      const a = run(3, true);
      expect(run(3, false)).toBe(a);
    });

    it('a batch of B is B batches of one', () => {
      const many = entry.create(config, B);
      const buffers = createBuffers(meta, B);
      const singles = Array.from({ length: B }, () => entry.create(config, 1));
      const parts = singles.map(() => createBuffers(meta, 1));
      const seeds = Uint32Array.from({ length: B }, (_, i) => 7 * i + 1);
      many.reset(seeds, buffers);
      singles.forEach((env, i) => {
        env.reset(seeds.subarray(i, i + 1), parts[i] as StepBuffers);
      });
      const rng = Rng.from(5);
      const actions = createActions(meta, B);
      const width = meta.agentCount * meta.actionSize;
      const over = new Uint8Array(B);
      for (let t = 0; t < 120; t++) {
        randomActions(meta, B, buffers, rng, actions);
        many.step(actions, buffers);
        for (let row = 0; row < B; row++) over[row] = buffers.terminated[row] || buffers.truncated[row] ? 1 : 0;
        singles.forEach((env, i) => {
          const part = parts[i] as StepBuffers;
          env.step(actions.slice(i * width, (i + 1) * width), part);
          if (over[i] === 1) env.restart(Uint8Array.of(1), part);
        });
        many.restart(over, buffers);
        singles.forEach((_env, i) => {
          const part = parts[i] as StepBuffers;
          for (const [name, data] of Object.entries(part)) {
            if (name === 'finalObs') continue;
            const whole = (buffers as unknown as { [name: string]: Float32Array })[name] as Float32Array;
            expectSame(whole.subarray(i * data.length, (i + 1) * data.length), data as Float32Array, `${name} of row ${i} at ${t}`);
          }
        });
      }
    });

    it('continues bit for bit after saving, as bytes, as JSON and as a whole vector', () => {
      const vector = createVectorEnv(entry, config, B, Rng.from(21));
      const rng = Rng.from(8);
      const actions = createActions(meta, B);
      vector.reset();
      for (let t = 0; t < 33; t++) {
        randomActions(meta, B, vector.buffers, rng, actions);
        vector.step(actions);
      }
      const saved = decodeSaved(encodeSaved(vector.save()));
      const other = createVectorEnv(entry, config, B, Rng.from(1234));
      other.reset();
      other.load(saved);
      expectSameBuffers(other.buffers, vector.buffers, 'after loading', false);
      expect(other.episodes.drain()).toEqual(vector.episodes.drain());
      for (let row = 0; row < B; row++) {
        const bytes = vector.env.save(row);
        const json = plainJson(meta.state.toJSON(bytes)) as JsonObject;
        expectSame(meta.state.fromJSON(json), bytes, `row ${row} through JSON`);
      }
      const script = Rng.from(77);
      for (let t = 0; t < 60; t++) {
        randomActions(meta, B, vector.buffers, script, actions);
        vector.step(actions);
        other.step(actions);
        expectSameBuffers(other.buffers, vector.buffers, `at ${t}`);
      }
      expect(other.save()).toEqual(vector.save());
      expect(other.episodes.meanReturn()).toEqual(vector.episodes.meanReturn());
    });

    it('loading a row refreshes what belongs to it', () => {
      const env = entry.create(config, 2);
      const buffers = createBuffers(meta, 2);
      env.reset(Uint32Array.of(3, 4), buffers);
      const rng = Rng.from(8);
      const actions = createActions(meta, 2);
      for (let t = 0; t < 3; t++) {
        randomActions(meta, 2, buffers, rng, actions);
        env.step(actions, buffers);
        if (buffers.terminated[0] || buffers.truncated[0] || buffers.terminated[1] || buffers.truncated[1]) break;
      }
      env.load(1, env.save(0), buffers);
      const half = buffers.obs.length / 2;
      expectSame(buffers.obs.subarray(half), buffers.obs.subarray(0, half), 'the loaded row');
      expect(buffers.terminated[1]).toBe(0);
      expect(buffers.truncated[1]).toBe(0);
      expect(() => env.load(0, new Uint8Array(3), buffers)).toThrow(LabError);
      expect(() => meta.state.fromJSON({ colour: 1 })).toThrow(LabError);
    });

    it('auto-reset keeps the last observation and starts anew', () => {
      const rows = 2; // one is compared, the other goes on beside it; whole episodes of five would take minutes
      const vector = createVectorEnv(entry, config, rows, Rng.from(2));
      const plain = entry.create(config, 1);
      const buffers = createBuffers(meta, 1);
      const rng = Rng.from(4);
      const actions = createActions(meta, rows);
      const width = meta.agentCount * meta.obsSize;
      vector.reset();
      let ended = 0;
      let lengths = 0;
      const limit = meta.maxSteps > 0 ? Math.min(meta.maxSteps + 5, 1500) : 1500;
      for (let t = 0; t < limit && ended < 3; t++) {
        randomActions(meta, rows, vector.buffers, rng, actions);
        const before = vector.env.save(0);
        vector.step(actions);
        if (!vector.buffers.terminated[0] && !vector.buffers.truncated[0]) continue;
        ended++;
        plain.load(0, before, buffers);
        plain.step(actions.slice(0, meta.agentCount * meta.actionSize), buffers);
        expectSame(vector.buffers.finalObs.subarray(0, width), buffers.obs, 'the last observation');
        expect([vector.buffers.terminated[0], vector.buffers.truncated[0]]).toEqual([buffers.terminated[0], buffers.truncated[0]]);
        plain.restart(Uint8Array.of(1), buffers);
        expectSame(vector.buffers.obs.subarray(0, width), buffers.obs, 'the first observation');
      }
      for (const { length } of vector.episodes.drain()) lengths += length;
      if (meta.maxSteps > 0 && meta.maxSteps < limit) expect(ended).toBeGreaterThan(0);
      if (vector.episodes.finished > 0) expect(lengths).toBeGreaterThan(0);
    });

    const probe = entry.create(config, 1);
    it.runIf(probe.cellOf !== undefined)('cells and visits agree', () => {
      if (meta.frame.kind !== 'grid') throw new Error('cells need a grid');
      const vector = createVectorEnv(entry, config, B, Rng.from(2));
      vector.reset();
      const actions = createActions(meta, B);
      const rng = Rng.from(6);
      for (let t = 0; t < 20; t++) {
        randomActions(meta, B, vector.buffers, rng, actions);
        vector.step(actions);
      }
      expect(vector.visits.length).toBe(meta.frame.width * meta.frame.height);
      expect(vector.visits.reduce((a, b) => a + b, 0)).toBe(B * 21);
    });

    it.runIf(probe.placements !== undefined)('every placement stands in its cell', () => {
      const vector = createVectorEnv(entry, config, B, Rng.from(2));
      vector.reset();
      const actions = createActions(meta, B);
      const rng = Rng.from(6);
      for (let t = 0; t < 20; t++) {
        randomActions(meta, B, vector.buffers, rng, actions);
        vector.step(actions);
      }
      const buffers = createBuffers(meta, 1);
      const before = vector.env.save(0);
      const places = vector.env.placements?.(0) ?? [];
      expect(places.length).toBeGreaterThan(1);
      expect(vector.env.save(0)).toEqual(before);
      for (const place of places) {
        probe.load(0, place.state, buffers);
        expect(probe.cellOf?.(0)).toBe(place.cell);
        checkRanges(meta, 1, buffers.obs);
      }
    });
  });
}
