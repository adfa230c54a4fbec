/** What golden cases compare of a compiled maze, and the draws that they list. */
import { fail } from '#contract/kit/errors.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import type { DrawSource } from '../../../api/types.ts';
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
  const goals = Array.isArray(draws.goals) ? draws.goals : [];
  const ways = Array.isArray(draws.teleport) ? draws.teleport : [];
  let [goal, way] = [0, 0];
  const wrong = (what: string) => fail('file-invalid', `Listed draws: ${what}.`, 'Compare the order of draws with the reference.');
  const next = (kind: string): number => {
    const draw = goals[goal];
    if (!Array.isArray(draw) || draw[0] !== kind) throw wrong(`draw ${goal} of a goal is not a "${kind}"`);
    goal++;
    return Number(draw[1]);
  };
  return {
    // noise is a quarter of -1..1
    uniform: (_, name) => (name === 'goal' ? 2 * next('u') + 0.5 : undefined),
    int(_, n, name) {
      if (name === 'goal') return next('index');
      if (name !== 'teleport') return undefined;
      const k = Number(ways[way]);
      if (!Number.isInteger(k) || k < 0 || k >= n) throw wrong(`draw ${way} of a way out is not in 0..${n - 1}`);
      way++;
      return k;
    },
  };
}
