/**
 * An encoder over things: an observation as rows of (kind, numbers, there or not), whatever their number, becomes a vector of fixed width.
 *   e_i = tanh([x_i, x_self] W_kind + b_kind)                  each kind has an embedding of its own, beside what the agent is itself
 *   `blocks` times: e_i += tanh(e_i U + m V + c),  m = mean of e_j over the rows j that are there (messages)
 *                   e_i += attention of i over all rows that are there, several heads (Vaswani et al. 2017; attention.ts)
 *                   e_k += tanh(e_k P + s S + d),  s = sum of e_j over the rows j that are parts of row k, where a kind has parts
 *   [e_self, mean of e_i over the rows that are there, tanh(e_k R + r) of every row k of kinds in order]
 * In the last block the agent itself looks alone: what the other rows would see, nothing reads but the mean.
 * No parameter belongs to a place, so the order of rows of a kind means nothing and their number may be another one in every program. A row
 * that is not there is looked at by none and counts in no mean. Only kinds in order (EntityKind.ordered) are read row by row.
 */
import type { EntityKind } from '#contract/game/spaces.ts';
import { present } from '#contract/kit/errors.ts';
import type { Rng } from '#math/rng.ts';
import { add, broadcastTo, concat, div, gt, matmul, mul, reshape, sliceAxis, split, sum, tanh, transpose } from '../engine/ops.ts';
import type { ParamGroup, Tensor } from '../engine/types.ts';
import { attention, selfAttention } from './attention.ts';
import { xavierUniform } from './init.ts';
import { dense, type Front } from './mlp.ts';

const XAVIER = { init: 'xavier', gain: 1 } as const;

export interface EntityOptions {
  /** Width of a row inside, a multiple of `heads`. */
  readonly units: number;
  /** 0: no row looks at others, what each hears is the mean alone. */
  readonly heads: number;
  readonly blocks: number;
}

/** Numbers from neighbouring places at once: [B, rows, width] of one kind out of x [B, O]. */
function rowsOf(x: Tensor, { rows, width }: EntityKind): Tensor {
  const B = x.shape[0]!;
  const R = rows.length;
  const parts: Tensor[] = [];
  for (let k = 0; k < width; ) {
    const first = present(rows[0]?.[k], 'the place of a number');
    let size = 1;
    while (k + size < width && rows.every((row) => row[k + size] === row[k]! + size)) size++;
    const inLine = rows.every((row, r) => row[k] === first + r * size);
    parts.push(
      inLine
        ? reshape(sliceAxis(x, 1, first, R * size), [B, R, size])
        : concat(
            rows.map((row) => reshape(sliceAxis(x, 1, row[k]!, size), [B, 1, size])),
            1,
          ),
    );
    k += size;
  }
  return parts.length === 1 ? parts[0]! : concat(parts, 2);
}

/** The agent's own numbers behind those of every row, from which a place follows where it is not a relative one: [B, R, W], [B, 1, S]. */
const beside = (rows: Tensor, self: Tensor): Tensor =>
  concat([rows, broadcastTo(self, [rows.shape[0]!, rows.shape[1]!, self.shape[2]!])], 2);

/** 1 where a row is there: [B, rows]. */
function thereOf(x: Tensor, kind: EntityKind, numbers: Tensor): Tensor {
  const shape = [x.shape[0]!, kind.rows.length];
  if (kind.presence === undefined) return broadcastTo(x.graph.constant(1, [1, 1]), shape);
  return gt(reshape(sliceAxis(numbers, 2, kind.presence, 1), shape), 0);
}

/** Mean over the rows that are there: e [B, T, E] -> [B, 1, E]; the agent itself always is. */
function meanOf(e: Tensor, there: Tensor | null): Tensor {
  const T = e.shape[1]!;
  if (there === null) return mul(sum(e, 1, true), 1 / T);
  const weights = reshape(there, [there.shape[0]!, T, 1]);
  return div(sum(mul(e, weights), 1, true), sum(weights, 1, true));
}

/** e + tanh(e U + m V + c) with the mean m: [B, T, E] -> the same. */
function messages(group: ParamGroup, name: string, rng: Rng, units: number): (e: Tensor, there: Tensor | null) => Tensor {
  const own = dense(group, `${name}.own`, rng, units, units, XAVIER);
  const mean = group.param(`${name}.mean`, [units, units], xavierUniform(rng, units, units));
  return (e, there) => add(e, tanh(add(own(e), matmul(meanOf(e, there), e.graph.read(mean)))));
}

/** [B, T, E] -> [B, 1, E], or the first `count` rows [B, count, E]. */
type Row = (e: Tensor, mask?: Tensor, count?: number) => Tensor;
const firstRow: Row = (e, _, count = 1) => sliceAxis(e, 1, 0, count);

/** The first rows after they have looked at all of them. @internal Its tests hold it against recorded attention. */
export function ownAttention(group: ParamGroup, name: string, rng: Rng, units: number, heads: number): Row {
  const ask = dense(group, `${name}.q`, rng, units, units, XAVIER);
  const answer = dense(group, `${name}.kv`, rng, units, 2 * units, XAVIER);
  const out = dense(group, `${name}.out`, rng, units, units, XAVIER);
  return (e, mask, count) => {
    const self = firstRow(e, mask, count);
    const [k, v] = split(answer(e), [units, units]) as [Tensor, Tensor];
    return add(self, out(attention(ask(self), k, v, { heads, ...(mask && { mask }) })));
  };
}

/** Numbers that are read of a row of a kind in order. */
const READ = 8;

type Encoder = ReturnType<Front>;
/** Numbers of a row without those that say of what it is a part: they are told by place, and no parameter belongs to one. */
const ownWidth = ({ width, partOf }: EntityKind): number => partOf?.from ?? width;
/** Where the rows of a kind stand among all. */
interface Span {
  readonly from: number;
  readonly count: number;
}
const rowsIn = (e: Tensor, { from, count }: Span): Tensor => sliceAxis(e, 1, from, count);

/** Rows of a kind after those that are parts of them are added up: e [B, T, E], parts [B, P, K] as 1 or 0 -> [B, T, E]. */
function gathering(group: ParamGroup, name: string, rng: Rng, units: number): (e: Tensor, parts: Tensor, of: Span, whole: Span) => Tensor {
  const own = dense(group, `${name}.own`, rng, units, units, XAVIER);
  const sums = group.param(`${name}.sum`, [units, units], xavierUniform(rng, units, units));
  return (e, parts, of, whole) => {
    const rows = rowsIn(e, whole);
    const added = matmul(transpose(parts), rowsIn(e, of));
    const heard = add(rows, tanh(add(own(rows), matmul(added, e.graph.read(sums)))));
    const after = whole.from + whole.count;
    const rest = e.shape[1]! - after;
    const before = whole.from === 0 ? [] : [rowsIn(e, { from: 0, count: whole.from })];
    return concat([...before, heard, ...(rest === 0 ? [] : [rowsIn(e, { from: after, count: rest })])], 1);
  };
}

/** The encoder as layers in front of dense ones: rows [B, O] of a space with these kinds -> [B, 2 * units]. The first kind is the agent itself. */
export const entityFront =
  (kinds: readonly EntityKind[], options: EntityOptions): Front =>
  (group, name, rng) =>
    encoder(group, name, rng, kinds, options);

function encoder(group: ParamGroup, name: string, rng: Rng, kinds: readonly EntityKind[], options: EntityOptions): Encoder {
  const { units, heads, blocks } = options;
  const [self] = kinds;
  const own = present(self, 'the agent itself').width;
  const embeddings = kinds.map((kind, k) =>
    dense(group, `${name}.${kind.name}`, rng, ownWidth(kind) + (k === 0 ? 0 : own), units, { act: 'tanh' }),
  );
  const hear = Array.from({ length: blocks }, (_, k) => messages(group, `${name}.messages${k}`, rng, units));
  const looks = heads === 0 ? 0 : blocks;
  const look = Array.from({ length: Math.max(0, looks - 1) }, (_, k) => selfAttention(group, `${name}.attention${k}`, rng, units, heads));
  const lookAlone: Row = looks === 0 ? firstRow : ownAttention(group, `${name}.attention${blocks - 1}`, rng, units, heads);
  const joins = kinds.flatMap(({ name: of, partOf }) =>
    partOf === undefined
      ? []
      : [{ of, ...partOf, gather: Array.from({ length: blocks }, (_, k) => gathering(group, `${name}.${of}-parts${k}`, rng, units)) }],
  );
  const reads = kinds.flatMap((kind) =>
    kind.ordered === true ? [{ kind, read: dense(group, `${name}.${kind.name}-read`, rng, units, READ, { act: 'tanh' }) }] : [],
  );
  const some = kinds.flatMap((kind, k) => (kind.rows.length === 0 ? [] : [{ kind, embed: present(embeddings[k], 'an embedding') }]));
  const certain = some.every(({ kind }) => kind.presence === undefined);
  const spanOf = (wanted: string): Span => {
    const at = some.findIndex(({ kind }) => kind.name === wanted);
    return {
      from: some.slice(0, Math.max(0, at)).reduce((sum, { kind }) => sum + kind.rows.length, 0),
      count: some[at]?.kind.rows.length ?? 0,
    };
  };
  const eachOf = (of: (each: (typeof some)[number], k: number) => Tensor): Tensor => concat(some.map(of), 1);
  return {
    size: 2 * units + READ * reads.reduce((sum, { kind }) => sum + kind.rows.length, 0),
    net(x) {
      const B = x.shape[0]!;
      const numbers = some.map(({ kind }) => rowsOf(x, kind));
      const there = certain ? null : eachOf(({ kind }, k) => thereOf(x, kind, numbers[k]!));
      const mask = there === null ? undefined : reshape(there, [B, 1, there.shape[1]!]);
      const of = some.map(({ kind }, k) => (kind.partOf === undefined ? numbers[k]! : sliceAxis(numbers[k]!, 2, 0, ownWidth(kind))));
      let e = eachOf(({ embed }, k) => embed(k === 0 ? of[k]! : beside(of[k]!, numbers[0]!)));
      for (const [k, heard] of hear.entries()) {
        e = heard(e, there);
        const looked = look[k];
        if (looked !== undefined) e = add(e, looked(e, mask));
        for (const { of: part, kind: whole, from, gather } of joins) {
          const at = some.findIndex(({ kind }) => kind.name === part);
          const [span, into] = [spanOf(part), spanOf(whole)];
          if (span.count === 0 || into.count === 0) continue;
          const parts = sliceAxis(numbers[at]!, 2, from, into.count);
          const those = there === null ? parts : mul(parts, reshape(sliceAxis(there, 1, span.from, span.count), [B, span.count, 1]));
          e = present(gather[k], 'a round')(e, those, span, into);
        }
      }
      const pooled = reshape(concat([lookAlone(e, mask), meanOf(e, there)], 2), [B, 2 * units]);
      if (reads.length === 0) return pooled;
      const seen = reads.map(({ kind, read }) => {
        const span = spanOf(kind.name);
        const rows = read(rowsIn(e, span));
        const those = there === null ? rows : mul(rows, reshape(sliceAxis(there, 1, span.from, span.count), [B, span.count, 1]));
        return reshape(those, [B, READ * span.count]);
      });
      return concat([pooled, ...seen], 1);
    },
  };
}

/** Agents that see alike: what their observations are made of. */
export interface Role {
  readonly name: string;
  readonly kinds: readonly EntityKind[];
  /** Numbers of an observation. */
  readonly width: number;
}

/** What a critic of whole steps reads: the role of each agent, the first `valued` being those that are valued. */
export interface TeamSight {
  readonly roles: readonly Role[];
  readonly seen: readonly string[];
  readonly valued: number;
}

/**
 * The encoder over the agents of a team, for values of all that they see: one row of their observations side by side for every step,
 * x [K, ...], becomes a row for every agent that is valued, [K * valued, 2 * units].
 *   o_i = [e_self, mean e] of what agent i sees, once per step, by an encoder of its role without messages and of half the width
 *   h_i = tanh(o_i W_role + b)
 *   `blocks` times: h_i += tanh(h_i U + m V + c),  m = mean of h_j over all agents;  h_i += attention of i over all agents
 *   [h_i, mean of h_j before they look for the last time]
 * In the last block only those that are valued look. `roles` are all there may be, so that no parameter depends on who is there.
 */
export const teamFront =
  ({ roles, seen, valued }: TeamSight, { units, heads, blocks }: EntityOptions): Front =>
  (group, name, rng) => {
    const own = { units: Math.ceil(units / 2), heads: 1, blocks: 0 }; // of one observation, which the others mostly repeat
    // a team reads no rows of what an agent sees: they are as many as it has agents
    const unread = (kinds: readonly EntityKind[]): readonly EntityKind[] => kinds.map(({ ordered: _, ...kind }) => kind);
    const each = new Map(
      roles.map((role) => {
        const { net, size } = encoder(group, `${name}.${role.name}`, rng, unread(role.kinds), own);
        const embed = dense(group, `${name}.team.${role.name}`, rng, size, units, { act: 'tanh' });
        return [role.name, { width: role.width, read: (rows: Tensor): Tensor => embed(net(rows)) }];
      }),
    );
    const hear = Array.from({ length: blocks }, (_, k) => messages(group, `${name}.team.messages${k}`, rng, units));
    const look = Array.from(
      { length: blocks },
      (_, k): Row =>
        heads === 0
          ? (all, __, count) => firstRow(all, undefined, count)
          : ownAttention(group, `${name}.team.attention${k}`, rng, units, heads),
    );
    return {
      size: 2 * units,
      net(x) {
        const K = x.shape[0]!;
        const parts: Tensor[] = [];
        for (let a = 0, at = 0; a < seen.length; ) {
          const role = present(seen[a], 'a role');
          let many = 1; // neighbours of one role are encoded together
          while (seen[a + many] === role) many++;
          const { width, read } = present(each.get(role), 'the encoder of a role');
          parts.push(reshape(read(reshape(sliceAxis(x, 1, at, many * width), [K * many, width])), [K, many, units]));
          a += many;
          at += many * width;
        }
        let h = parts.length === 1 ? parts[0]! : concat(parts, 1);
        let mean = meanOf(h, null);
        for (const [k, heard] of hear.entries()) {
          h = heard(h, null);
          mean = meanOf(h, null); // of what all are before they look: in the last round most do not
          h = present(look[k], 'a round')(h, undefined, k === blocks - 1 ? valued : seen.length);
        }
        const those = sliceAxis(h, 1, 0, valued);
        return reshape(concat([those, broadcastTo(mean, those.shape)], 2), [K * valued, 2 * units]);
      },
    };
  };
