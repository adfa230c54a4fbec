/** Stations by rule. They go by where users are, as each agent sees them, and do not know how radio works. */
import type { Environment, ScriptedPolicy, StepBuffers } from '../../../api/types.ts';
import { type Config, MOVES, REACH, WIDTH } from './config.ts';

/** Who stands within so many metres counts as dense. */
const NEAR = 150;

/** Places of stations [S, 2] and users [U, 2] of one row, in metres, from what its first agent sees. */
function placesOf(c: Config, { meta }: Environment, { obs }: StepBuffers, row: number) {
  const at = row * meta.agentCount * meta.obsSize;
  const x = (obs[at]! * c.side) / 2;
  const y = (obs[at + 1]! * c.side) / 2;
  const seen = (place: number): readonly [number, number] => [
    x + obs[at + place]! * REACH * c.height,
    y + obs[at + place + 1]! * REACH * c.height,
  ];
  const stations = Array.from({ length: c.stations }, (_, i) => (i === 0 ? ([x, y] as const) : seen(WIDTH * i)));
  const users = Array.from({ length: c.users }, (_, i) => seen(WIDTH * (c.stations + i)));
  return { stations, users };
}

type Place = readonly [x: number, y: number];
const far = (a: Place, b: Place): number => (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2;
const nearest = (places: readonly Place[], to: Place): number =>
  places.reduce((best, place, i) => (far(place, to) < far(places[best] ?? place, to) ? i : best), 0);
const middle = (places: readonly Place[]): Place => [
  places.reduce((sum, [x]) => sum + x, 0) / places.length,
  places.reduce((sum, [, y]) => sum + y, 0) / places.length,
];

/** Along the longer side first; within half a move of its goal it hovers. */
function towards(c: Config, from: Place, to: Place): number {
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  if (Math.max(Math.abs(dx), Math.abs(dy)) <= (c.speed * c.dt) / 2) return 0;
  const name = Math.abs(dx) >= Math.abs(dy) ? (dx < 0 ? 'west' : 'east') : dy < 0 ? 'south' : 'north';
  return MOVES.indexOf(name);
}

function byRule(c: Config, goals: (stations: readonly Place[], users: readonly Place[]) => readonly Place[]): ScriptedPolicy {
  return {
    act(env, buffers, out) {
      for (let row = 0; row < env.batch; row++) {
        const { stations, users } = placesOf(c, env, buffers, row);
        const to = goals(stations, users);
        for (const [i, from] of stations.entries()) out[row * c.stations + i] = towards(c, from, to[i] ?? from);
      }
    },
  };
}

/** Lloyd's rule: each goes to the middle of the users nearest to it, one without any to the user that is farthest from all. */
export const kMeans = (c: Config): ScriptedPolicy =>
  byRule(c, (stations, users) => {
    const own = users.map((user) => nearest(stations, user));
    return stations.map((_, i) => {
      const mine = users.filter((__, u) => own[u] === i);
      if (mine.length > 0) return middle(mine);
      const lonely = users.map((user) => far(stations[nearest(stations, user)] ?? user, user));
      return users[lonely.indexOf(Math.max(...lonely))] ?? [0, 0];
    });
  });

/** The densest place first, then the densest of the users that are left: the free station nearest to each goes there. */
export const densest = (c: Config): ScriptedPolicy =>
  byRule(c, (stations, users) => {
    const goals: Place[] = stations.map((place) => place);
    const free = new Set(stations.keys());
    let left = users;
    while (free.size > 0 && left.length > 0) {
      const groups = left.map((user) => left.filter((other) => far(user, other) <= NEAR * NEAR));
      const group = groups.reduce((best, one) => (one.length > best.length ? one : best));
      const goal = middle(group);
      const [first = 0, ...rest] = free;
      const taken = rest.reduce((best, i) => (far(stations[i] ?? goal, goal) < far(stations[best] ?? goal, goal) ? i : best), first);
      goals[taken] = goal;
      free.delete(taken);
      left = left.filter((user) => !group.includes(user));
    }
    return goals;
  });
