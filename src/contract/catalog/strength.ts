/**
 * What tells whether something was learned, and where the return while exploring cannot: then the kept policies of a run are tested beside it, and that
 * is its main line. It is worked out anew wherever a run is shown, so it is no part of a config, a link or the rows of a run.
 */
import type { JsonObject } from '../kit/json.ts';
import type { AlgoCard, EnvCard, Strength } from './catalog.ts';

/** Share of random actions from which on a return while exploring says more of the exploring than of what was learned. */
const WIDE_EPSILON = 0.2;
/** The same of noise on continuous actions, in half widths of their range. */
const WIDE_NOISE = 0.5;

/** Where a share of random actions ends, or what it is throughout. */
const EPSILONS = ['epsilonEnd', 'epsilonFinal', 'epsilon'];

/** Its actions while it learns are so random, to the end, that they hide what it has learned. */
function exploresWidely(config: JsonObject): boolean {
  const epsilon = EPSILONS.map((name) => config[name]).find((value) => typeof value === 'number');
  const noise = config.explorationNoise;
  return (typeof epsilon === 'number' && epsilon >= WIDE_EPSILON) || (typeof noise === 'number' && noise >= WIDE_NOISE);
}

/**
 * What shows the learning of a run whose return while exploring cannot; null: that return shows it. It cannot
 *   where both sides of a game learn, so that what one gains the other loses;
 *   where its episodes are played by an expert, or were recorded (`shown`);
 *   where it plays no episodes, because it solves a known game or table;
 *   where it acts at random to the end, for a fifth of its steps or more.
 * `config`: of the method. Nothing is measured of methods that learn nothing.
 */
export function strengthOf(
  { judged }: Pick<EnvCard, 'judged'>,
  { learner, shown, metrics }: Pick<AlgoCard, 'learner' | 'shown' | 'metrics'>,
  config: JsonObject,
): Strength | null {
  if (learner === 'none') return null;
  const measures = (metric: string): boolean => metrics.some(({ id }) => id === metric);
  if (measures('nashConv')) return null; // its own rows say how far it is from an equilibrium
  if (judged !== undefined) return judged;
  const hidden = shown === true || !measures('episodicReturn') || exploresWidely(config);
  return hidden ? 'return' : null;
}
