/**
 * Games in turns on tokens: the policy writes a turn, the world replies, until one side ends it. A seed gives the secret, the walls or the
 * opponent's draws; the same turns then give the same replies, so an episode is its seed and what was written. A turn of the wrong form
 * ends the episode with nothing (the calculator answers [!] instead).
 */
import type { FrameLayout } from '#contract/game/frames.ts';
import { Xorshift } from '#math/xorshift.ts';
import { DEFAULT_KNOBS, drawField, drawProduct, type Field, type Knobs, MOVES, questionOf, wayThrough } from './tasks.ts';
import { nameOf } from './tokens.ts';
import { boardLayout, drawMarks, drawWalk, fieldLayout } from './worlds.ts';

export interface GameKnobs extends Pick<Knobs, 'da' | 'db' | 'dc' | 'n' | 'wall' | 'L' | 'A'> {
  /** guess: secrets 0 .. N - 1. */
  readonly N: number;
  /** Turns at most. */
  readonly T: number;
  /** twenty: attributes that tell the secret, and those that say nothing. */
  readonly bits: number;
  readonly noise: number;
  /** tictactoe: who plays noughts. */
  readonly opp: 'random' | 'perfect';
  /** calculator: calls at most, and what each takes from the reward. */
  readonly calls: number;
  readonly cost: number;
}

export const DEFAULT_GAME_KNOBS: GameKnobs = {
  ...DEFAULT_KNOBS,
  db: 1,
  n: 4,
  wall: 0,
  A: 5,
  N: 16,
  T: 5,
  bits: 3,
  noise: 2,
  opp: 'random',
  calls: 3,
  cost: 0.05,
};

export interface Reply {
  readonly text: string;
  readonly done: boolean;
  readonly reward: number;
  readonly format: 0 | 1;
  /** The game was won, the answer right: whatever is paid for it. */
  readonly solved: 0 | 1;
}

export interface Game {
  readonly prompt: string;
  /** All that was drawn before the first turn, as text: games that share it are one question. Empty: every game begins alike. */
  readonly hidden: string;
  /** Whether what was written so far is a whole turn. */
  ends(turn: string): boolean;
  /** A whole turn; `ended`: it closed with EOS. */
  play(turn: string, ended: boolean): Reply;
  /** Fills a frame of GameKind.layout. */
  draw?(out: Float32Array): void;
  /** What a scripted player writes next: the best play known, or with `luck` a draw among moves of the right form. */
  suggest(how: 'expert' | 'sensible' | 'random', rng: Xorshift): string;
}

export interface GameKind {
  create(k: GameKnobs, rng: Xorshift): Game;
  /** What there is to see beside the tokens. */
  layout?(k: GameKnobs): FrameLayout;
  /** Most tokens of the prompt, of a turn and of a reply, and most turns. */
  sizes(k: GameKnobs): { readonly prompt: number; readonly turn: number; readonly reply: number; readonly turns: number };
}

const MALFORMED: Reply = { text: '', done: true, reward: 0, format: 0, solved: 0 };
/** A reply that does not solve the game. */
const reply = (text: string, done = false, reward = 0): Reply => ({ text, done, reward, format: 1, solved: 0 });
/** The end of a game, in the right form. */
const ended = (right: boolean, text = '', reward = right ? 1 : 0): Reply => ({
  text,
  done: true,
  reward,
  format: 1,
  solved: right ? 1 : 0,
});
const WHOLE = '(0|[1-9]\\d*)';

const guess: GameKind = {
  sizes: ({ N, T }) => ({ prompt: 3 + String(N - 1).length, turn: 1 + String(N - 1).length, reply: 1, turns: T }),
  create({ N, T }, rng) {
    const secret = rng.draw(N);
    let turns = 0;
    let low = 0;
    let high = N - 1;
    return {
      prompt: `0-${N - 1}:`,
      hidden: String(secret),
      ends: (turn) => turn.endsWith(';') || turn.length > String(N - 1).length,
      play(turn) {
        const said = new RegExp(`^${WHOLE};$`).exec(turn)?.[1];
        const value = Number(said);
        if (said === undefined || value >= N) return MALFORMED;
        turns++;
        if (value === secret) return ended(true, '=');
        if (secret > value) low = Math.max(low, value + 1);
        else high = Math.min(high, value - 1);
        return reply(secret > value ? '+' : '-', turns >= T);
      },
      suggest(how, luck) {
        if (how === 'random') return `${luck.draw(N)};`;
        return how === 'sensible' ? `${low + luck.draw(high - low + 1)};` : `${Math.floor((low + high) / 2)};`;
      },
    };
  },
};

/** The secret, and what was told of it: attribute i < bits is bit i of the secret, the others say nothing. */
export interface Twenty extends Game {
  readonly secret: number;
  readonly told: ReadonlyMap<number, 0 | 1>;
}

const twenty = {
  sizes: ({ bits, T }) => ({ prompt: 2, turn: 1 + String(2 ** bits - 1).length, reply: 1, turns: T }),
  create({ bits, noise, T }, rng): Twenty {
    const secret = rng.draw(2 ** bits);
    const idle = Array.from({ length: noise }, () => rng.draw(2));
    const told = new Map<number, 0 | 1>();
    let turns = 0;
    const longest = 1 + String(2 ** bits - 1).length;
    return {
      prompt: 'q:',
      hidden: String(secret),
      ends: (turn) => /[?!]$/.test(turn) || turn.length >= longest,
      play(turn) {
        const asked = /^([a-z])\?$/.exec(turn)?.[1];
        if (asked !== undefined) {
          const i = asked.charCodeAt(0) - 97;
          if (i >= bits + noise) return MALFORMED;
          turns++;
          const bit = (i < bits ? (secret >> i) & 1 : idle[i - bits]!) === 1 ? 1 : 0;
          told.set(i, bit);
          return reply(String(bit), turns >= T);
        }
        const said = new RegExp(`^${WHOLE}!$`).exec(turn)?.[1];
        // a number beyond the last secret is of the right form, and wrong
        return said === undefined ? MALFORMED : ended(Number(said) === secret);
      },
      suggest(how, luck) {
        if (how !== 'expert') {
          const i = luck.draw(bits + noise + 1);
          return i < bits + noise ? `${nameOf(i)}?` : `${luck.draw(2 ** bits)}!`;
        }
        // the last turn is for the answer, whatever is not known by then
        if (turns < T - 1) for (let i = 0; i < bits; i++) if (!told.has(i)) return `${nameOf(i)}?`;
        return `${Array.from({ length: bits }, (_, i) => (told.get(i) ?? 0) << i).reduce((a, b) => a + b, 0)}!`;
      },
      secret,
      told,
    };
  },
} satisfies GameKind;

/** Per letter: = in its place, + elsewhere, - absent; exact matches are taken out first, then from left to right. */
export function feedback(secret: string, said: string): string {
  const out: string[] = [...said].map((c, i) => (c === secret[i] ? '=' : '-'));
  const left = [...secret].filter((c, i) => c !== said[i]);
  [...said].forEach((c, i) => {
    if (out[i] === '=') return;
    const at = left.indexOf(c);
    if (at < 0) return;
    out[i] = '+';
    left.splice(at, 1);
  });
  return out.join('');
}

/**
 * The first word in the order of the alphabet that would have been marked as `told` says; null: none. By letter, marks say where it stands,
 * where it does not, how often at least, and with a "-" how often exactly, which is all that feedback() depends on.
 */
export function firstFitting(L: number, A: number, told: readonly (readonly [said: string, marks: string])[]): string | null {
  const open = Array.from({ length: L }, () => new Array<boolean>(A).fill(true));
  const least = new Int32Array(A);
  const most = new Int32Array(A).fill(L);
  for (const [said, marks] of told) {
    const found = new Int32Array(A);
    const letters = [...said].map((c) => c.charCodeAt(0) - 97);
    letters.forEach((x, i) => {
      if (marks[i] !== '-') found[x] = found[x]! + 1;
      // an exact letter closes its place to all others, any other mark to this one
      for (let other = 0; other < A; other++) if ((other === x) !== (marks[i] === '=')) open[i]![other] = false;
    });
    letters.forEach((x, i) => {
      least[x] = Math.max(least[x]!, found[x]!);
      if (marks[i] === '-') most[x] = Math.min(most[x]!, found[x]!);
    });
  }
  const word: number[] = [];
  const used = new Int32Array(A);
  const goOn = (): boolean => {
    let needed = 0;
    for (let x = 0; x < A; x++) needed += Math.max(0, least[x]! - used[x]!);
    if (needed > L - word.length) return false;
    if (word.length === L) return true;
    const here = open[word.length]!;
    for (let x = 0; x < A; x++) {
      if (!here[x] || used[x]! >= most[x]!) continue;
      word.push(x);
      used[x] = used[x]! + 1;
      if (goOn()) return true;
      word.pop();
      used[x] = used[x]! - 1;
    }
    return false;
  };
  return goOn() ? word.map(nameOf).join('') : null;
}

const wordle: GameKind = {
  sizes: ({ L, T }) => ({ prompt: 2, turn: L + 1, reply: L, turns: T }),
  create({ L, A, T }, rng) {
    const secret = Array.from({ length: L }, () => nameOf(rng.draw(A))).join('');
    const told: (readonly [said: string, marks: string])[] = [];
    const random = (luck: Xorshift): string => Array.from({ length: L }, () => nameOf(luck.draw(A))).join('');
    return {
      prompt: 'w:',
      hidden: secret,
      ends: (turn) => turn.endsWith(';') || turn.length > L,
      play(turn) {
        const said = turn.slice(0, -1);
        if (!turn.endsWith(';') || said.length !== L || [...said].some((c) => c < 'a' || c >= nameOf(A))) return MALFORMED;
        const marks = feedback(secret, said);
        told.push([said, marks]);
        const right = said === secret;
        return right ? ended(true, marks) : reply(marks, told.length >= T);
      },
      suggest(how, luck) {
        if (how === 'random') return `${random(luck)};`;
        return `${firstFitting(L, A, told) ?? random(luck)};`;
      },
    };
  },
};

const grid: GameKind = {
  layout: ({ n }) => fieldLayout(n, n),
  sizes: ({ T }) => ({ prompt: 7, turn: 1, reply: 2, turns: T }),
  create({ n, wall, T }, rng) {
    const field: Field = drawField(rng, n, n, wall);
    let at = field.start;
    let turns = 0;
    const open = (x: number, y: number): boolean => x >= 0 && y >= 0 && x < n && y < n && field.walls[y * n + x] !== true;
    return {
      prompt: `${n}:${field.goal.join('')};${field.start.join('')}`,
      hidden: JSON.stringify(field),
      ends: () => true,
      play(turn) {
        const move = MOVES[turn];
        if (move === undefined) return MALFORMED;
        turns++;
        const [x, y] = [at[0] + move[0], at[1] + move[1]];
        if (open(x, y)) at = [x, y];
        const there = at[0] === field.goal[0] && at[1] === field.goal[1];
        return there ? ended(true, at.join('')) : reply(at.join(''), turns >= T);
      },
      draw: (out) => drawWalk(field, at, out),
      suggest: (how, luck) => (how === 'random' ? 'udlr'[luck.draw(4)]! : (wayThrough(field, at)?.[0] ?? 'u')),
    };
  },
};

const LINES = ['012', '345', '678', '036', '147', '258', '048', '246'].map((line) => [...line].map(Number));
type Mark = 'x' | 'o' | '';
const wins = (board: readonly Mark[], mark: Mark): boolean => LINES.some((line) => line.every((i) => board[i] === mark));
const freeCells = (board: readonly Mark[]): number[] => board.flatMap((mark, i) => (mark === '' ? [i] : []));

interface Outlook {
  readonly value: number;
  readonly cell: number;
}
/** There are 5,478 boards. */
const outlooks = new Map<string, Outlook>();

/** 1 the mover wins, 0 a draw, -1 it loses, with the lowest best cell. */
function minimax(board: Mark[], mover: 'x' | 'o'): Outlook {
  const key = `${mover}:${board.join()}`;
  let found = outlooks.get(key);
  if (found === undefined) outlooks.set(key, (found = search(board, mover)));
  return found;
}

function search(board: Mark[], mover: 'x' | 'o'): Outlook {
  const other = mover === 'x' ? 'o' : 'x';
  if (wins(board, other)) return { value: -1, cell: -1 };
  let best: Outlook = { value: -2, cell: -1 };
  for (const cell of freeCells(board)) {
    board[cell] = mover;
    const value = -minimax(board, other).value;
    board[cell] = '';
    if (value > best.value) best = { value, cell };
  }
  return best.cell < 0 ? { value: 0, cell: -1 } : best;
}

const tictactoe: GameKind = {
  layout: boardLayout,
  sizes: () => ({ prompt: 2, turn: 1, reply: 1, turns: 5 }),
  create({ opp }, rng) {
    const board: Mark[] = new Array<Mark>(9).fill('');
    return {
      prompt: 't:',
      hidden: '',
      ends: () => true,
      play(turn) {
        const cell = Number(turn) - 1;
        if (!/^[1-9]$/.test(turn) || board[cell] !== '') return MALFORMED;
        board[cell] = 'x';
        if (wins(board, 'x')) return ended(true);
        const free = freeCells(board);
        if (free.length === 0) return ended(false, '', 0.5);
        const answer = opp === 'random' ? free[rng.draw(free.length)]! : minimax(board, 'o').cell;
        board[answer] = 'o';
        return reply(String(answer + 1), wins(board, 'o'));
      },
      draw: (out) => drawMarks(board, out),
      suggest(how, luck) {
        const free = freeCells(board);
        return String((how === 'random' ? free[luck.draw(free.length)]! : minimax(board, 'x').cell) + 1);
      },
    };
  },
};

/** A number that the calculator takes, or an answer: at most eight digits, leading zeros and -0 included. */
const INTEGER = '-?\\d{1,8}';
const CALL = new RegExp(`^\\{(${INTEGER})([-+*/])(${INTEGER})\\}$`);
const ANSWER = new RegExp(`^#(${INTEGER})$`);

/** The value of a call; null: it has none. */
function computed(turn: string): number | null {
  const parts = CALL.exec(turn);
  if (parts === null) return null;
  const [x, op, y] = [Number(parts[1]), parts[2], Number(parts[3])];
  if (op === '/') return y === 0 || x % y !== 0 ? null : x / y;
  return op === '+' ? x + y : op === '-' ? x - y : x * y;
}

/** Digits of the largest intermediate result, with a sign. */
const widest = ({ da, db }: GameKnobs): number => da + db + 2;

const calc: GameKind = {
  sizes: (k) => ({ prompt: k.da + k.db + k.dc + 3, turn: 2 * widest(k) + 3, reply: 2 * widest(k) + 2, turns: k.calls + 1 }),
  create(k, rng) {
    const { a, b, c, sign, value } = drawProduct(rng, k);
    let calls = 0;
    const longest = 2 * widest(k) + 3;
    return {
      prompt: `${a}*${b}${sign}${c}=`,
      hidden: questionOf('tool', { prompt: `${a}*${b}${sign}${c}=`, answer: '', steps: '' }),
      ends: (turn) => turn.endsWith('}') || turn.length >= longest,
      play(turn, closed) {
        if (closed) {
          const said = ANSWER.exec(turn)?.[1];
          if (said === undefined) return MALFORMED;
          // as text: 007 and -0 are of the right form, and wrong
          const right = said === String(value);
          return ended(right, '', right ? 1 - k.cost * calls : 0);
        }
        if (!turn.endsWith('}')) return MALFORMED;
        calls++;
        const over = calls > k.calls;
        const found = computed(turn);
        if (found === null) return { ...MALFORMED, text: '[!]', done: over };
        return reply(`[${found === 0 ? 0 : found}]`, over);
      },
      suggest(how, luck) {
        const product = a * b;
        // a call more than allowed would end the game
        if (how === 'expert' && calls < Math.min(2, k.calls)) return calls === 0 ? `{${a}*${b}}` : `{${product}${sign}${c}}`;
        if (how === 'expert') return `#${value}`;
        return how === 'sensible' ? `#${value}` : `#${luck.draw(10 ** (k.da + k.db))}`;
      },
    };
  },
};

export const GAMES = { calc, grid, guess, tictactoe, twenty, wordle } as const satisfies Record<string, GameKind>;
export type GameName = keyof typeof GAMES;
export const GAME_NAMES = Object.keys(GAMES) as readonly GameName[];
export const gameOf = (name: GameName, k: GameKnobs, seed: number): Game => GAMES[name].create(k, new Xorshift(seed));
