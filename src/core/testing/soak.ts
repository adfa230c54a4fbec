/**
 * Long random play of one environment with every property checked at every step: observations in their declared ranges, finite rewards,
 * costs and central states, flags that are flags, masks that leave a legal action; now and then finite frames, and a state that goes to
 * bytes and to JSON and back and continues bit for bit. Throws Error saying what is wrong, where and at which step.
 */

import { frameSize, hasGaps } from '#contract/game/frames.ts';
import { type ObsSpace, obsSize } from '#contract/game/spaces.ts';
import { type JsonObject, readJson } from '#contract/kit/json.ts';
import { Rng } from '#math/rng.ts';
import { randomPolicy } from '../algos/lib/random-policy.ts';
import { createBuffers } from '../envs/api/buffers.ts';
import { perAgent } from '../envs/api/meta.ts';
import type { Actions, EnvEntry, EnvMeta, StepBuffers } from '../envs/api/types.ts';
import { createVectorEnv, type VectorEnv } from '../envs/api/vector-env.ts';

const ROUND_TRIP_EVERY = 997; // vector steps; a prime, so that it meets every phase of an episode
const FRAME_EVERY = 101;
const CONTINUE_FOR = 8; // steps a reloaded state is compared

export interface Soak {
  readonly meta: EnvMeta;
  /** Agent-steps done and checked. */
  readonly agentSteps: number;
  readonly episodes: number;
  readonly roundTrips: number;
  /** Another `vectorSteps` steps of the whole batch. */
  run(vectorSteps: number): void;
  /** The bare step of all rows with actions drawn beforehand and nothing checked: what must not allocate. */
  bare(vectorSteps: number): void;
}

export function createSoak(entry: EnvEntry, config: JsonObject, batch: number, seed: number): Soak {
  const rng = Rng.from(seed);
  const vector = createVectorEnv(entry, config, batch, rng.split('env'));
  const draw = drawer(vector, rng.split('actions'));
  const check = checker(vector.meta, batch);
  const frame = new Float32Array(frameSize(vector.meta.frame));
  const empty = hasGaps(vector.meta.frame);
  let steps = 0;
  let episodes = 0;
  let roundTrips = 0;
  const at = (what: string) => new Error(`${entry.id}, step ${steps}: ${what}`);
  vector.reset();
  const first = check(vector.buffers);
  if (first !== null) throw at(first);

  return {
    meta: vector.meta,
    get agentSteps() {
      return steps * batch * vector.meta.agentCount;
    },
    get episodes() {
      return episodes;
    },
    get roundTrips() {
      return roundTrips;
    },
    run(vectorSteps) {
      for (let i = 0; i < vectorSteps; i++) {
        if (steps % ROUND_TRIP_EVERY === ROUND_TRIP_EVERY - 1) {
          const wrong = roundTrip(entry, config, vector, steps % batch, rng.split(`round trip ${steps}`));
          if (wrong !== null) throw at(wrong);
          roundTrips++;
        }
        vector.step(draw());
        steps++;
        const wrong = check(vector.buffers);
        if (wrong !== null) throw at(wrong);
        if (steps % FRAME_EVERY === 0) {
          vector.env.frame(steps % batch, frame);
          const bad = frame.findIndex((x) => !(Number.isFinite(x) || (empty && Number.isNaN(x))));
          if (bad >= 0) throw at(`column ${bad} of the frame is ${frame[bad]}`);
        }
        episodes += vector.episodes.drain().length;
      }
    },
    bare(vectorSteps) {
      const actions = draw().slice();
      for (let i = 0; i < vectorSteps; i++) vector.step(actions);
      vector.episodes.drain();
    },
  };
}

/** Legal random actions of all rows; the same array each time. */
function drawer({ meta, batch, buffers }: VectorEnv, rng: Rng): () => Actions {
  const rows = batch * meta.agentCount;
  const policy = randomPolicy(meta);
  const hidden = policy.initial(rows);
  const agent = Int32Array.from({ length: rows }, (_, i) => i % meta.agentCount);
  const query = { obs: buffers.obs, agent, hidden, rng, rows, greedy: false };
  const whole = buffers.mask === undefined ? query : { ...query, mask: buffers.mask };
  return () => {
    const act = policy.act(whole);
    if (act instanceof Promise) throw new Error('random actions come at once');
    return act.actions;
  };
}

/** What is wrong with these buffers, or null. Made once: the spaces of all agents are laid out beforehand. */
function checker(meta: EnvMeta, batch: number): (buffers: StepBuffers) => string | null {
  const spaces = perAgent(meta, (group) => group.obs);
  const counts = meta.agents.flatMap((group) =>
    Array.from({ length: group.count }, () => (group.action.kind === 'discrete' ? group.action.n : 0)),
  );
  const sizes = spaces.map(obsSize);
  const slots = batch * meta.agentCount;
  return (buffers) => {
    for (let slot = 0; slot < slots; slot++) {
      const agent = slot % meta.agentCount;
      const from = slot * meta.obsSize;
      const row = Math.floor(slot / meta.agentCount);
      const wrong = inSpace(spaces[agent] as ObsSpace, sizes[agent]!, buffers.obs, from);
      if (wrong !== null) return `observation of agent ${agent}, row ${row}: ${wrong}`;
      if (buffers.terminated[row] !== 0 || buffers.truncated[row] !== 0) {
        const last = inSpace(spaces[agent] as ObsSpace, sizes[agent]!, buffers.finalObs, from);
        if (last !== null) return `last observation of agent ${agent}, row ${row}: ${last}`;
      }
      const N = counts[agent]!;
      if (buffers.mask === undefined || N === 0) continue;
      let legal = 0;
      for (let a = 0; a < N; a++) legal += buffers.mask[slot * meta.actionCount + a]!;
      if (legal === 0) return `agent ${agent} of row ${row} has no legal action`;
    }
    return allFinite(buffers) ?? flags(buffers);
  };
}

function inSpace(space: ObsSpace, size: number, obs: Float32Array, from: number): string | null {
  if (space.kind === 'box') {
    const low = Math.fround(space.low ?? -Infinity);
    const high = Math.fround(space.high ?? Infinity);
    for (let i = 0; i < size; i++) {
      const x = obs[from + i]!;
      if (!(x >= low && x <= high)) return `number ${i} is ${x}, declared ${low} to ${high}`;
    }
    return null;
  }
  if (space.kind === 'discrete') {
    let ones = 0;
    for (let i = 0; i < size; i++) {
      const x = obs[from + i]!;
      if (x === 1) ones++;
      else if (x !== 0) return `number ${i} is ${x} in a one-hot`;
    }
    return ones === 1 ? null : `${ones} ones in a one-hot`;
  }
  const cells = size - space.extra;
  const channels = space.codes.length;
  for (let i = 0; i < cells; i++) {
    const x = obs[from + i]!;
    if (!(x >= 0 && x < space.codes[i % channels]! && x === Math.floor(x))) return `code ${i} is ${x}`;
  }
  for (let i = cells; i < size; i++) if (!Number.isFinite(obs[from + i])) return `number ${i} is ${obs[from + i]}`;
  return null;
}

const NUMBERS = ['reward', 'cost', 'state'] as const;

function allFinite(buffers: StepBuffers): string | null {
  for (const name of NUMBERS) {
    const data = buffers[name];
    if (data === undefined) continue;
    for (let i = 0; i < data.length; i++) if (!Number.isFinite(data[i])) return `${name}[${i}] is ${data[i]}`;
  }
  return null;
}

const FLAGS = ['terminated', 'truncated', 'alive', 'mask'] as const;

function flags(buffers: StepBuffers): string | null {
  for (const name of FLAGS) {
    const data = buffers[name];
    if (data === undefined) continue;
    for (let i = 0; i < data.length; i++) if (data[i]! > 1) return `${name}[${i}] is ${data[i]}`;
  }
  return null;
}

/**
 * Row `row` goes to bytes, to JSON, back, and into a fresh environment, which then continues like a copy of it. JSON has one zero only:
 * -0 comes back as 0, and must make no difference.
 */
function roundTrip(entry: EnvEntry, config: JsonObject, vector: VectorEnv, row: number, rng: Rng): string | null {
  const { meta } = vector;
  const saved = vector.env.save(row);
  const text = JSON.stringify(meta.state.toJSON(saved));
  const again = meta.state.fromJSON(readJson(text) as JsonObject);
  if (JSON.stringify(meta.state.toJSON(again)) !== text) return 'the state changes on its way through JSON';
  const [one, two] = [entry.create(config, 1), entry.create(config, 1)];
  const [a, b] = [createBuffers(meta, 1), createBuffers(meta, 1)];
  one.load(0, saved, a);
  two.load(0, again, b);
  const policy = randomPolicy(meta);
  const agent = Int32Array.from({ length: meta.agentCount }, (_, i) => i);
  for (let t = 0; t < CONTINUE_FOR; t++) {
    const query = { obs: a.obs, agent, hidden: policy.initial(meta.agentCount), rng, rows: meta.agentCount, greedy: false };
    const act = policy.act(a.mask === undefined ? query : { ...query, mask: a.mask });
    if (act instanceof Promise) throw new Error('random actions come at once');
    one.step(act.actions, a);
    two.step(act.actions, b);
    const wrong = differs(a, b);
    if (wrong !== null) return `a reloaded state goes another way after ${t + 1} steps: ${wrong}`;
    if (a.terminated[0] !== 0 || a.truncated[0] !== 0) break;
  }
  const [left, right] = [one.save(0), two.save(0)].map((state) => JSON.stringify(meta.state.toJSON(state)));
  return left === right ? null : 'a reloaded state ends in another state';
}

function differs(a: StepBuffers, b: StepBuffers): string | null {
  for (const [name, data] of Object.entries(a) as readonly (readonly [keyof StepBuffers, Float32Array])[]) {
    if (name === 'finalObs') continue;
    const other = b[name] as Float32Array;
    const at = data.findIndex((x, i) => x !== other[i]);
    if (at >= 0) return `${name}[${at}] is ${other[at]}, not ${data[at]}`;
  }
  return null;
}
