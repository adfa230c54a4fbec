/** Descriptions of what is seen as rows of things say the same as the flat observation and its labels. */
import { expect, it } from 'vitest';
import { type EntityKind, entitiesOf, obsSize } from '#contract/game/spaces.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { Rng } from '#math/rng.ts';
import { getEnv } from '../all.ts';
import { createActions } from '../api/buffers.ts';
import type { AgentGroup } from '../api/types.ts';
import { createVectorEnv } from '../api/vector-env.ts';

const WORLDS: readonly (readonly [string, readonly JsonObject[]])[] = [
  ['mpe-simple-spread', [{}, { agents: 1 }, { agents: 6 }, { agentNeighbors: 1, landmarkNeighbors: 2 }]],
  ['mpe-simple-tag', [{}, { adversaries: 6, good: 2 }, { adversaries: 1, obstacles: 0 }]],
  ['level-based-foraging', [{}, { players: 4, foods: 5, fieldSize: [15, 15] }, { sight: 1, foods: 3 }]],
  ['demand-routing', [{}, { nodes: 4, more: 0 }, { nodes: 16, more: 8 }]],
  ['ride-dispatch', [{}, { drivers: 4 }, { drivers: 40, side: 18 }]],
  ['ride-dispatch', [{ decides: 'drivers' }, { decides: 'drivers', drivers: 3 }, { decides: 'drivers', sight: 'all' }]],
];
const CASES = WORLDS.flatMap(([id, configs]) => configs.map((config) => ({ id, config, title: `${id} ${JSON.stringify(config)}` })));

const groupsOf = (id: string, config: JsonObject): readonly AgentGroup[] => getEnv(id).meta(config).agents;
const kindsOf = ({ obs }: AgentGroup): readonly EntityKind[] => entitiesOf(obs) ?? [];

it.each(CASES)('$title: every number stands in one row, the agent itself in the first kind', ({ id, config }) => {
  for (const group of groupsOf(id, config)) {
    const kinds = kindsOf(group);
    const places = kinds.flatMap(({ rows }) => rows.flat()).sort((a, b) => a - b);
    expect(places).toEqual(Array.from({ length: obsSize(group.obs) }, (_, i) => i));
    expect(kinds[0]?.rows.length).toBe(1);
    for (const { rows, width, presence = 0 } of kinds) {
      expect(presence).toBeLessThan(width);
      for (const row of rows) expect(row.length).toBe(width);
    }
  }
});

it('places for nearest ones that there never are belong to no row', () => {
  const [group] = groupsOf('mpe-simple-spread', { agents: 2, agentNeighbors: 4, landmarkNeighbors: 5 });
  expect(kindsOf(group!).map(({ rows }) => rows.length)).toEqual([1, 2, 1]);
});

it.each(WORLDS)('%s: the kinds and their widths are the same at any size', (id, configs) => {
  const shapes = configs.map((config) =>
    groupsOf(id, config).map((group) => kindsOf(group).map(({ name, width, presence }) => [name, width, presence])),
  );
  for (const other of shapes) expect(other).toEqual(shapes[0]);
});

it.each(CASES.filter(({ id }) => id.startsWith('mpe')))('$title: labels of a row name one thing', ({ id, config }) => {
  for (const group of groupsOf(id, config)) {
    const labels = group.obs.kind === 'box' ? (group.obs.labels ?? []) : [];
    for (const { name, rows } of kindsOf(group)) {
      if (name === 'self') expect(rows.flat().map((place) => labels[place]!.slice(0, 4))).toEqual(['own ', 'own ', 'own ', 'own ']);
      else if (name === 'landmark' || name === 'obstacle')
        rows.forEach((row, k) => {
          expect(row.map((place) => labels[place])).toEqual(['dx', 'dy'].map((axis) => expect.stringMatching(`${name} ${k} ${axis}$`)));
        });
      else for (const row of rows) expect(new Set(row.slice(0, 2).map((place) => labels[place]!.replace(/ d[xy]$/, ''))).size).toBe(1);
    }
  }
});

it('tag: the velocity in a row of prey is that of the prey whose place stands there', () => {
  const config = { adversaries: 2, good: 2 };
  const env = createVectorEnv(getEnv('mpe-simple-tag'), config, 1, Rng.from(1));
  env.reset();
  const actions = createActions(env.meta, 1);
  for (let t = 0; t < 3; t++) env.step(actions.fill(2));
  const O = env.meta.obsSize;
  const seenBy = (agent: number): readonly number[] => [...env.buffers.obs.subarray(agent * O, (agent + 1) * O)];
  const [hunters] = env.meta.agents;
  const rows = kindsOf(hunters!).find(({ name }) => name === 'prey')!.rows.map((row) => row.map((place) => seenBy(0)[place]!)); // biome-ignore format: one line
  const own = seenBy(0);
  rows.forEach(([dx, dy, vx, vy], k) => {
    const [px, py, x, y] = seenBy(2 + k); // its own velocity and place
    expect([vx, vy]).toEqual([px, py]);
    expect(dx).toBeCloseTo(x! - own[2]!, 6);
    expect(dy).toBeCloseTo(y! - own[3]!, 6);
  });
});

it('foraging: rows of food and mates are there where their level is above 0', () => {
  const config = { players: 3, foods: 3, sight: 2, fieldSize: [8, 8] };
  const env = createVectorEnv(getEnv('level-based-foraging'), config, 4, Rng.from(2));
  env.reset();
  const [group] = env.meta.agents;
  const kinds = kindsOf(group!).slice(1);
  const O = env.meta.obsSize;
  const missing = new Set<number>();
  for (let agent = 0; agent < 12; agent++)
    for (const { rows, presence } of kinds)
      for (const row of rows) {
        const [y, x, level] = row.map((place) => env.buffers.obs[agent * O + place]!);
        expect(presence).toBe(2);
        expect(level! > 0).toBe(y !== -1 && x !== -1);
        missing.add(Number(level! > 0));
      }
  expect([...missing].sort()).toEqual([0, 1]);
});

it('what agents are told of a context belongs to themselves', () => {
  const meta = getEnv('mpe-simple-spread').meta({ contexts: { draw: { force: { from: 3, to: 7 } }, tell: true } });
  const [group] = meta.agents;
  const [self, landmark] = kindsOf(group!);
  expect(self?.width).toBeGreaterThan(4);
  expect(self?.rows[0]?.at(-1)).toBe(meta.obsSize - 1);
  expect(landmark?.width).toBe(2);
});
