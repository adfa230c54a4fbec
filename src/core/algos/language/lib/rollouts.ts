/**
 * Completions of a token environment, all rows in lockstep. A rollout gives every row one episode; members of a group start from the same
 * prompt. Where the world begins the row anew after each turn, an episode is several lines of tokens, and may be cut after some of them.
 */
import { fail } from '#contract/kit/errors.ts';
import type { Engine } from '#core/engine/types.ts';
import { createActions } from '#core/envs/api/buffers.ts';
import { withSeed } from '#core/envs/api/state.ts';
import type { Actions, ScriptedPolicy } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { SOLVED } from '#core/envs/language/lib/define.ts';
import type { Packed } from '#core/state/checkpoint.ts';
import { freshOptimiser } from '#core/state/params.ts';
import { exp } from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';
import { categorical } from '#math/sampling.ts';
import type { Copying } from '../../api/extension.ts';
import type { ExtendedLoop, Extensions } from '../../api/standing.ts';
import type { Run } from '../../api/types.ts';
import type { Decoder } from './decoding.ts';
import { type LinePrograms, type LineShape, linePrograms, type TokenLines } from './packing.ts';
import { compileCloner, type compileScorer, placesOf, type TokenNetwork } from './programs.ts';

/** One episode per row, and its lines of tokens, which stand together: one, or `turns` where rows begin anew; `places` are those of a line with its end. */
export interface Completions extends TokenLines {
  /** [rows * turns] tokens written. */
  readonly count: Int32Array;
  /** [rows * turns, places] reward of the step that wrote the token. */
  readonly paid: Float32Array;
  /** [rows] sum of the rewards of each row's episode. */
  readonly rewards: Float64Array;
  /** [rows] 1 where the verifier found the episode solved, whatever it earned; 0 where it was cut. */
  readonly solved: Uint8Array;
}

/** A step of an episode of tokens: what was written without a reply between, or a token by itself. */
export interface TokenStep {
  /** Places of its tokens in [lines, places - 1], each that before the token. */
  readonly at: readonly number[];
  /** Sum of what its tokens were paid. */
  readonly reward: number;
}

interface StepRows {
  /** Lines of an episode, and places of a line. */
  readonly turns: number;
  readonly places: number;
  /** Tokens that stand next to each other in a line are one step. */
  readonly perTurn: boolean;
}

/** Steps of the episode of a row, in their order. */
export function stepsOf(
  { written, paid }: Pick<Completions, 'written' | 'paid'>,
  row: number,
  { turns, places, perTurn }: StepRows,
): readonly TokenStep[] {
  const T = places - 1;
  const steps: { readonly at: number[]; reward: number }[] = [];
  for (let line = row * turns; line < (row + 1) * turns; line++) {
    for (let t = 0; t < T; t++) {
      if (written[line * places + t + 1] !== 1) continue;
      const reward = paid[line * places + t + 1]!;
      const before = steps.at(-1);
      if (perTurn && t > 0 && before?.at.at(-1) === line * T + t - 1) {
        before.at.push(line * T + t);
        before.reward += reward;
      } else steps.push({ at: [line * T + t], reward });
    }
  }
  return steps;
}

/** Of `count` numbers from place `from` on. */
export function sumOf(values: ArrayLike<number>, from = 0, count = values.length): number {
  let sum = 0;
  for (let i = from; i < from + count; i++) sum += values[i]!;
  return sum;
}

/** A range of lines or episodes: from, up to but without end. */
export const partsOf = (count: number, parts: number): readonly (readonly [from: number, end: number])[] => {
  const most = Math.ceil(count / parts);
  return Array.from({ length: parts }, (_, part) => [Math.min(count, part * most), Math.min(count, (part + 1) * most)] as const);
};

/** By how much an update moved a policy, over the tokens it learned from. */
export interface Moved {
  readonly entropy: number;
  readonly clipFraction: number;
  readonly approxKl: number;
}

export const UNMOVED: Moved = { entropy: 0, clipFraction: 0, approxKl: 0 };

/** With one more part, which has this share of the `tokens` of the update. */
export function withPart(
  moved: Moved,
  out: { readonly entropySum: Float32Array; readonly clipFraction: Float32Array; readonly approxKl: Float32Array },
  tokens: number,
  share: number,
): Moved {
  return {
    entropy: moved.entropy + out.entropySum[0]! / tokens,
    clipFraction: moved.clipFraction + share * out.clipFraction[0]!,
    approxKl: moved.approxKl + share * out.approxKl[0]!,
  };
}

/** Lines that are scored once more: a forward pass of all of them would cost a third of the update. */
const SCORED = 16;

/** `lines`: of a minibatch, of `places` places each; `compile`: the learned policy as a scorer. */
export function createKlProbe(
  engine: Engine,
  { lines, places }: Pick<LineShape, 'lines' | 'places'>,
  compile: (lines: LineShape) => ReturnType<typeof compileScorer>,
) {
  const most = Math.min(lines, SCORED);
  const programs = linePrograms(engine, most, places, compile);
  return {
    /**
     * Mean over tokens of r - 1 - ln r, r = pi / old, in nats (k3 of tokens that were drawn from old, Schulman 2020). line: where the k-th line of
     * the minibatch stands in `last`; old: the log-probabilities of its places before the update, [places].
     */
    async measure(last: Completions, line: (k: number) => number, old: (k: number) => Float32Array): Promise<number> {
      const used = Array.from({ length: lines }, (_, k) => k).filter((k) => last.count[line(k)]! > 0);
      const count = Math.min(most, used.length);
      const picked = Array.from({ length: count }, (_, i) => used[Math.floor((i * used.length) / count)]!);
      const before = picked.map((k) => old(k).slice());
      const program = programs.holding(last, count, (i) => line(picked[i]!));
      const pending = program.run();
      if (pending) await pending;
      let [sum, tokens] = [0, 0];
      picked.forEach((k, i) => {
        for (let t = 0; t < places; t++) {
          if (last.written[line(k) * (places + 1) + t + 1] !== 1) continue;
          const change = program.out.logProb[i * places + t]! - before[i]![t]!;
          sum += exp(change) - 1 - change;
          tokens++;
        }
      });
      return tokens === 0 ? 0 : sum / tokens;
    },
  };
}

interface Cloned {
  readonly loss: number;
  readonly gradNorm: number;
  /** Of each line, where the programs say it. */
  readonly exact: Float32Array | undefined;
}

/**
 * One update of cloning on `lines` of what was collected, each of the `tokens` written in them weighing alike; `line`: where the k-th stands. The
 * programs hold the lines of one of `parts`.
 */
export async function cloneCompletions(
  cloners: LinePrograms<ReturnType<typeof compileCloner>>,
  last: TokenLines,
  {
    places,
    lines,
    tokens,
    lr,
    parts,
  }: { readonly places: number; readonly lines: number; readonly tokens: number; readonly lr: number; readonly parts: number },
  line = (k: number): number => k,
): Promise<Cloned> {
  const T = places - 1;
  let [loss, gradNorm] = [0, 0];
  let exact: Float32Array | undefined;
  for (const [from, end] of partsOf(lines, parts)) {
    const cloner = cloners.holding(last, end - from, (k) => line(from + k));
    cloner.in.weight.fill(0); // of lines that the program holds beyond these
    for (let k = 0; k < end - from; k++)
      for (let t = 0; t < T; t++) cloner.in.weight[k * T + t] = last.written[line(from + k) * places + t + 1]! / tokens;
    cloner.in.lr[0] = lr;
    const pending = cloner.run();
    if (pending) await pending;
    const { out } = cloner;
    loss += out.loss[0]!;
    gradNorm = out.gradNorm[0]!;
    if (out.exact !== undefined) {
      exact ??= new Float32Array(lines);
      exact.set(out.exact.subarray(0, end - from), from);
    }
  }
  return { loss, gradNorm, exact };
}

/** What the rows hold now: what is decoded. */
export interface Playing {
  /** [rows, places], [rows] */
  readonly ids: Float32Array;
  readonly lengths: Int32Array;
  /** 1: its episode goes on. */
  readonly rows: Uint8Array;
  /** 1: the row began anew since it was read. */
  readonly anew: Uint8Array;
}

export interface Collector {
  readonly last: Completions;
  /**
   * Plays one episode in every row; gives the number of tokens written. `next` says the next token of the rows that play. `apart`: every row
   * starts by itself.
   */
  collect(next: (playing: Playing, actions: Actions) => Promise<void> | void, apart?: boolean): Promise<number>;
  /** The same, played by a script that is to be copied: its returns are not those of the run. */
  demonstrate(teacher: ScriptedPolicy | undefined, apart?: boolean): Promise<number>;
}

/**
 * Partial histories as new starts (ExIt, Jiang et al. 2025): where a group's episodes were cut, one of them is kept, and later groups go on from
 * it. How informative a start is, is the deviation of the rewards of the group that came from it last; starts are drawn in proportion.
 */
export interface StartPool {
  /** The state that a group goes on from; null: it begins with a new prompt. */
  next(group: number): Uint8Array | null;
  /** Where a row's episode was cut. */
  cut(row: number, state: Uint8Array): void;
  /** All groups have played: [rows] rewards, groups one behind the other. */
  played(rewards: ArrayLike<number>): void;
  /** For checkpoints: states [starts, bytes], how informative they are, and how many there are. */
  readonly arrays: { readonly startStates: Uint8Array; readonly startScores: Float64Array; readonly startCount: Packed };
  /** Starts that are kept. */
  readonly size: number;
}

export interface CollectorOptions {
  /** So many rows in a row start alike, from a prompt drawn by the first of them; 1: each from its own. */
  readonly group: number;
  /** Seeds of the members of a group. */
  readonly seeds: Rng;
  /** Lines of an episode, after which it is cut; 1 where rows do not begin anew. */
  readonly turns?: number;
  /** Where groups may go on from, in place of new prompts. */
  readonly starts?: StartPool | null;
}

export function createCollector(env: VectorEnv, { group, seeds, turns = 1, starts = null }: CollectorOptions): Collector {
  const { meta, batch: rows, buffers } = env;
  const { places } = placesOf(meta);
  const lines = rows * turns;
  const last: Completions = {
    ids: new Float32Array(lines * places),
    written: new Float32Array(lines * places),
    count: new Int32Array(lines),
    paid: new Float32Array(lines * places),
    rewards: new Float64Array(rows),
    solved: new Uint8Array(rows),
  };
  const anew = meta.tokens?.rows !== undefined;
  const actions = createActions(meta, rows);
  const playing: Playing = {
    // rows that only grow are their own lines
    ids: anew ? new Float32Array(rows * places) : last.ids,
    lengths: new Int32Array(rows),
    rows: new Uint8Array(rows),
    anew: new Uint8Array(rows),
  };
  const all = new Uint8Array(rows).fill(1);
  const cut = new Uint8Array(rows);
  const turn = new Int32Array(rows);
  const look = (row: number, from: Float32Array): void => {
    const at = row * places;
    let n = 0;
    for (let i = 0; i < places; i++) {
      const id = from[at + i]!;
      playing.ids[at + i] = id;
      if (id !== 0) n = i + 1;
    }
    playing.lengths[row] = n;
  };
  /** Marks the token that the row writes now, and keeps the line as it is with it. */
  const write = (row: number, id: number): void => {
    const at = playing.lengths[row]!;
    const line = row * turns + turn[row]!;
    last.written[line * places + at] = 1;
    last.count[line] = last.count[line]! + 1;
    if (!anew) return;
    last.ids.set(playing.ids.subarray(row * places, row * places + at), line * places);
    last.ids[line * places + at] = id;
  };
  return {
    last,
    async collect(next, apart = false) {
      env.env.restart(all, buffers);
      if (group > 1 && !apart) {
        for (let first = 0; first < rows; first += group) {
          const kept = starts?.next(first / group) ?? null;
          const start = kept ?? env.env.save(first);
          for (let row = kept === null ? first + 1 : first; row < first + group; row++)
            env.env.load(row, withSeed(start, seeds.next()), buffers);
        }
      }
      if (anew) last.ids.fill(0);
      last.written.fill(0);
      last.count.fill(0);
      last.paid.fill(0);
      last.rewards.fill(0);
      last.solved.fill(0);
      turn.fill(0);
      playing.rows.fill(1);
      playing.anew.fill(0);
      for (let row = 0; row < rows; row++) look(row, buffers.obs);
      let total = 0;
      for (let left = rows; left > 0; ) {
        await next(playing, actions);
        playing.anew.fill(0);
        for (let row = 0; row < rows; row++) {
          if (playing.rows[row] === 0) continue;
          write(row, actions[row]!);
          total++;
        }
        env.step(actions, playing.rows);
        cut.fill(0);
        for (let row = 0; row < rows; row++) {
          if (playing.rows[row] === 0) continue;
          last.rewards[row] = last.rewards[row]! + buffers.reward[row]!;
          const over = buffers.terminated[row] === 1 || buffers.truncated[row] === 1;
          if (over) last.solved[row] = env.episodes.measureOf(row, SOLVED.id) === 1 ? 1 : 0;
          const at = playing.lengths[row]!;
          last.paid[(row * turns + turn[row]!) * places + at] = buffers.reward[row]!;
          look(row, over ? buffers.finalObs : buffers.obs);
          if (anew && !over && playing.ids[row * places + at] !== actions[row]) {
            playing.anew[row] = 1;
            turn[row] = turn[row]! + 1;
            if (turn[row] === turns) {
              cut[row] = 1;
              if (!apart) starts?.cut(row, env.env.save(row));
            }
          }
          if (!over && cut[row] === 0) continue;
          playing.rows[row] = 0;
          left--;
        }
        if (cut.includes(1)) env.cut(cut);
      }
      if (!apart) starts?.played(last.rewards);
      return total;
    },
    async demonstrate(teacher, apart) {
      const tokens = await this.collect((_, actions) => teacher?.act(env.env, buffers, actions), apart);
      env.episodes.forget();
      return tokens;
    },
  };
}

/** Draws the next token of every row that plays from the logits of the decoder. */
export function sampler(decoder: Decoder, vocabulary: number, rng: Rng) {
  return async ({ ids, lengths, rows, anew }: Playing, actions: Actions): Promise<void> => {
    for (let row = 0; row < rows.length; row++) if (anew[row] === 1) decoder.clear(row);
    await decoder.read(ids, lengths, rows);
    const logits = decoder.logits();
    for (let row = 0; row < actions.length; row++)
      actions[row] = rows[row] === 0 ? 0 : categorical(logits, row * vocabulary, vocabulary, rng.uniform());
  };
}

/** What a method on tokens copies by. */
interface Copied {
  readonly engine: Engine;
  readonly env: VectorEnv;
  readonly net: TokenNetwork;
  readonly collector: Collector;
  /** Of an update. */
  readonly lines: number;
  /** Of an update, whose gradients `learning` sums (core/engine/parts.ts); one by the engine itself if missing. */
  readonly parts?: number;
  readonly learning?: Pick<Engine, 'compile'>;
}

interface TokenCopying extends Copying {
  /** One update on the `tokens` written in these lines; `line`: where the k-th stands. */
  copy(from: TokenLines, tokens: number, lr: number, line: (k: number) => number): Promise<void>;
}

const noWeights = async (): Promise<Uint8Array> => {
  throw fail(
    'engine-missing',
    'Nothing here gives files of trained weights.',
    'Choose no pretrained weights, or give the option weights.',
    'algo.pretrained.kind',
  );
};

/** The extensions of a method on tokens, begun, and what it copies with. */
export async function extendedOnTokens<C extends object>(
  extensions: Extensions,
  { config, meta, rng, envEntry, envConfig, weights = noWeights }: Run<C>,
  options: Copied,
): Promise<{ readonly also: ExtendedLoop; readonly copying: TokenCopying }> {
  const { engine, env, net } = options;
  const copying = createCopying(options, envEntry.policies(envConfig));
  const method = await extensions.begin(config, { engine, meta });
  const learned = [{ name: 'policy', group: net.group }] as const;
  return {
    also: method.attach({ loop: 'tokens', networks: 'other', engine, meta, env, rng, learned, copying, weights }).places(),
    copying,
  };
}

function createCopying(
  { engine, net, collector, lines, parts = 1, learning = engine }: Copied,
  teachers: Copying['teachers'],
): TokenCopying {
  const { shape, group, weights } = net;
  const places = shape.context;
  let made: LinePrograms<ReturnType<typeof compileCloner>> | null = null;
  const cloners = (judged: boolean) => {
    made ??= linePrograms(engine, Math.ceil(lines / parts), places - 1, (of) => compileCloner(learning, shape, group, weights, of, judged));
    return made;
  };
  return {
    teachers,
    demonstrate: (teacher, apart) => collector.demonstrate(teacher, apart),
    program(judged) {
      const programs = cloners(judged);
      return async (tokens, lr) => {
        const { loss, exact } = await cloneCompletions(programs, collector.last, { places, lines, tokens, lr, parts });
        return { loss, met: exact === undefined ? undefined : meanWhere(exact, collector.last.count) };
      };
    },
    begin: () => freshOptimiser(engine),
    async copy(from, tokens, lr, line) {
      await cloneCompletions(cloners(false), from, { places, lines, tokens, lr, parts }, line);
    },
  };
}

/** Mean of the values beside which something is counted. */
function meanWhere(values: ArrayLike<number>, count: ArrayLike<number>): number {
  let [sum, n] = [0, 0];
  for (let i = 0; i < values.length; i++)
    if (count[i]! > 0) {
      sum += values[i]!;
      n++;
    }
  return sum / n;
}
