/**
 * Makes a registry entry of a small poker game: two agents in turn. Obs per player: seat one-hot (2), own rank one-hot, public rank
 * one-hot (zeros before it is shown; none in games without), then per round and place in it one bit for each action but folding.
 * The mask leaves the player who waits action 0 only, which does nothing; `toMove` says whose turn it is. An action that the mask
 * rules out counts as a call. Reward: chips won, at the end. Throws LabError('state-invalid') for cards or histories that cannot be.
 */
import { z } from 'zod';
import type { Source } from '#contract/catalog/catalog.ts';
import type { TableItem, TableLayout } from '#contract/game/frames.ts';
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { checkCell } from '#core/envs/api/checks.ts';
import { defineEnv } from '#core/envs/api/define.ts';
import { Draws } from '#core/envs/api/draws.ts';
import { assemble } from '#core/envs/api/environment.ts';
import { allocateRows, defineState } from '#core/envs/api/state.ts';
import type { EnvDef, EnvEntry, EnvMeta, ScriptedPolicy, SmallGame, StepBuffers } from '#core/envs/api/types.ts';
import type { Strategy } from '#math/game-tree.ts';
import { Rng } from '#math/rng.ts';
import { type CardGame, emptyBetting, payoff, type Tree } from './game.ts';

export interface PokerEntry {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly source: Source;
  readonly game: CardGame;
  readonly tree: () => Tree;
  readonly equilibrium: () => Strategy;
  readonly references: EnvMeta['references'];
  readonly keys: EnvMeta['keys'];
  /** Actions that observations show: all but those that end the game at once. */
  readonly seen: readonly number[];
  readonly checks: NonNullable<EnvDef<object>['checks']>;
}

const config = z.strictObject({});
type Config = z.infer<typeof config>;

const SUITS = ['♠', '♥', '♦', '♣'] as const;
/** Columns of the table's items: two of each seat, then one each of cards, chips and the public card. */
const SEAT = 0;
const CARD = 4;
const CHIPS = 6;
const SHOWN = 8;
const FACE_DOWN = -2;

/** The first player sits in front. */
function tableOf(game: CardGame): TableLayout {
  const faces = game.ranks.flatMap((rank) => Array.from({ length: game.suits }, (_, i) => (game.suits > 1 ? `${rank}${SUITS[i]}` : rank)));
  const items: TableItem[] = [
    { kind: 'seat', x: -1.7, y: -1.5, name: 'first', team: 0 },
    { kind: 'seat', x: -1.7, y: 1.5, name: 'second', team: 1 },
    { kind: 'card', x: 0, y: -1.55, faces },
    { kind: 'card', x: 0, y: 1.55, faces },
    { kind: 'chips', x: 1.3, y: -1.3, team: 0 },
    { kind: 'chips', x: 1.3, y: 1.3, team: 1 },
  ];
  if (game.publicCards > 0) items.push({ kind: 'card', x: 0, y: 0, faces });
  return { kind: 'table', items, bounds: [-2.6, -2.6, 2.6, 2.6] };
}

/** Information sets from observations: what stands there, written as the tree's keys are. */
function reader({ game, tree, seen }: PokerEntry): SmallGame['infoSet'] {
  const { byKey, infoSets } = tree();
  const ranks = game.ranks.length;
  const history = 2 + ranks * (1 + game.publicCards);
  const size = history + (game.publicCards + 1) * game.roundLength * seen.length;
  const known = new Map<number, number>();
  const rankAt = (obs: Float32Array, at: number): string => game.ranks.find((_, r) => obs[at + r] === 1) ?? '';
  const find = (obs: Float32Array, at: number): number => {
    let key = rankAt(obs, at + 2);
    const shown = game.publicCards > 0 ? rankAt(obs, at + 2 + ranks) : '';
    key += shown;
    for (let slot = 0; slot < (game.publicCards + 1) * game.roundLength; slot++) {
      if (slot === game.roundLength && shown !== '') key += '/';
      const code = seen.findIndex((_, i) => obs[at + history + slot * seen.length + i] === 1);
      if (code >= 0) key += game.letters[seen[code]!];
    }
    return byKey.get(key) ?? -1;
  };
  return (obs, at, seat) => {
    let bits = 0; // at most 30 columns
    for (let i = 0; i < size; i++) if (obs[at + i] === 1) bits |= 1 << i;
    let info = known.get(bits);
    if (info === undefined) {
      info = find(obs, at);
      known.set(bits, info);
    }
    return infoSets[info]?.player === seat ? info : -1;
  };
}

export function definePoker(entry: PokerEntry): EnvEntry {
  const { game } = entry;
  const ranks = game.ranks.length;
  const deck = ranks * game.suits;
  const dealt = 2 + game.publicCards;
  const slots = (game.publicCards + 1) * game.roundLength;
  const O = 2 + ranks * (1 + game.publicCards) + slots * entry.seen.length;
  const N = game.actions.length;
  const state = defineState(1, [
    {
      name: 'cards',
      type: 'u32',
      shape: [dealt],
      doc: 'cards of both players, then the public one: rank * suits + suit, worst rank first',
    },
    { name: 'history', type: 'u32', shape: [game.longest], doc: 'action + 1 of every move so far, then zeros' },
  ]);
  const frame = tableOf(game);
  const meta = (): EnvMeta => ({
    id: entry.id,
    version: 1,
    agents: [
      {
        count: 2,
        names: ['first player', 'second player'],
        obs: { kind: 'box', shape: [O], low: 0, high: 1 },
        action: { kind: 'discrete', n: N, labels: game.actions },
      },
    ],
    agentCount: 2,
    obsSize: O,
    actionSize: 1,
    actionCount: N,
    rewards: ['reward'],
    costs: [],
    globalSize: 2 * O,
    masked: true,
    turns: true,
    listed: true,
    score: [0], // zero-sum: what the first player wins
    gamma: 1,
    maxSteps: 0,
    evalMaxSteps: game.longest,
    state,
    frame,
    references: entry.references,
    keys: entry.keys,
    idleAction: null,
    fps: 2,
  });
  /** Plays a policy of the tree; chance comes from a generator of its own, started over with each policy. */
  const player = (policy: () => Strategy): ScriptedPolicy => {
    const tree = entry.tree();
    const rng = Rng.from(0).split(entry.id);
    const b = emptyBetting();
    const table = policy();
    return {
      act(env, _buffers, out) {
        for (let row = 0; row < env.batch; row++) {
          const json = env.meta.state.toJSON(env.save(row)) as { cards: readonly number[]; history: readonly number[] };
          const moves = json.history.filter((a) => a > 0).map((a) => a - 1);
          game.follow(moves, 0, moves.length, b);
          const rank = json.cards.map((card) => Math.floor(card / game.suits));
          const deal = tree.deals.findIndex((d) => d.own[0] === rank[0] && d.own[1] === rank[1] && d.shown === (rank[2] ?? -1));
          let node = tree.root;
          for (const a of moves) node = node.children[node.actions.indexOf(a)] as typeof node;
          const p = table[node.info[deal]!] as Float64Array;
          let u = rng.uniform();
          let pick = 0;
          while (pick < p.length - 1 && u >= p[pick]!) u -= p[pick++]!;
          out[2 * row] = 0;
          out[2 * row + 1] = 0;
          out[2 * row + b.toMove] = node.actions[pick]!;
        }
      },
    };
  };
  return defineEnv<Config>({
    spec: {
      id: entry.id,
      version: 1,
      title: entry.title,
      summary: entry.summary,
      source: entry.source,
      config,
      presets: [{ id: 'standard', title: 'standard', config: {} }],
      meta,
    },
    create(_c, batch, options) {
      const rows = allocateRows(state, batch);
      const { words, wordStride } = rows;
      const draws = new Draws(rows.rng, options?.draws);
      const b = emptyBetting();
      const moves = new Uint32Array(game.longest);
      /** Moves of the first round, once it is over. */
      let firstRound = 0;
      const probe = emptyBetting();
      const rankOf = (s: number, i: number) => Math.floor(words[s + i]! / game.suits);
      /** Reads the betting of a row; returns the number of moves so far. */
      const read = (s: number): number => {
        let length = 0;
        while (length < game.longest && words[s + dealt + length]! > 0) {
          moves[length] = words[s + dealt + length]! - 1;
          length++;
        }
        game.follow(moves, 0, length, b);
        return length;
      };
      const write = (s: number, seat: number, length: number, target: Float32Array, from: number) => {
        target.fill(0, from, from + O);
        target[from + seat] = 1;
        target[from + 2 + rankOf(s, seat)] = 1;
        if (game.publicCards > 0 && b.round > 0) target[from + 2 + ranks + rankOf(s, 2)] = 1;
        const history = from + 2 + ranks * (1 + game.publicCards);
        let round = 0;
        let start = 0;
        for (let i = 0; i < length; i++) {
          if (round === 0 && i >= firstRound) {
            round = 1;
            start = i;
          }
          const code = entry.seen.indexOf(moves[i]!);
          if (code >= 0) target[history + (round * game.roundLength + i - start) * entry.seen.length + code] = 1;
        }
      };
      const observe = (row: number, out: StepBuffers) => {
        const s = row * wordStride;
        const length = read(s);
        firstRound = 0;
        do {
          game.follow(moves, 0, ++firstRound, probe);
        } while (firstRound < length && probe.round === 0);
        for (let seat = 0; seat < 2; seat++) {
          write(s, seat, length, out.obs, (2 * row + seat) * O);
          if (out.state) write(s, seat, length, out.state, (2 * row + seat) * O);
          if (out.alive) out.alive[2 * row + seat] = 1;
          if (out.mask)
            for (let a = 0; a < N; a++)
              out.mask[(2 * row + seat) * N + a] = b.over || seat !== b.toMove ? Number(a === 0) : (b.legal >> a) & 1;
        }
        if (out.toMove) out.toMove[row] = b.over ? -1 : b.toMove;
      };
      return assemble(meta(), batch, rows, {
        game: () => ({ tree: entry.tree(), infoSet: reader(entry) }),
        start(row) {
          const s = row * wordStride;
          words.fill(0, s, s + dealt + game.longest);
          for (let i = 0; i < dealt; i++) {
            let card = 0;
            let taken = true;
            while (taken) {
              card = draws.int(row, deck, 'card');
              taken = false;
              for (let k = 0; k < i; k++) if (words[s + k] === card) taken = true;
            }
            words[s + i] = card;
          }
        },
        step(actions, out) {
          for (let row = 0; row < batch; row++) {
            const s = row * wordStride;
            const length = read(s);
            const chosen = actions[2 * row + b.toMove]!;
            const action = (b.legal >> chosen) & 1 ? chosen : game.instead;
            words[s + dealt + length] = action + 1;
            read(s);
            const won = b.over ? payoff(b, rankOf(s, 0), rankOf(s, 1), game.publicCards > 0 ? rankOf(s, 2) : -1) : 0;
            out.reward[2 * row] = won;
            out.reward[2 * row + 1] = -won;
            out.terminated[row] = b.over ? 1 : 0;
            out.truncated[row] = 0;
            observe(row, out);
          }
        },
        observe,
        loaded(row) {
          const s = row * wordStride;
          for (let i = 0; i < dealt; i++) {
            checkCell(words[s + i]!, deck, 'cards');
            for (let k = 0; k < i; k++)
              if (words[s + k] === words[s + i])
                throw fail('state-invalid', 'State field "cards" holds a card twice.', 'Deal different cards.', 'cards');
          }
          let ended = false;
          for (let i = 0; i < game.longest; i++) {
            const code = words[s + dealt + i]!;
            if (code === 0) ended = true;
            else {
              game.follow(moves, 0, i, b);
              if (ended || b.over || ((b.legal >> (code - 1)) & 1) === 0)
                throw fail(
                  'state-invalid',
                  'State field "history" has a move that is not possible.',
                  'Write the moves in order.',
                  'history',
                );
              moves[i] = code - 1;
            }
          }
        },
        frame(row, out) {
          const s = row * wordStride;
          read(s);
          const won = b.over ? payoff(b, rankOf(s, 0), rankOf(s, 1), game.publicCards > 0 ? rankOf(s, 2) : -1) : 0;
          for (let seat = 0; seat < 2; seat++) {
            out[SEAT + 2 * seat] = !b.over && b.toMove === seat ? 1 : 0;
            out[SEAT + 2 * seat + 1] = Math.sign(seat === 0 ? won : -won);
            out[CARD + seat] = words[s + seat]!;
            out[CHIPS + seat] = b.pot[seat]!;
          }
          if (game.publicCards > 0) out[SHOWN] = b.round > 0 ? words[s + 2]! : FACE_DOWN;
        },
        extras(row) {
          const s = row * wordStride;
          read(s);
          return { toMove: b.over ? -1 : b.toMove, pot: [b.pot[0], b.pot[1]] };
        },
      });
    },
    checks: entry.checks as { readonly [check: string]: (config: Config, inputs: JsonObject) => JsonObject },
    policies: { equilibrium: () => player(entry.equilibrium) },
  });
}
