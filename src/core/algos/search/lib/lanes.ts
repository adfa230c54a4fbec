/** Copies of a game in which searches try moves: saved states in, one move each, and what came of it. */
import { fail, present } from '#contract/kit/errors.ts';
import { createActions, createBuffers } from '../../../envs/api/buffers.ts';
import type { Actions, EnvEntry, Environment, EnvMeta, LookAhead, StepBuffers } from '../../../envs/api/types.ts';
import type { PolicyContext } from '../../api/types.ts';

/** What a move led to. */
export interface Moved {
  /** The state after it. */
  readonly state: Uint8Array;
  /** What the player who moved got at the end, 1, 0 or -1; null: the game goes on. */
  readonly result: number | null;
}

/** Throws LabError('incompatible') for worlds that cannot be searched. */
export function checkSearchable(meta: EnvMeta, title: string): void {
  if (meta.searchable === true) return;
  const why = `${title} looks ahead in games of two who move in turn and see everything; this is none.`;
  throw fail('incompatible', why, 'Choose tic-tac-toe or connect four, or PPO here.', 'env.id');
}

/** The game of a run. Throws LabError('incompatible') as checkSearchable. */
export function gameOf(
  { envEntry, envConfig, meta }: Pick<PolicyContext<unknown>, 'envEntry' | 'envConfig' | 'meta'>,
  title: string,
): LookAhead {
  checkSearchable(meta, title);
  return present(envEntry.lookAhead(envConfig), 'what a searchable environment gives');
}

export class Lanes {
  readonly meta: EnvMeta;
  readonly count: number;
  private readonly env: Environment;
  private readonly buffers: StepBuffers;
  private readonly toMove: Int32Array;
  private readonly mask: Uint8Array;
  private readonly actions: Actions;
  /** The state that each lane is in, where that is known: a lane that is in it already is not loaded again. */
  private readonly held: (Uint8Array | null)[];
  /** Where every game begins: what lanes that are not used hold. */
  readonly start: Uint8Array;

  constructor(entry: EnvEntry, game: LookAhead, count: number) {
    this.env = entry.create(game.config, count);
    this.meta = this.env.meta;
    this.count = count;
    this.buffers = createBuffers(this.meta, count);
    this.toMove = present(this.buffers.toMove, 'whose turn it is');
    this.mask = present(this.buffers.mask, 'the legal moves');
    this.actions = createActions(this.meta, count);
    this.env.reset(new Uint32Array(count).fill(1), this.buffers);
    this.start = this.env.save(0);
    this.held = new Array<Uint8Array | null>(count).fill(null);
  }

  /** Puts states, which must not be over, into the first lanes: `see` then tells of them. */
  load(states: readonly Uint8Array[]): void {
    for (let lane = 0; lane < this.count; lane++) {
      const state = states[lane] ?? this.start;
      if (this.held[lane] === state) continue;
      this.env.load(lane, state, this.buffers);
      this.held[lane] = state;
    }
  }

  /** One move in each of these states, at most as many as there are lanes. `see` then tells of what they led to. */
  move(states: readonly Uint8Array[], moves: readonly number[]): Moved[] {
    this.load(states);
    const { terminated, truncated, reward } = this.buffers;
    const movers = states.map((_, lane) => this.toMove[lane]!);
    this.actions.fill(0);
    states.forEach((_, lane) => {
      this.actions[2 * lane + movers[lane]!] = moves[lane]!;
    });
    this.env.step(this.actions, this.buffers);
    this.held.fill(null);
    return states.map((_, lane) => {
      const state = this.env.save(lane);
      this.held[lane] = state;
      return { state, result: terminated[lane]! | truncated[lane]! ? reward[2 * lane + movers[lane]!]! : null };
    });
  }

  /** What the player to move sees in a lane: into rows `row` of `obs` [*, O] and, if given, of `mask` [*, N]. */
  see(lane: number, row: number, obs: Float32Array, mask: Float32Array | Uint8Array | null): void {
    const { obsSize: O, actionCount: N } = this.meta;
    const slot = 2 * lane + Math.max(0, this.toMove[lane]!);
    obs.set(this.buffers.obs.subarray(slot * O, (slot + 1) * O), row * O);
    mask?.set(this.mask.subarray(slot * N, (slot + 1) * N), row * N);
  }

  /** Moves that are legal in a lane. */
  legal(lane: number): number[] {
    const { actionCount: N } = this.meta;
    const slot = 2 * lane + Math.max(0, this.toMove[lane]!);
    const moves: number[] = [];
    for (let a = 0; a < N; a++) if (this.mask[slot * N + a] !== 0) moves.push(a);
    return moves;
  }
}
