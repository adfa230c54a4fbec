/** How hard a level is for who knows all of it: the plan of the expert, tried in the world. Of a way to a goal without doors it is a shortest one. */
import type { LevelSolution } from '#contract/files/levels.ts';
import { createBuffers } from '../../api/buffers.ts';
import type { Environment } from '../../api/types.ts';
import { DOOR, OPEN, objectOf, stateOf } from './cells.ts';
import { planEpisode, type Task } from './expert.ts';
import { Model } from './model.ts';
import { TOGGLE } from './moment.ts';

/** `create`: a world of one row to try plans in, made at the first level that is asked for. */
export function levelSolver(task: Task, create: () => Environment): (level: Uint8Array) => LevelSolution | null {
  let world: Environment | null = null;
  return (level) => {
    world ??= create();
    const out = createBuffers(world.meta, 1);
    world.load(0, level, out);
    const words = new Uint32Array(level.slice(8).buffer);
    const model = new Model(task.width, task.height, task.pickupToggles);
    model.read(words);
    let doors = 0;
    let steps = 0;
    for (const action of planEpisode(task, words)) {
      const ahead = model.front < 0 ? 0 : model.at(model.front);
      model.act(action);
      world.step(Int32Array.of(action), out);
      steps++;
      if (action === TOGGLE && objectOf(ahead) === DOOR && stateOf(ahead) !== OPEN && stateOf(model.at(model.front)) === OPEN) doors++;
      if (out.terminated[0] === 1) return out.reward[0]! > 0 ? { steps, doors } : null;
      if (out.truncated[0] === 1) return null;
    }
    return null;
  };
}
