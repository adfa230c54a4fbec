/** Observation, reward and end of a person's robot, from menus. */
import { fail } from '#contract/kit/errors.ts';
import { cos, sqrt } from '#math/functions.ts';
import { squares } from '../rules.ts';
import type { Rules } from '../task.ts';
import type { RobotFacts } from './model.ts';

/** Numbers of the last force evaluation that are kept: place of the root, how upright it is, then what is observed of sites. */
const SITES = 4;

export interface RobotTask {
  readonly forwardWeight: number;
  readonly uprightWeight: number;
  readonly heightWeight: number;
  readonly wantedHeight: number | null;
  readonly reachWeight: number;
  readonly reachSite: string;
  readonly reachPoint: readonly number[];
  readonly energyWeight: number;
  readonly aliveWeight: number;
  readonly leastHeight: number | null;
  readonly mostTilt: number | null;
  readonly observePlace: boolean;
  readonly observeSites: boolean;
}

export const TERMS = [
  { id: 'forward', title: 'forward', weights: ['forwardWeight'] },
  { id: 'upright', title: 'upright', weights: ['uprightWeight'] },
  { id: 'height', title: 'height', weights: ['heightWeight'] },
  { id: 'reach', title: 'reach', weights: ['reachWeight'] },
  { id: 'energy', title: 'energy', weights: ['energyWeight'] },
  { id: 'alive', title: 'alive', weights: ['aliveWeight'] },
] as const;

/** Number of the site that is to reach the point; -1: none. Throws LabError('config-invalid') naming the sites there are. */
export function reachingSite({ sites }: RobotFacts, { reachSite }: Pick<RobotTask, 'reachSite'>): number {
  const wanted = reachSite.replaceAll('_', ' ').trim();
  if (wanted === '') return -1;
  const found = sites.indexOf(wanted);
  if (found >= 0) return found;
  throw fail(
    'config-invalid',
    `The robot has no site "${reachSite.slice(0, 60)}".`,
    sites.length === 0 ? 'It has none: leave the field empty.' : `Its sites: ${sites.slice(0, 20).join(', ')}.`,
    'env.reachSite',
  );
}

/** `dt`: seconds of a step of the environment. */
export function robotRules(facts: RobotFacts, c: RobotTask, dt: number): Rules {
  const { nq, nv, places, root, up, motors } = facts;
  const observed = facts.positions.flatMap((_, i) => (c.observePlace || !places.includes(i) ? [i] : []));
  const site = reachingSite(facts, c);
  const sites = c.observeSites ? facts.sites.map((_, i) => i) : [];
  const seenSites = (site < 0 ? 0 : 3) + 3 * sites.length;
  const axes = ['x', 'y', 'z'];
  const wanted = c.wantedHeight ?? facts.height;
  const tilt = c.mostTilt === null ? -2 : cos((c.mostTilt * Math.PI) / 180);
  const at = root * 3;
  return {
    labels: [
      ...observed.map((i) => facts.positions[i]!),
      ...facts.speeds,
      ...(site < 0 ? [] : axes.map((axis) => `to the point ${axis}`)),
      ...sites.flatMap((i) => axes.map((axis) => `${facts.sites[i]} ${axis}`)),
    ],
    kept: SITES + seenSites,
    keep({ xpos, xmat, site_xpos: points }, floats, k) {
      for (let i = 0; i < 3; i++) floats[k + i] = xpos[at + i]!;
      const m = root * 9 + 6;
      floats[k + 3] = xmat[m]! * up[0] + xmat[m + 1]! * up[1] + xmat[m + 2]! * up[2];
      let next = k + SITES;
      if (site >= 0) for (let i = 0; i < 3; i++) floats[next++] = c.reachPoint[i]! - points[site * 3 + i]!;
      for (const one of sites) for (let i = 0; i < 3; i++) floats[next++] = points[one * 3 + i]! - xpos[at + i]!;
    },
    observe({ floats, q, v, kept }, obs, o) {
      let next = o;
      for (const i of observed) obs[next++] = floats[q + i]!;
      for (let i = 0; i < nv; i++) obs[next++] = floats[v + i]!;
      for (let i = 0; i < seenSites; i++) obs[next++] = floats[kept + SITES + i]!;
    },
    judge({ floats, kept }, { qpos, xpos, xmat, site_xpos: points }, actions, action, terms, t) {
      const m = root * 9 + 6;
      const upright = xmat[m]! * up[0] + xmat[m + 1]! * up[1] + xmat[m + 2]! * up[2];
      const height = xpos[at + 2]!;
      let square = 0;
      if (site >= 0) for (let i = 0; i < 3; i++) square += (c.reachPoint[i]! - points[site * 3 + i]!) ** 2;
      const fallen = (c.leastHeight !== null && height < c.leastHeight) || upright < tilt;
      terms[t] = (c.forwardWeight * (xpos[at]! - floats[kept]!)) / dt;
      terms[t + 1] = c.uprightWeight * upright;
      terms[t + 2] = -c.heightWeight * Math.abs(height - wanted);
      terms[t + 3] = -c.reachWeight * sqrt(square);
      terms[t + 4] = -c.energyWeight * squares(actions, action, motors.length);
      terms[t + 5] = fallen ? 0 : c.aliveWeight;
      for (let i = 0; i < nq; i++) if (!Number.isFinite(qpos[i]!)) return true;
      return fallen;
    },
    show({ floats, kept }, out, o) {
      out[o] = floats[kept]!;
      out[o + 1] = floats[kept + 2]!;
      out[o + 2] = floats[kept + 3]!;
    },
  };
}
