/** What golden cases compare of a compiled maze, and the draws that they list. */
import { fail } from '#contract/kit/errors.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import type { DrawSource } from '../../../api/types.ts';
import { listedDraws } from '../../../lib/maze/checks.ts';
import type { Sim } from '../engine.ts';
import { modelFacts } from '../facts.ts';

const GEOM = 5; // MuJoCo's number of this kind of object

/** The compiled model as the golden files of mazes list it. */
export function mazeFacts(sim: Sim): JsonObject {
  const { totalMass, qpos0, ...parts } = modelFacts(sim);
  const of = (part: string, keys: readonly string[]): JsonObject => {
    const source = parts[part] as JsonObject;
    return Object.fromEntries(keys.map((key) => [key, source[key] as Json]));
  };
  const geoms = (keys: readonly string[], i: number): JsonObject =>
    Object.fromEntries(Object.entries(of('geom', keys)).map(([key, list]) => [key, (list as readonly Json[])[i] as Json]));
  const names = Array.from({ length: sim.model.ngeom }, (_, i) => sim.nameOf(GEOM, i));
  const walls = names.flatMap((name, i) => (name.startsWith('block_') ? [i] : []));
  const joint = of('joint', ['name', 'range', 'limited']);
  const { gear, joint: driven } = of('actuator', ['gear', 'joint']);
  return {
    sizes: of('sizes', ['nq', 'nv', 'nu', 'nbody', 'njnt', 'ngeom']),
    option: of('option', ['timestep', 'integrator', 'solver', 'iterations', 'gravity', 'cone']),
    totalMass: totalMass as Json,
    qpos0: qpos0 as Json,
    wall: { name: walls.map((i) => names[i] as string), pos: walls.map((i) => geoms(['pos'], i).pos as Json) },
    wallShape: geoms(['size', 'friction', 'margin', 'condim', 'contype', 'conaffinity', 'solref', 'solimp'], walls[0] ?? 0),
    floor: geoms(['pos', 'size'], Array.from(sim.model.geom_type).indexOf(0)),
    joint,
    dof: of('dof', ['damping', 'armature']),
    actuator: { gear: gear as Json, joint: (driven as readonly number[]).map((i) => (joint.name as readonly string[])[i] as string) },
  };
}

/** Draws { goals: [["index", k], ["u", noise], ...], teleport: [k, ...] }, each list in its order; one that is missing or of the other kind throws. */
export function mazeDrawsOf(draws: JsonObject): DrawSource {
  const goals = listedDraws(Array.isArray(draws.goals) ? draws.goals : []);
  const ways = Array.isArray(draws.teleport) ? draws.teleport : [];
  let way = 0;
  return {
    // noise is a quarter of -1..1
    uniform: (_, name) => (name === 'goal' ? 2 * goals.noise(name) + 0.5 : undefined),
    int(_, n, name) {
      if (name === 'goal') return goals.index(n, name);
      if (name !== 'teleport') return undefined;
      const k = Number(ways[way]);
      if (!Number.isInteger(k) || k < 0 || k >= n)
        throw fail(
          'file-invalid',
          `Listed draws: draw ${way} of a way out is not in 0..${n - 1}.`,
          'Compare the order of draws with the reference.',
        );
      way++;
      return k;
    },
  };
}
