/**
 * Who moves each agent of one copy: learned policies, scripted ones, random actions, in any mixture. Each policy is asked once a step,
 * about all agents, and its answers are used for those it moves; its memory runs along from the first frame.
 */
import { fail } from '#contract/errors.ts';
import type { Hidden, Policy } from '../algos/types.ts';
import type { Actions, Environment, ScriptedPolicy, StepBuffers } from '../envs/types.ts';
import { Rng } from '../math/rng.ts';

export type Player = { readonly kind: 'policy'; readonly policy: Policy } | { readonly kind: 'scripted'; readonly policy: ScriptedPolicy };

export class Lineup {
  private readonly players: readonly Player[];
  private readonly hidden = new Map<Policy, Hidden>();
  private readonly rng: Rng;
  private readonly greedy: boolean;
  private own: Actions | null = null;

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
        const query = { obs: buffers.obs, agent, hidden, rng: this.rng, rows: agentCount, greedy: this.greedy };
        const act = await policy.act(buffers.mask === undefined ? query : { ...query, mask: buffers.mask });
        this.hidden.set(policy, act.hidden);
        this.own.set(act.actions);
      }
      for (let a = 0; a < agentCount; a++) {
        if (this.players[a] !== player) continue;
        for (let d = 0; d < actionSize; d++) out[a * actionSize + d] = this.own[a * actionSize + d]!;
      }
    }
  }
}

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
