import { describe, expect, it } from 'vitest';
import { type EntityKind, obsSize } from '#contract/game/spaces.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { Rng } from '#math/rng.ts';
import { gradients } from '../engine/autodiff.ts';
import { createGraph } from '../engine/graph.ts';
import { mul, square, sub, sum } from '../engine/ops.ts';
import { hostGroup } from '../engine/params.ts';
import type { Param, ParamGroup, Tensor } from '../engine/types.ts';
import { createWasmEngine } from '../engine/wasm/engine.ts';
import { getEnv } from '../envs/all.ts';
import { interpret } from '../testing/engine/interpreter.ts';
import { bodyFront, loadBody } from './body.ts';
import { type EntityOptions, entityFront, ownAttention, type Role, teamFront } from './entities.ts';
import golden from './golden/lm-blocks.json' with { type: 'json' };
import type { Front } from './mlp.ts';

const UNITS = 4;
const options = (blocks: number): EntityOptions => ({ units: UNITS, heads: 2, blocks });
/** An agent, three mates whose numbers stand apart, two foods that may be missing. */
const KINDS: readonly EntityKind[] = [
  { name: 'self', width: 2, rows: [[0, 1]] },
  { name: 'mate', width: 3, rows: [[2, 3, 8], [4, 5, 9], [6, 7, 10]] }, // biome-ignore format: rows
  { name: 'food', width: 2, rows: [[11, 12], [13, 14]], presence: 1 }, // biome-ignore format: rows
];
const WIDTH = 15;
const B = 3;

const numbers = (n: number, seed: number): number[] => {
  const rng = Rng.from(seed);
  return Array.from({ length: n }, () => rng.uniform() * 2 - 1);
};
/** In every row all mates; the second food is missing, in the last row the first one too. */
function observations(seed = 1): number[] {
  const out = numbers(B * WIDTH, seed);
  for (let b = 0; b < B; b++) {
    out[b * WIDTH + 12] = b === B - 1 ? 0 : 1 + b;
    out[b * WIDTH + 14] = 0;
  }
  return out;
}

type Params = Map<Param, ArrayLike<number>>;
interface Built {
  readonly group: ParamGroup & { readonly initial: ReadonlyMap<Param, Float32Array> };
  readonly out: Tensor;
  readonly params: Params;
}
function built(front: Front, rows = B, width = WIDTH): Built {
  const group = hostGroup('net');
  const net = front(group, 'body', Rng.from(3), width);
  const g = createGraph();
  const out = net.net(g.input('x', [rows, width]));
  const params: Params = new Map([...group.initial].map(([param, start], i) => [param, numbers(start.length, 10 + i)]));
  return { group, out, params };
}
const run = (t: Tensor, x: readonly number[], params: Params): number[] => [...interpret([t], { inputs: { x }, params }).get(t)!];
const ofBody = (x: readonly number[], blocks: number, kinds = KINDS, width = WIDTH): number[] => {
  const { out, params } = built(entityFront(kinds, options(blocks)), x.length / width, width);
  return run(out, x, params);
};
const close = (a: readonly number[], b: readonly number[]): void => {
  expect(a.length).toBe(b.length);
  a.forEach((value, i) => {
    expect(value, `number ${i}`).toBeCloseTo(b[i]!, 12);
  });
};

/** x with columns changed over. */
const swapped = (x: readonly number[], pairs: readonly (readonly [number, number])[]): number[] => {
  const out = [...x];
  for (let b = 0; b < B; b++)
    for (const [i, j] of pairs) [out[b * WIDTH + i], out[b * WIDTH + j]] = [out[b * WIDTH + j]!, out[b * WIDTH + i]!];
  return out;
};

const team: readonly Role[] = [
  { name: 'hunter', kinds: KINDS, width: WIDTH },
  { name: 'prey', kinds: [{ name: 'self', width: 2, rows: [[0, 1]] }], width: 2 },
];
const SEEN = ['hunter', 'hunter', 'prey'];
const TEAM_WIDTH = 2 * WIDTH + 2;
const teamRows = (): number[] => {
  const seen = observations(4);
  const prey = numbers(2, 5);
  return [...seen.slice(0, 2 * WIDTH), ...prey];
};

/** An agent, two ways in order, three links that are parts of them; the second way is missing in the last row, the third link always. */
const NET: readonly EntityKind[] = [
  { name: 'self', width: 2, rows: [[0, 1]] },
  { name: 'way', width: 2, rows: [[2, 3], [4, 5]], presence: 0, ordered: true }, // biome-ignore format: rows
  { name: 'link', width: 4, rows: [6, 10, 14].map((at) => [0, 1, 2, 3].map((k) => at + k)), presence: 0, partOf: { kind: 'way', from: 2 } },
];
const NET_WIDTH = 18;
const nets = (): number[] =>
  Array.from({ length: B }, (_, b) => {
    const [self, ways, links] = [numbers(2, 30 + b), numbers(4, 40 + b), numbers(12, 50 + b)];
    const parts = [[1, 0], [1, 1], [0, 1]]; // biome-ignore format: pairs
    [ways[0], ways[2]] = [1, b === B - 1 ? 0 : 1];
    for (const [l, of] of parts.entries()) links.splice(4 * l, 4, l === 2 ? 0 : 1, links[4 * l + 1]!, ...of);
    return [...self, ...ways, ...links];
  }).flat();

const fronts: readonly (readonly [string, Front, readonly number[], number])[] = [
  ['one block', entityFront(KINDS, options(1)), observations(), WIDTH],
  ['two blocks', entityFront(KINDS, options(2)), observations(), WIDTH],
  ['parts of rows in order', entityFront(NET, options(1)), nets(), NET_WIDTH],
  ['parts in two blocks', entityFront(NET, options(2)), nets(), NET_WIDTH],
  ['over a team', teamFront({ roles: team, seen: SEEN, valued: 2 }, options(1)), teamRows(), TEAM_WIDTH],
  ['over a team, two blocks', teamFront({ roles: team, seen: SEEN, valued: 2 }, options(2)), teamRows(), TEAM_WIDTH],
];

it.each(fronts)('%s: has the gradients of differences', (_, front, x, width) => {
  const { group, out, params } = built(front, x.length / width, width);
  const g = out.graph;
  const loss = sum(mul(square(out), g.constant(numbers(out.shape[0]! * out.shape[1]!, 7), out.shape)));
  const slopes = gradients(
    loss,
    group.params.map((p) => g.read(p)),
  );
  const rng = Rng.from(5);
  let moved = 0;
  for (const [i, p] of group.params.entries()) {
    const slope = run(slopes[i]!, x, params);
    const kept = Array.from(params.get(p)!);
    for (let trial = 0; trial < 4; trial++) {
      const k = rng.int(kept.length);
      const lossAt = (move: number): number => run(loss, x, new Map(params).set(p, kept.map((v, j) => (j === k ? v + move : v))))[0]!; // biome-ignore format: one line
      const difference = (lossAt(1e-5) - lossAt(-1e-5)) / 2e-5;
      expect(Math.abs(slope[k]! - difference), `${p.name}[${k}]`).toBeLessThan(1e-6 * Math.max(1, Math.abs(difference)));
      if (Math.abs(difference) > 1e-3) moved++;
    }
  }
  expect(moved).toBeGreaterThan(group.params.length);
});

describe.each([1, 2])('%i blocks', (blocks) => {
  const x = observations();
  /** The first two mates, whose numbers stand in two places. */
  const MATES = [[2, 4], [3, 5], [8, 9]] as const; // biome-ignore format: pairs

  it('mates in another order change rounding only', async () => {
    close(ofBody(swapped(x, MATES), blocks), ofBody(x, blocks));
    const engine = await createWasmEngine({ poison: true });
    const group = engine.group('net');
    const net = entityFront(KINDS, options(blocks))(group, 'body', Rng.from(3), WIDTH);
    const program = engine.compile({ x: [B, WIDTH] }, (into) => ({ out: net.net(into.x) }));
    const found = (given: readonly number[]): number[] => {
      program.in.x.set(given);
      program.run();
      return [...program.out.out];
    };
    const first = found(x);
    const second = found(swapped(x, MATES));
    first.forEach((value, i) => {
      expect(Math.abs(value - second[i]!)).toBeLessThan(2e-6);
    });
    expect(found(swapped(x, [[0, 1]]))).not.toEqual(first);
    engine.dispose();
  });

  it('a thing that is not there adds nothing: whatever its numbers are, to the bit, and as if it had no row', async () => {
    const engine = await createWasmEngine();
    const group = engine.group('net');
    const net = entityFront(KINDS, options(blocks))(group, 'body', Rng.from(3), WIDTH);
    const program = engine.compile({ x: [B, WIDTH] }, (into) => ({ out: net.net(into.x) }));
    const found = (given: readonly number[]): number[] => {
      program.in.x.set(given);
      program.run();
      return [...program.out.out];
    };
    const other = [...x];
    for (let b = 0; b < B; b++) other[b * WIDTH + 13] = 1000 * (b + 1);
    expect(found(other)).toEqual(found(x));
    const there = [...other];
    for (let b = 0; b < B; b++) there[b * WIDTH + 14] = 1;
    expect(found(there)).not.toEqual(found(x));
    engine.dispose();
    const without = KINDS.map((kind) => (kind.name === 'food' ? { ...kind, rows: kind.rows.slice(0, 1) } : kind));
    close(ofBody(x, blocks, without), ofBody(x, blocks));
  });
});

describe('rows that are parts of rows in order', () => {
  const POOLED = 2 * UNITS;
  const READ = 8;
  const of = (x: readonly number[]): number[][] => {
    const flat = ofBody(x, 1, NET, NET_WIDTH);
    const size = flat.length / B;
    expect(size).toBe(POOLED + 2 * READ);
    return Array.from({ length: B }, (_, b) => flat.slice(b * size, (b + 1) * size));
  };
  const changed = (change: (row: number[]) => void): number[] => {
    const x = nets();
    return Array.from({ length: B }, (_, b) => {
      const row = x.slice(b * NET_WIDTH, (b + 1) * NET_WIDTH);
      change(row);
      return row;
    }).flat();
  };

  it('parts in another order change rounding only', () => {
    close(of(changed((row) => row.splice(6, 8, ...row.slice(10, 14), ...row.slice(6, 10)))).flat(), of(nets()).flat());
  });

  it('ways in another order, as their parts say, are read in that order, and the rest stays', () => {
    const turned = of(
      changed((row) => {
        row.splice(2, 4, ...row.slice(4, 6), ...row.slice(2, 4));
        for (const at of [8, 12, 16]) row.splice(at, 2, row[at + 1]!, row[at]!);
      }),
    );
    for (const [b, row] of of(nets()).entries()) {
      const [pooled, first, second] = [row.slice(0, POOLED), row.slice(POOLED, POOLED + READ), row.slice(POOLED + READ)];
      close(turned[b] ?? [], [...pooled, ...second, ...first]);
      expect(first).not.toEqual(second);
    }
  });

  it('a part is heard by the ways that it is part of, and by no other way before it looks at all', () => {
    const before = of(nets());
    const other = of(changed((row) => row.splice(8, 2, 0, 1)));
    expect(other[0]?.slice(POOLED, POOLED + READ)).not.toEqual(before[0]?.slice(POOLED, POOLED + READ));
  });

  it('what is not there adds nothing, as part or as way', () => {
    close(of(changed((row) => row.splice(15, 3, 7, 1, 1))).flat(), of(nets()).flat()); // of the third link
    const last = of(changed((row) => row.splice(5, 1, row[4] === 0 ? 9 : row[5]!)));
    close(last.flat(), of(nets()).flat());
    expect(
      last
        .at(-1)
        ?.slice(POOLED + READ)
        .every((value) => value === 0),
    ).toBe(true);
  });

  it('a team reads none of them', () => {
    const roles: readonly Role[] = [{ name: 'router', kinds: NET, width: NET_WIDTH }];
    const { out, params } = built(teamFront({ roles, seen: ['router', 'router'], valued: 1 }, options(1)), 1, 2 * NET_WIDTH);
    expect(run(out, nets().slice(0, 2 * NET_WIDTH), params).length).toBe(2 * UNITS);
  });
});

describe.each([1, 2])('a team looked at whole, %i blocks', (blocks) => {
  const seen = ['hunter', 'hunter', 'hunter'];
  const { out, params } = built(teamFront({ roles: [team[0]!], seen, valued: 3 }, options(blocks)), 1, 3 * WIDTH);
  const [a, b, c] = [0, 1, 2].map((k) => observations(20 + k).slice(0, WIDTH)) as [number[], number[], number[]];
  const of = (...agents: readonly (readonly number[])[]): number[][] => {
    const flat = run(out, agents.flat(), params);
    expect(flat.length).toBe(3 * 2 * UNITS);
    return [0, 1, 2].map((k) => flat.slice(k * 2 * UNITS, (k + 1) * 2 * UNITS));
  };

  it('a row for every agent; agents in another order get the same rows in that order', () => {
    const rows = of(a, b, c);
    expect(rows[0]).not.toEqual(rows[1]);
    const turned = of(c, a, b);
    for (const [k, from] of [2, 0, 1].entries()) close(turned[k]!, rows[from]!);
  });

  it('what one agent sees changes the row of every other', () => {
    const before = of(a, b, c);
    const after = of(a, b, c.map((x) => -x)); // biome-ignore format: one line
    for (const [k, row] of after.entries()) expect(row).not.toEqual(before[k]);
  });

  it('fewer that are valued get the rows that they have among all', () => {
    const two = built(teamFront({ roles: [team[0]!], seen, valued: 2 }, options(blocks)), 1, 3 * WIDTH);
    close(run(two.out, [...a, ...b, ...c], two.params), of(a, b, c).slice(0, 2).flat());
  });
});

describe('recorded attention', () => {
  const cases = golden.cases.filter(({ name }) => name.startsWith('attention_'));
  it('is there', () => expect(cases.length).toBe(3));
  it.each(cases.map((c) => [c.name, c] as const))('%s: the last token looks at all, as an agent does', (_, c) => {
    const { x, wq, wk, wv, wo, heads, mask } = c.input as unknown as { [name: string]: number[][] } & { x: number[][][]; heads: number };
    const expected = (c.expected as unknown as { out: number[][][] }).out;
    const [rows, T, D] = [x.length, x[0]!.length, x[0]![0]!.length];
    const group = hostGroup('net');
    const look = ownAttention(group, 'look', Rng.from(1), D, heads);
    const kv = wk!.map((row, i) => [...row, ...wv![i]!]);
    const given: { readonly [name: string]: readonly number[][] } = { q: wq!, kv, out: wo! };
    const params: Params = new Map(
      [...group.initial].map(([param, start]) => [param, given[param.name.replace(/^look\.(.*)\.w$/, '$1')]?.flat() ?? start]),
    );
    const g = createGraph();
    // the last token first: what comes later is hidden from the others in the recording
    const e = g.constant(x.flatMap((row) => row.toReversed().flat()), [rows, T, D]); // biome-ignore format: one line
    const there = g.constant(mask!.flatMap((row) => row.toReversed()), [rows, 1, T]); // biome-ignore format: one line
    const added = sub(look(e, there), g.constant(x.flatMap((row) => row.at(-1)!), [rows, 1, D])); // biome-ignore format: one line
    const found = [...interpret([added], { params }).get(added)!];
    const recorded = expected.flatMap((row) => row.at(-1)!);
    const last = mask!.map((row) => row.at(-1) === 1);
    expect(last).toContain(true);
    found.forEach((value, i) => {
      if (last[Math.floor(i / D)]) expect(value).toBeCloseTo(recorded[i]!, 6);
    });
  });
});

describe('parameters belong to no place', () => {
  const worlds: readonly (readonly [string, readonly JsonObject[]])[] = [
    ['mpe-simple-spread', [{ agents: 1 }, { agents: 2 }, {}, { agents: 10 }, { agentNeighbors: 1, landmarkNeighbors: 2 }]],
    ['mpe-simple-tag', [{}, { adversaries: 6, good: 2 }, { obstacles: 0 }, { adversaries: 1 }]],
    ['level-based-foraging', [{}, { players: 4, foods: 5, fieldSize: [15, 15] }, { sight: 2 }]],
    ['demand-routing', [{}, { nodes: 4, more: 0 }, { nodes: 16, more: 8 }]],
    ['ride-dispatch', [{}, { drivers: 4 }, { drivers: 40, side: 18 }]],
    ['ride-dispatch', [{ decides: 'drivers' }, { decides: 'drivers', drivers: 3 }, { decides: 'drivers', sight: 'all' }]],
  ];
  it.each(worlds)('%s: of any size', async (id, configs) => {
    await loadBody({ body: { kind: 'entities', ...options(2) } });
    const shapes = configs.map((config) =>
      getEnv(id)
        .meta(config)
        .agents.map(({ obs }) => {
          const group = hostGroup('net');
          const body = { kind: 'entities', ...options(2) } as const;
          const { size, net } = bodyFront(obs, { body }, { act: 'tanh' })!(group, 'body', Rng.from(1), obsSize(obs));
          expect(net(createGraph().input('x', [2, obsSize(obs)])).shape).toEqual([2, size]);
          return group.params.map(({ name, shape }) => [name, ...shape]);
        }),
    );
    for (const other of shapes) expect(other).toEqual(shapes[0]);
  });
});

it('without heads no row looks: no weight of attention, and messages as before', () => {
  const deaf = (front: (o: EntityOptions) => Front, width: number) => {
    const names = (heads: number) =>
      [...built(front({ units: UNITS, heads, blocks: 2 }), B, width).group.initial.keys()].map((p) => p.name);
    expect(names(2).some((name) => name.includes('attention'))).toBe(true);
    expect(names(0)).toEqual(names(2).filter((name) => !name.includes('attention')));
  };
  deaf((o) => entityFront(KINDS, o), WIDTH);
  deaf((o) => teamFront({ roles: team, seen: ['hunter', 'hunter', 'prey'], valued: 1 }, o), 2 * WIDTH + 2);
});
