/**
 * A planner for the two cooks of a kitchen: what it proposes to a cook, with a chance of errors, what of it can be done at all, and the steps that a
 * plan is made of. It reads and writes the words of one row: those of the kitchen (overcooked/kitchen.ts), then the steps of the episode, then for each
 * cook PLAN_WORDS: the plan that runs (0: none, else 1 + plan), steps that it may still take, the plan proposed, the plan refused in the last step
 * (as the first), what was in hand when the plan was taken, and how often each plan was proposed since the last one was taken.
 */
import { kitchenJobs } from '../overcooked/jobs.ts';
import { amount, COOK_TIME, DISH, isSoup, type Kitchen, NOTHING, ONION, STAY } from '../overcooked/kitchen.ts';

export const PLANS = ['fetch an onion', 'fill a pot', 'fetch a dish', 'take the soup', 'serve', 'lay down', 'step aside'] as const;
export const [FETCH_ONION, FILL, FETCH_DISH, TAKE_SOUP, SERVE, LAY_DOWN, ASIDE] = [0, 1, 2, 3, 4, 5, 6] as const;
export const N = PLANS.length;
/** Places of a cook's words. */
export const [RUNS, LEFT, PROPOSED, REFUSED, HAND, TALLY] = [0, 1, 2, 3, 4, 5] as const;
export const PLAN_WORDS = TALLY + N;
/** Steps that a cook steps aside for. */
const ASIDE_STEPS = 4;

/** Uniform and whole random numbers of this row. */
export interface Chance {
  uniform(name: string): number;
  int(n: number, name: string): number;
}

export function plannerOf(k: Kitchen, planSteps: number) {
  const { words } = k;
  const plansAt = k.ticks + k.tiles.length + 1;
  let s = 0;
  const own = (p: number) => s + plansAt + PLAN_WORDS * p;
  const runs = (p: number) => words[own(p) + RUNS]! - 1;
  const jobs = kitchenJobs(k, (p, kind) => (runs(p) === (kind === DISH ? FETCH_DISH : FETCH_ONION) && jobs.held(p) === NOTHING ? 1 : 0));
  const { held, thing, tick, reaches } = jobs;
  const cooking = (tile: number) => tick(tile) > 0;
  const tileOf = (p: number, plan: number): ((tile: number) => boolean) => {
    const from = (letter: string, kind: number) => (tile: number) =>
      k.tiles[tile] === letter || (k.tiles[tile] === 'X' && thing(tile) === kind);
    switch (plan) {
      case FETCH_ONION:
        return from('O', ONION);
      case FILL:
        return (tile) => k.tiles[tile] === 'P' && jobs.hasRoom(tile);
      case FETCH_DISH:
        return from('D', DISH);
      case TAKE_SOUP: {
        const ready = k.pots.some((tile) => tick(tile) > COOK_TIME && reaches(p, tile));
        return (tile) => k.tiles[tile] === 'P' && (ready ? tick(tile) > COOK_TIME : cooking(tile));
      }
      case SERVE:
        return (tile) => k.tiles[tile] === 'S';
      default:
        return (tile) => plan === LAY_DOWN && k.tiles[tile] === 'X' && thing(tile) === NOTHING;
    }
  };
  /** Whether hands and kitchen allow this plan: what a look at the kitchen tells. */
  const possible = (p: number, plan: number): boolean => {
    const mine = held(p);
    const hands =
      plan === FETCH_ONION || plan === FETCH_DISH
        ? mine === NOTHING
        : plan === FILL
          ? mine === ONION
          : plan === TAKE_SOUP
            ? mine === DISH
            : plan === SERVE
              ? isSoup(mine)
              : plan === ASIDE || mine !== NOTHING;
    if (!hands || plan === ASIDE) return hands;
    const wanted = tileOf(p, plan);
    return [...k.tiles].some((_, tile) => wanted(tile) && reaches(p, tile));
  };
  /** The plan of the scripted pair (overcooked/jobs.ts); where it has none, hands that block the other are emptied. */
  const right = (p: number): number => {
    const mine = held(p);
    const job = jobs.jobOf(p);
    if (job !== null) {
      if (isSoup(mine)) return SERVE;
      if (mine === DISH) return TAKE_SOUP;
      if (mine !== NOTHING) return FILL;
      return [...k.tiles].some((letter, tile) => letter === 'D' && job.wanted(tile)) ? FETCH_DISH : FETCH_ONION;
    }
    if (mine === DISH && !k.pots.some(cooking) && k.pots.every((tile) => amount(thing(tile)) < 2)) return LAY_DOWN;
    if (mine === ONION && held(1 - p) !== DISH) return LAY_DOWN;
    return ASIDE;
  };
  /** Hands change by what a plan is about and by nothing else, so that one that cannot be done never is. */
  const done = (p: number, plan: number): boolean => plan !== ASIDE && held(p) !== words[own(p) + HAND]!;

  return {
    plansAt,
    words: plansAt + 2 * PLAN_WORDS,
    /** Reads and writes the row whose words begin at `from`. */
    look(from: number): void {
      s = from;
      jobs.look(from);
    },
    possible,
    right,
    runs,
    proposed: (p: number) => words[own(p) + PROPOSED]! - 1,
    refused: (p: number) => words[own(p) + REFUSED]! - 1,
    tally: (p: number, plan: number) => words[own(p) + TALLY + plan]!,
    left: (p: number) => words[own(p) + LEFT]!,
    /** How often the planner was asked since this cook last took a plan. */
    asked: (p: number) => PLANS.reduce((sum, _, plan) => sum + words[own(p) + TALLY + plan]!, 0),
    /** The planner is asked: the right plan, or with chance `error` any. */
    propose(p: number, error: number, chance: Chance): void {
      const wrong = chance.uniform('whether the planner errs') < error;
      const plan = wrong ? chance.int(N, 'wrong plan') : right(p);
      words[own(p) + PROPOSED] = 1 + plan;
      words[own(p) + TALLY + plan] = words[own(p) + TALLY + plan]! + 1;
    },
    /** The proposed plan runs from now on. */
    take(p: number): void {
      const plan = words[own(p) + PROPOSED]! - 1;
      words.fill(0, own(p), own(p) + PLAN_WORDS);
      words[own(p) + RUNS] = 1 + plan;
      words[own(p) + HAND] = held(p);
      words[own(p) + LEFT] = plan === ASIDE ? Math.min(planSteps, ASIDE_STEPS) : planSteps;
    },
    refuse(p: number): void {
      words[own(p) + REFUSED] = words[own(p) + PROPOSED]!;
      words[own(p) + PROPOSED] = 0;
    },
    /** What the cook does in this step. A plan that cannot be done takes its time without an act. */
    action(p: number, chance: Chance): number {
      const plan = runs(p);
      if (plan < 0) return STAY;
      if (plan === ASIDE) return chance.int(5, 'way aside');
      if (!possible(p, plan)) return STAY;
      const wait = plan === TAKE_SOUP && !k.pots.some((tile) => tick(tile) > COOK_TIME && reaches(p, tile));
      const way = jobs.goTo(p, { wanted: tileOf(p, plan), wait });
      return way >= 0 ? way : chance.int(5, 'way aside');
    },
    /** Where a step would lead a cook. */
    target: jobs.target,
    /** Behind a step: plans that are done or out of time end. */
    settle(p: number): void {
      const plan = runs(p);
      if (plan < 0) return;
      const left = words[own(p) + LEFT]! - 1;
      words[own(p) + LEFT] = left;
      if (done(p, plan) || left <= 0) words.fill(0, own(p), own(p) + PLAN_WORDS);
    },
    /** The nearest tile, as the crow flies, that a plan is about, its own where it steps aside; -1: none. */
    tile(p: number, plan: number): number {
      if (plan < 0) return -1;
      const at = jobs.placeOf(p);
      if (plan === ASIDE) return at;
      const now = tileOf(p, plan);
      const any = [...k.tiles].some((_, tile) => now(tile) && reaches(p, tile));
      const wanted = any ? now : (tile: number) => k.tiles[tile] === 'P';
      const far = (tile: number) =>
        Math.abs((tile % k.width) - (at % k.width)) + Math.abs(Math.floor(tile / k.width) - Math.floor(at / k.width));
      let best = -1;
      for (let tile = 0; tile < k.tiles.length; tile++)
        if (wanted(tile) && reaches(p, tile) && (best < 0 || far(tile) < far(best))) best = tile;
      return best;
    },
  };
}
