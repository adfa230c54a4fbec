import { describe, expect, it } from 'vitest';
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { Rng } from '#math/rng.ts';
import { envs } from '../testing/ready.ts';
import { createActions, createBuffers } from './api/buffers.ts';
import type { Actions, EnvEntry, EnvMeta, StepBuffers } from './api/types.ts';

/** Fields marked live, as paths into the config. */
function liveFields(schema: FieldSchema, path: readonly string[] = []): (readonly [readonly string[], FieldSchema])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const at = [...path, key];
    return field.live === true ? [[at, field] as const] : liveFields(field, at);
  });
}

/** The config with another value, allowed there, at a path. */
function changed(config: JsonObject, path: readonly string[], field: FieldSchema): JsonObject {
  const [key, ...rest] = path as [string, ...string[]];
  if (rest.length > 0) return { ...config, [key]: changed(config[key] as JsonObject, rest, field) };
  const old = config[key];
  if (typeof old === 'boolean') return { ...config, [key]: !old };
  if (typeof old !== 'number') return { ...config, [key]: field.enum?.find((value) => value !== old) ?? null };
  const [low, high] = field.slider ?? [field.minimum ?? 0, field.maximum ?? 1];
  const other = old + 0.37 * (high - old > old - low ? high - old : low - old);
  return { ...config, [key]: field.type === 'integer' ? Math.round(other) : other };
}

function act(meta: EnvMeta, batch: number, buffers: StepBuffers, rng: Rng, actions: Actions): void {
  const spaces = meta.agents.flatMap((g) => Array.from({ length: g.count }, () => g.action));
  for (let slot = 0; slot < batch * meta.agentCount; slot++) {
    const space = spaces[slot % meta.agentCount] as (typeof spaces)[number];
    const at = slot * meta.actionSize;
    if (space.kind === 'box')
      for (let d = 0; d < space.size; d++) actions[at + d] = space.low[d]! + (space.high[d]! - space.low[d]!) * rng.uniform();
    else
      do actions[at] = rng.int(space.n);
      while (buffers.mask?.[slot * meta.actionCount + actions[at]!] === 0);
  }
}

const told = (b: StepBuffers) => [b.obs, b.reward, b.terminated, b.truncated, b.state ?? []].map((list) => Array.from(list));
/** Everything of a meta but its returns. */
const plain = ({ references: _, state, ...meta }: EnvMeta) => JSON.stringify({ ...meta, fields: state.fields });

/** By day one field of every preset, another one in every environment; at night all. */
const cases = envs.flatMap((entry, at) => {
  const fields = liveFields(entry.schema);
  const presets = fields.length === 0 ? [] : [entry.presets[0], entry.presets.at(-1)];
  return [...new Set(presets)].flatMap((preset) =>
    fields.map(([path, field], i) => ({
      entry,
      name: `${i === at % fields.length ? '' : '@night '}${entry.id} ${preset?.id} ${path.join('.')}`,
      config: preset?.config ?? {},
      path,
      field,
    })),
  );
});

/** Two rows after five steps from a start. */
function begun(entry: EnvEntry, config: JsonObject) {
  const env = entry.create(config, 2);
  const buffers = createBuffers(env.meta, 2);
  const actions = createActions(env.meta, 2);
  const rng = Rng.from(11);
  const step = () => {
    act(env.meta, 2, buffers, rng, actions);
    env.step(actions, buffers);
    for (let row = 0; row < 2; row++) if (buffers.terminated[row] === 1 || buffers.truncated[row] === 1) return false;
    return true;
  };
  env.reset(Uint32Array.of(3, 4), buffers);
  return { env, buffers, actions, rng, step };
}

describe('settings that may change while an environment runs', () => {
  it('are marked where an environment takes them, and nowhere else', () => {
    for (const entry of envs) expect(entry.create({}, 1).configure !== undefined, entry.id).toBe(liveFields(entry.schema).length > 0);
  });

  it.each(cases)('$name: the same from the next step on as an environment made with it', ({ entry, config, path, field }) => {
    const before = entry.parse(config);
    const after = changed(before, path, field);
    expect(entry.parse(after)).toEqual(after);
    expect(after).not.toEqual(before);
    expect(plain(entry.meta(after))).toBe(plain(entry.meta(before)));
    const a = begun(entry, before);
    for (let t = 0; t < 5 && a.step(); t++);
    const b = begun(entry, after);
    for (let row = 0; row < 2; row++) b.env.load(row, a.env.save(row), b.buffers);
    a.env.configure?.(after);
    for (let t = 0; t < 10; t++) {
      act(a.env.meta, 2, a.buffers, a.rng, a.actions);
      a.env.step(a.actions, a.buffers);
      b.env.step(a.actions, b.buffers);
      expect(told(a.buffers)).toEqual(told(b.buffers));
      for (let row = 0; row < 2; row++) expect(a.env.save(row)).toEqual(b.env.save(row));
      if ([...a.buffers.terminated, ...a.buffers.truncated].includes(1)) break;
    }
  });
});
