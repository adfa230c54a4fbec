/** States of swarms that are met on the host, and where one step of the environment leads from them: what a device is held to. */
import type { JsonObject } from '#contract/kit/json.ts';
import { createVectorEnv } from '#core/envs/api/vector-env.ts';
import { loadEnv } from '#core/envs/index.ts';
import { stateLayout } from '#core/rollouts/row.ts';
import { boids } from '#core/rollouts/swarms/boids.ts';
import { WIDE } from '#core/rollouts/swarms/cells.ts';
import type { Swarm } from '#core/rollouts/swarms/swarm.ts';
import { vicsek } from '#core/rollouts/swarms/vicsek.ts';
import { cos, sin } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';

export type SwarmName = 'boids' | 'vicsek-swarm';

export interface Met {
  /** [N, 4] as a swarm on the device keeps it, before the step and after it. */
  readonly before: Float64Array;
  readonly after: Float64Array;
  /** Generator of the row before the step. */
  readonly noise: Uint32Array<ArrayBuffer>;
}

export const swarmOf = (name: SwarmName, config: JsonObject): Swarm => (name === 'boids' ? boids : vicsek)(config);

/** The environment's numbers: N places, then N velocities or angles. */
function membersOf(name: SwarmName, floats: Float64Array): Float64Array {
  const boid = name === 'boids';
  const n = floats.length / (boid ? 4 : 3);
  const out = new Float64Array(n * WIDE);
  for (let i = 0; i < n; i++) {
    const [u, v] = boid ? [floats[2 * (n + i)]!, floats[2 * (n + i) + 1]!] : [cos(floats[2 * n + i]!), sin(floats[2 * n + i]!)];
    out.set([floats[2 * i]!, floats[2 * i + 1]!, u, v], WIDE * i);
  }
  return out;
}

/** After each of these numbers of steps from the start of an episode; states are first rounded to what a device can hold. */
export async function metStates(name: SwarmName, config: JsonObject, times: readonly number[]): Promise<readonly Met[]> {
  // Loaded here and not in an import that waits: a worker's first message comes before such a module has its listener.
  const entry = await loadEnv(name);
  const whole = entry.parse(config);
  const meta = entry.meta(whole);
  const env = createVectorEnv(entry, whole, 1, Rng.from(5));
  env.reset();
  const layout = stateLayout(meta.state);
  const still = new Float32Array(meta.agentCount * meta.actionSize);
  const floatsOf = (state: Uint8Array): Float64Array => new Float64Array(state.buffer, state.byteOffset + 8, layout.floats);
  let done = 0;
  return times.map((time) => {
    for (; done < time; done++) env.step(still);
    const state = env.env.save(0);
    const floats = floatsOf(state);
    floats.set(Float32Array.from(floats));
    env.env.load(0, state, env.buffers);
    const words = new Uint32Array(state.buffer, state.byteOffset + 8 + 8 * layout.floats, layout.words);
    const noise = words.slice(layout.offset('rng'), layout.offset('rng') + 4);
    const before = membersOf(name, floats);
    env.step(still);
    done++;
    return { before, after: membersOf(name, floatsOf(env.env.save(0))), noise };
  });
}

/**
 * The largest distance of a number from where it should be, of the largest value of its kind: places, then vectors. Opposite edges of the
 * box are one place.
 */
export function farOff(found: ArrayLike<number>, expected: Float64Array, box: number): number {
  let worst = 0;
  for (const kind of [0, 2]) {
    let [scale, gap] = [1e-9, 0];
    expected.forEach((x, i) => {
      if (i % WIDE < kind || i % WIDE > kind + 1) return;
      scale = Math.max(scale, Math.abs(x));
      const gone = found[i]! - x;
      const off = Math.abs(kind === 0 ? gone - box * Math.round(gone / box) : gone);
      gap = Number.isNaN(off) ? Number.POSITIVE_INFINITY : Math.max(gap, off);
    });
    worst = Math.max(worst, gap / scale);
  }
  return worst;
}
