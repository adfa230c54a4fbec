/**
 * Who moves each agent: learned policies, scripted ones, random actions, in any mixture. In one copy each policy is asked once a step,
 * about all agents, and its answers are used for those it moves; its memory runs along from the first frame. `together` makes one
 * policy of several that were trained apart, for whole evaluations.
 */
import { frameSize, isGrid, placesOf } from '#contract/game/frames.ts';
import { fail } from '#contract/kit/errors.ts';
import { Rng } from '#math/rng.ts';
import type { Act, Hidden, Policy } from '../algos/api/types.ts';
import { createActions } from '../envs/api/buffers.ts';
import { namesOf } from '../envs/api/meta.ts';
import { paidOf } from '../envs/api/score.ts';
import type { Actions, Environment, EnvMeta, ScriptedPolicy, StepBuffers } from '../envs/api/types.ts';

export type Player = { readonly kind: 'policy'; readonly policy: Policy } | { readonly kind: 'scripted'; readonly policy: ScriptedPolicy };

export class Lineup {
  private readonly players: readonly Player[];
  private readonly hidden = new Map<Policy, Hidden>();
  private readonly rng: Rng;
  private readonly greedy: boolean;
  private own: Actions | null = null;
  /** Cells (row-major) that agents went to by the last act, where their policies choose cells; -1: none. [A] */
  cells: Int16Array | null = null;

  /** One player for each agent. */
  constructor(players: readonly Player[], options: { readonly seed: number; readonly greedy: boolean }) {
    this.players = players;
    this.rng = Rng.from(options.seed).split('play');
    this.greedy = options.greedy;
  }

  /** Writes what every agent does, [1, A, D]. */
  async act(env: Environment, buffers: StepBuffers, out: Actions): Promise<void> {
    const { agentCount, actionSize } = env.meta;
    this.own ??= out.slice();
    for (const player of new Set(this.players)) {
      if (player.kind === 'scripted') player.policy.act(env, buffers, this.own);
      else {
        const { policy } = player;
        const hidden = this.hidden.get(policy) ?? policy.initial(agentCount);
        const agent = Int32Array.from({ length: agentCount }, (_, i) => i);
        const paid = paidOf(env.meta, buffers);
        const query = { obs: buffers.obs, agent, hidden, rng: this.rng, rows: agentCount, greedy: this.greedy, paid };
        const act = await policy.act(buffers.mask === undefined ? query : { ...query, mask: buffers.mask });
        this.hidden.set(policy, act.hidden);
        this.own.set(act.actions);
        this.tell(policy, act, env);
      }
      for (let a = 0; a < agentCount; a++) {
        if (this.players[a] !== player) continue;
        for (let d = 0; d < actionSize; d++) out[a * actionSize + d] = this.own[a * actionSize + d]!;
      }
    }
  }

  /** From its next action on an agent goes to this cell of the picture, if its policy goes to cells. False: it does not. */
  aim(env: Environment, agent: number, x: number, y: number): boolean {
    const player = this.players[agent];
    if (player?.kind !== 'policy' || player.policy.aim === undefined) return false;
    const hidden = this.hidden.get(player.policy) ?? player.policy.initial(env.meta.agentCount);
    const pose = posesOf(env)?.[agent];
    if (pose === undefined) return false;
    this.hidden.set(player.policy, hidden);
    const [right, ahead] = seenFrom(pose, x - pose.x, y - pose.y);
    player.policy.aim(hidden, agent, right, ahead);
    return true;
  }

  /** Where agents of this policy go, in cells of the picture. */
  private tell(policy: Policy, { extras }: Act, env: Environment): void {
    const card = policy.extras?.find(({ kind }) => kind === 'place');
    const offsets = card && extras?.[card.id];
    const { frame } = env.meta;
    if (offsets === undefined || !isGrid(frame)) return;
    const cells = this.cells ?? new Int16Array(env.meta.agentCount).fill(-1);
    this.cells = cells;
    posesOf(env)?.forEach((pose, a) => {
      if (this.players[a]?.policy !== policy) return;
      const [dx, dy] = fromSeen(pose, offsets[2 * a]!, offsets[2 * a + 1]!);
      const [x, y] = [pose.x + dx, pose.y + dy];
      const inside = x >= 0 && y >= 0 && x < frame.width && y < frame.height;
      cells[a] = inside ? y * frame.width + x : -1;
    });
  }
}

interface Pose {
  readonly x: number;
  readonly y: number;
  /** Quarter turns from upwards to where it looks, clockwise; 0 where agents have no heading. */
  readonly turns: number;
}

/** Where the agents of row 0 stand in the picture; null: it is no grid. */
function posesOf(env: Environment): readonly Pose[] | null {
  const { frame } = env.meta;
  const places = placesOf(frame);
  if (!isGrid(frame) || places === null) return null;
  const shown = new Float32Array(frameSize(frame));
  env.frame(0, shown);
  return Array.from({ length: frame.agents }, (_, a) => {
    const [x = 0, y = 0, heading = 0] = shown.subarray(places.column(a), places.column(a) + 3);
    return { x, y, turns: frame.headings ? (heading + 1) & 3 : 0 };
  });
}

/** A step of the picture, y down, as the agent sees it: to its right, ahead of it. */
const seenFrom = ({ turns }: Pose, dx: number, dy: number): readonly [number, number] =>
  turns === 0 ? [dx, -dy] : turns === 1 ? [dy, dx] : turns === 2 ? [-dx, dy] : [-dy, -dx];

/** The other way round. */
const fromSeen = ({ turns }: Pose, right: number, ahead: number): readonly [number, number] =>
  turns === 0 ? [right, -ahead] : turns === 1 ? [ahead, right] : turns === 2 ? [-right, ahead] : [-ahead, -right];

/** One object for each different name, so that agents of one player share it. Throws LabError('config-invalid') for another number of names. */
export async function seatPlayers(
  names: readonly (string | null)[],
  agents: number,
  playerOf: (name: string | null) => Promise<Player>,
): Promise<readonly Player[]> {
  if (names.length !== agents) {
    throw fail('config-invalid', `${names.length} players for ${agents} agents.`, 'Name one for each agent.', 'players');
  }
  const made = new Map<string | null, Player>();
  const out: Player[] = [];
  for (const name of names) {
    const player = made.get(name) ?? (await playerOf(name));
    made.set(name, player);
    out.push(player);
  }
  return out;
}

/** A policy and the agents it knows: those of the environment it was trained in, where some seats may have had other players. */
export interface Known {
  readonly policy: Policy;
  readonly meta: EnvMeta;
  /** Names of those that it moves; all it knows without it. */
  readonly moves?: readonly string[];
}

/**
 * Policies that were trained apart as one for the whole environment `meta`: each is asked about the agents it knows, by name, and moves
 * those that none before it moves. Rows of a query are whole copies. The policies stay their owners'. Throws LabError('incompatible').
 */
export function together(meta: EnvMeta, parts: readonly Known[]): Policy {
  const names = namesOf(meta);
  const { agentCount: A, obsSize: O, actionSize: D, actionCount: N } = meta;
  const free = new Set(names);
  const players = parts.map(({ policy, meta: own, moves: chosen }) => {
    const knows = namesOf(own).map((name) => names.indexOf(name));
    if (knows.includes(-1)) {
      throw fail('incompatible', 'One of these policies plays a seat that is not here.', 'Take policies of the same environment.', 'rival');
    }
    const moves = knows.map((agent) => (chosen === undefined || chosen.includes(names[agent]!)) && free.delete(names[agent]!));
    return { policy, own, knows, moves, width: policy.initial(1).length };
  });
  if (free.size > 0) {
    throw fail('incompatible', `No policy plays ${[...free].join(', ')}.`, 'Take a rival that was trained in these seats.', 'rival');
  }
  return {
    initial: (rows) => new Float32Array(players.reduce((sum, { knows, width }) => sum + (rows / A) * knows.length * width, 0)),
    async act({ obs, mask, hidden, rng, rows, greedy }) {
      const copies = rows / A;
      const actions = createActions(meta, copies);
      const after = new Float32Array(hidden.length);
      let at = 0; // of this player's memory
      for (const { policy, own, knows, moves, width } of players) {
        const many = copies * knows.length;
        const seen = new Float32Array(many * own.obsSize);
        const legal = mask === undefined ? undefined : new Uint8Array(many * own.actionCount);
        for (let row = 0; row < many; row++) {
          const from = Math.floor(row / knows.length) * A + knows[row % knows.length]!;
          seen.set(obs.subarray(from * O, from * O + own.obsSize), row * own.obsSize);
          if (legal !== undefined && mask !== undefined)
            legal.set(mask.subarray(from * N, from * N + own.actionCount), row * own.actionCount);
        }
        const agent = Int32Array.from({ length: many }, (_, row) => row % knows.length);
        const query = { obs: seen, agent, hidden: hidden.slice(at, at + many * width), rng, rows: many, greedy };
        const act = await policy.act(legal === undefined ? query : { ...query, mask: legal });
        after.set(act.hidden, at);
        at += many * width;
        for (let row = 0; row < many; row++) {
          if (!moves[row % knows.length]) continue;
          const to = Math.floor(row / knows.length) * A + knows[row % knows.length]!;
          for (let d = 0; d < own.actionSize; d++) actions[to * D + d] = act.actions[row * own.actionSize + d]!;
        }
      }
      return { actions, hidden: after };
    },
    dispose() {},
  };
}
