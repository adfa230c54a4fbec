/**
 * How often values say "closer" where it is farther: over pairs of recorded states `way` steps apart, and goals drawn from the recording, the share
 * in which V(later, g) - V(earlier, g) has another sign than the exact distance to the goal says (Environment.goalDistance; Ahn et al. 2025 ask
 * how well values are in order along a way). A draw that changes nothing in the distance is left out. For measuring alone.
 */
import type { Engine } from '#core/engine/types.ts';
import type { Environment, EnvMeta } from '#core/envs/api/types.ts';
import type { Rng } from '#math/rng.ts';
import type { GoalRows } from './rows.ts';
import { type GoalValues, worth } from './values.ts';

const PAIRS = 256;

/** Answers a share 0..1; NaN where no draw had a sign. null: the environment knows no distances. */
export function signMeter(
  engine: Engine,
  values: GoalValues,
  meta: EnvMeta,
  rows: GoalRows,
  { goalDistance }: Pick<Environment, 'goalDistance'>,
  way: number,
): ((rng: Rng) => Promise<number>) | null {
  if (goalDistance === undefined) return null;
  const O = meta.obsSize;
  const program = engine.compile({ obs: [2 * PAIRS, O] }, ({ obs }, g) => ({ value: worth(values, g, obs) }), { name: 'value signs' });
  return async (rng) => {
    for (let row = 0; row < PAIRS; row++) {
      const i = rows.drawStep(rng);
      const goal = rng.int(rows.states);
      rows.write(i, goal, program.in.obs, row);
      rows.write(Math.min(i + way, rows.lastOf(i)), goal, program.in.obs, PAIRS + row);
    }
    const pending = program.run();
    if (pending) await pending;
    const { value } = program.out;
    let [wrong, counted] = [0, 0];
    for (let row = 0; row < PAIRS; row++) {
      const nearer = goalDistance(program.in.obs, row * O) - goalDistance(program.in.obs, (PAIRS + row) * O);
      if (nearer === 0) continue;
      counted++;
      if (Math.sign(value[PAIRS + row]! - value[row]!) !== Math.sign(nearer)) wrong++;
    }
    return counted === 0 ? Number.NaN : wrong / counted;
  };
}
