/** Formation and line by rule: a conductor who sees every agent hands out the wanted places the cheapest way, each agent walks to its own. */
import type { ScriptedPolicy } from '../../api/types.ts';
import { createPlaces } from './places.ts';
import { arrive, scripted } from './steer.ts';

interface Settings {
  readonly agents: number;
  readonly dt: number;
  readonly damping: number;
  readonly mass: number;
  readonly force: number;
}

/** `lay` fills the wanted places from floats laid out as in the state (agents at 0, landmarks at 4 N). */
function conducted(c: Settings, landmarks: number, lay: (floats: Float64Array, wanted: Float64Array) => void): ScriptedPolicy {
  const N = c.agents;
  const places = createPlaces(N);
  const floats = new Float64Array(4 * N + 2 * landmarks);
  return scripted((obs, at, agent, wish) => {
    if (agent === 0) {
      const width = 4 + 2 * landmarks;
      for (let i = 0; i < N; i++) {
        floats[2 * i] = obs[at + i * width + 2]!;
        floats[2 * i + 1] = obs[at + i * width + 3]!;
      }
      for (let k = 0; k < 2 * landmarks; k++) floats[4 * N + k] = obs[at + 4 + k]! + obs[at + 2 + (k % 2)]!;
      lay(floats, places.wanted);
      places.reward(floats, 0);
    }
    const place = 2 * places.job[agent]!;
    wish.x = arrive(c, places.wanted[place]! - obs[at + 2]!, obs[at]!);
    wish.y = arrive(c, places.wanted[place + 1]! - obs[at + 3]!, obs[at + 1]!);
  });
}

export function formationPolicy(
  c: Settings & { readonly radius: number },
  circle: (n: number, radius: number, floats: Float64Array, s: number, mark: number, wanted: Float64Array) => void,
): ScriptedPolicy {
  return conducted(c, 1, (floats, wanted) => circle(c.agents, c.radius, floats, 0, 4 * c.agents, wanted));
}

export function linePolicy(
  c: Settings,
  segment: (n: number, floats: Float64Array, mark: number, wanted: Float64Array) => void,
): ScriptedPolicy {
  return conducted(c, 2, (floats, wanted) => segment(c.agents, floats, 4 * c.agents, wanted));
}
