/**
 * An environment of the workbench that runs in Python: its numbers come over a link to a bridge (contract/game/gym-wire.ts), one message for a step
 * of all copies. Every episode is reset with a seed of its row's generator, so a deterministic environment gives the same episodes from the same
 * seed; nothing beyond that is promised. Its state is not here: a saved row is the seed of its episode and the steps since.
 */
import { z } from 'zod';
import type { FrameLayout } from '#contract/game/frames.ts';
import { badWire, GYM, type GymDescription } from '#contract/game/gym-wire.ts';
import { actionSize, type ObsSpace, obsSize } from '#contract/game/spaces.ts';
import { utf8 } from '#contract/kit/canonical.ts';
import { defineEnv } from '../envs/api/define.ts';
import { assemble } from '../envs/api/environment.ts';
import { allocateRows, defineState } from '../envs/api/state.ts';
import type { Actions, AgentGroup, EnvEntry, Environment, EnvMeta, StepBuffers } from '../envs/api/types.ts';

/** A synchronous way to a bridge: the body of the answer to a message. Throws LabError where the bridge is gone or says an error. */
export interface GymLink {
  exchange(type: number, body: Uint8Array): Uint8Array;
}

/** Steps of an episode where the environment names no limit, in version 1. */
const FIRST_LONGEST = 1000;
/** Steps after which an evaluation cuts an episode of such an environment; the result counts them ("loops"). Training cuts none. */
const LONGEST_EVALUATION = 100_000;
/** Numbers of an observation that stand on the table of an environment without pictures. */
const SHOWN = 12;

interface Settings {
  readonly maxSteps: number;
  readonly reading: 1 | 2;
}

const STATE = defineState(1, [
  { name: 'seed', type: 'u32', shape: [], doc: 'seed with which the episode was reset' },
  { name: 'steps', type: 'u32', shape: [], doc: 'steps since' },
]);

const settingsOf = (limit: number) =>
  z.strictObject({
    maxSteps: z.int().min(0).max(10_000_000).default(limit).meta({
      title: 'Steps',
      description: 'steps after which an episode is truncated here, beside the limit of the environment itself; 0: none',
    }),
    reading: z
      .union([z.literal(1), z.literal(2)])
      .default(2)
      .meta({
        title: 'reading of pictures',
        description: '2: channels last, bytes divided by 255 wherever they stand. 1: as version 1 read them.',
        depth: 'research',
      }),
  });

/** `link` is asked for when the first copies are made. */
export function gymEntry(description: GymDescription, id: string, link: () => GymLink): EnvEntry {
  const { name, limit, versions } = description;
  const meta = (settings: Settings): EnvMeta => metaOf(description, id, settings);
  return defineEnv<Settings>({
    spec: {
      id,
      version: 2,
      changes: [
        {
          version: 2,
          what: 'Pictures with channels first are turned, bytes are divided by 255 wherever they stand, and no episode is cut after 1,000 steps where the environment names no limit.',
          before: { reading: 1, ...(limit === 0 && { maxSteps: FIRST_LONGEST }) },
          rerun: false,
        },
      ],
      title: name,
      summary: `${name}, which runs in Python (${Object.entries(versions)
        .map((pair) => pair.join(' '))
        .join(', ')}): not exact, not resumable.`,
      source: { title: name, authors: '', year: 2026 },
      config: settingsOf(limit),
      presets: [{ id: 'standard', title: 'as it is', config: {} }],
      meta,
    },
    create: (settings, batch) => createGym(meta(settings), settings, description, batch, link()),
  });
}

function metaOf({ agents, masked, picture, fps }: GymDescription, id: string, { maxSteps, reading }: Settings): EnvMeta {
  const groups = agents.map(
    ({ name, obs, first = obs, action }): AgentGroup => ({ count: 1, names: [name], obs: spaceOf(reading === 1 ? first : obs), action }),
  );
  const first = groups[0]!.obs;
  return {
    id,
    version: 2,
    agents: groups,
    agentCount: groups.length,
    obsSize: Math.max(...groups.map(({ obs }) => obsSize(obs))),
    actionSize: Math.max(...groups.map(({ action }) => actionSize(action))),
    actionCount: Math.max(...groups.map(({ action }) => (action.kind === 'discrete' ? action.n : 0))),
    rewards: ['reward'],
    costs: [],
    globalSize: 0,
    masked,
    score: 'mean',
    gamma: 0.99,
    maxSteps,
    evalMaxSteps: maxSteps === 0 ? LONGEST_EVALUATION : maxSteps,
    state: STATE,
    frame: picture === null ? tableOf(first) : { kind: 'picture', width: picture[0], height: picture[1] },
    references: [],
    keys: [],
    idleAction: null,
    fps,
  };
}

const spaceOf = (obs: GymDescription['agents'][number]['obs']): ObsSpace => {
  if (obs.kind === 'discrete') return obs;
  const { shape, low, high, labels } = obs;
  return { kind: 'box', shape, low, high, ...(labels !== undefined && { labels }) };
};

/** What an environment without pictures shows: the first numbers of what its first agent sees. */
function tableOf(obs: ObsSpace): FrameLayout {
  const count = Math.min(SHOWN, obsSize(obs));
  const labels = obs.kind === 'box' ? obs.labels : undefined;
  return {
    kind: 'table',
    bounds: [0, -count, 6, 1],
    items: Array.from({ length: count }, (_, i) => ({ kind: 'number', x: 2, y: -i, label: labels?.[i] ?? `number ${i + 1}`, digits: 3 })),
  };
}

/** Reads an answer part by part; what is left over or missing is an error. */
class Parts {
  private at = 0;
  private readonly body: Uint8Array;

  constructor(body: Uint8Array, size: number) {
    this.body = body;
    if (body.byteLength !== size) throw badWire(`an answer of ${body.byteLength} bytes where ${size} were due`);
  }

  bytes(count: number): Uint8Array {
    this.at += count;
    return this.body.subarray(this.at - count, this.at);
  }

  floats(count: number): Float32Array {
    return new Float32Array(this.bytes(4 * count).slice().buffer);
  }
}

function createGym(meta: EnvMeta, { reading }: Settings, { picture, masked }: GymDescription, batch: number, link: GymLink): Environment {
  const { agentCount: agents, obsSize: width, actionCount: choices, actionSize: size } = meta;
  const rows = allocateRows(STATE, batch);
  const { words, wordStride } = rows;
  const [seedAt, stepsAt] = [rows.offset('seed'), rows.offset('steps')];
  const rowObs = agents * width;
  const rowMask = masked ? agents * choices : 0;
  const rowBytes = agents + rowMask + 4 * rowObs;
  /** What each row sees, kept until it is asked for. */
  const obs = new Float32Array(batch * rowObs);
  const masks = new Uint8Array(batch * rowMask);
  const alive = new Uint8Array(batch * agents);
  const made = new DataView(
    link.exchange(GYM.make, utf8(JSON.stringify({ copies: batch, pictures: picture !== null, reading }))).slice().buffer,
  );
  if (made.byteLength !== 4) throw badWire('copies without a handle');
  const handle = made.getUint32(0, true);
  let open = true;

  const message = (numbers: ArrayLike<number>, float = false): Uint8Array => {
    const view = new DataView(new ArrayBuffer(4 + 4 * numbers.length));
    view.setUint32(0, handle, true);
    for (let i = 0; i < numbers.length; i++) {
      if (float) view.setFloat32(4 + 4 * i, numbers[i]!, true);
      else view.setUint32(4 + 4 * i, numbers[i]!, true);
    }
    return new Uint8Array(view.buffer);
  };
  /** Takes what `list` of rows see from an answer, in their order. */
  const take = (parts: Parts, list: readonly number[]): void => {
    const [there, legal, seen] = [
      parts.bytes(list.length * agents),
      parts.bytes(list.length * rowMask),
      parts.floats(list.length * rowObs),
    ];
    for (const [i, row] of list.entries()) {
      alive.set(there.subarray(i * agents, (i + 1) * agents), row * agents);
      masks.set(legal.subarray(i * rowMask, (i + 1) * rowMask), row * rowMask);
      obs.set(seen.subarray(i * rowObs, (i + 1) * rowObs), row * rowObs);
    }
  };
  const begin = (list: readonly number[]): void => {
    if (list.length === 0) return;
    for (const row of list) {
      words[row * wordStride + seedAt] = rows.rng[row]!.next() >>> 1; // some libraries take 31 bits
      words[row * wordStride + stepsAt] = 0;
    }
    const pairs = list.flatMap((row) => [row, words[row * wordStride + seedAt]!]);
    take(new Parts(link.exchange(GYM.reset, message(pairs)), list.length * rowBytes), list);
  };
  const observe = (row: number, out: StepBuffers): void => {
    out.obs.set(obs.subarray(row * rowObs, (row + 1) * rowObs), row * rowObs);
    out.mask?.set(masks.subarray(row * rowMask, (row + 1) * rowMask), row * rowMask);
    out.alive?.set(alive.subarray(row * agents, (row + 1) * agents), row * agents);
  };
  const all = Array.from({ length: batch }, (_, row) => row);
  /** Continuous actions between their bounds. */
  const bounded = (actions: Actions): ArrayLike<number> => {
    if (choices > 0) return actions;
    return Float32Array.from(actions, (x, i) => {
      const action = meta.agents[Math.floor(i / size) % agents]!.action;
      const d = i % size;
      return action.kind === 'box' && d < action.size ? Math.min(action.high[d]!, Math.max(action.low[d]!, x)) : 0;
    });
  };

  const env = assemble(meta, batch, rows, {
    start: () => {},
    step(actions, out) {
      const parts = new Parts(link.exchange(GYM.step, message(bounded(actions), choices === 0)), batch * (4 * agents + 2 + rowBytes));
      out.reward.set(parts.floats(batch * agents));
      out.terminated.set(parts.bytes(batch));
      out.truncated.set(parts.bytes(batch));
      take(parts, all);
      for (let row = 0; row < batch; row++) {
        const at = row * wordStride + stepsAt;
        words[at] = words[at]! + 1;
        if (meta.maxSteps > 0 && words[at]! >= meta.maxSteps && out.terminated[row] === 0) out.truncated[row] = 1;
        observe(row, out);
      }
    },
    observe,
    loaded(row) {
      const at = row * wordStride;
      take(new Parts(link.exchange(GYM.load, message([row, words[at + seedAt]!, words[at + stepsAt]!])), rowBytes), [row]);
    },
    frame(row, out) {
      if (picture === null) out.set(obs.subarray(row * rowObs, row * rowObs + out.length));
      else paint(link.exchange(GYM.render, message([row])), picture, out);
    },
    dispose() {
      if (open) link.exchange(GYM.close, message([]));
      open = false;
    },
  });
  const marked = (flags: Uint8Array | undefined): readonly number[] => (flags === undefined ? all : all.filter((row) => flags[row] === 1));
  return {
    ...env,
    reset(seeds, out, flags) {
      const list = marked(flags);
      for (const row of list) rows.rng[row]!.reseed(seeds[row]!);
      begin(list);
      for (const row of list) {
        out.terminated[row] = 0;
        out.truncated[row] = 0;
        out.reward.fill(0, row * agents, (row + 1) * agents);
        observe(row, out);
      }
    },
    restart(flags, out) {
      const list = marked(flags);
      begin(list);
      for (const row of list) observe(row, out);
    },
  };
}

/** A picture as a frame: one number a point, red * 65536 + green * 256 + blue. Black where there is none. */
function paint(answer: Uint8Array, [width, height]: readonly [number, number], out: Float32Array): void {
  out.fill(0);
  if (answer.byteLength < 8) throw badWire('a picture without a size');
  const view = new DataView(answer.buffer, answer.byteOffset, answer.byteLength);
  const [w, h] = [view.getUint32(0, true), view.getUint32(4, true)];
  if (w === 0 && h === 0) return;
  if (w !== width || h !== height || answer.byteLength !== 8 + 3 * w * h)
    throw badWire(`a picture of ${w} x ${h}, not ${width} x ${height}`);
  for (let i = 0; i < w * h; i++) out[i] = (answer[8 + 3 * i]! << 16) | (answer[9 + 3 * i]! << 8) | answer[10 + 3 * i]!;
}
