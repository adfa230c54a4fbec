/** Who plays whom on the stage, for teams: a player for each agent, and which agent a person takes over. Not part of any link. */
import { createStore } from 'zustand/vanilla';

/** NEWEST: the shown policy of the active run. RANDOM. Else the name of a scripted policy or of a policy (client/lineup.ts). */
export const NEWEST = 'newest';
export const RANDOM = 'random';

export interface LineupState {
  /** Environment and number of agents this is for; another one starts afresh. */
  readonly team: string;
  /** [A]; null: all seats as usual. */
  readonly players: readonly string[] | null;
  /** The agent a person moves. */
  readonly seat: number;
  /** In this environment the person takes a seat that its settings give to players, in their place; null: one of those who learn. */
  readonly partner: { readonly env: string; readonly seat: string } | null;
}

export const lineupStore = createStore<LineupState>(() => ({ team: '', players: null, seat: 0, partner: null }));

export const teamOf = (env: { readonly id: string; readonly agents: number }): string => `${env.id} ${env.agents}`;

/** Sets the players of these agents. */
export function seatAgents(env: { readonly id: string; readonly agents: number }, agents: readonly number[], player: string): void {
  const { team, players, seat } = lineupStore.getState();
  const same = team === teamOf(env);
  const next = (same ? players : null)?.slice() ?? new Array<string>(env.agents).fill(NEWEST);
  for (const agent of agents) next[agent] = player;
  lineupStore.setState({ team: teamOf(env), players: next.every((name) => name === NEWEST) ? null : next, seat: same ? seat : 0 });
}

export function takeSeat(env: { readonly id: string; readonly agents: number }, seat: number): void {
  const { team, players } = lineupStore.getState();
  lineupStore.setState({ team: teamOf(env), players: team === teamOf(env) ? players : null, seat });
}

/** Takes a seat that the settings of the environment give to players; null: none of these. */
export function takePartner(env: string, seat: string | null): void {
  lineupStore.setState({ partner: seat === null ? null : { env, seat } });
}

/** The seat of players that a person takes in an environment whose agents have these names; null: one of those who learn. */
export function partnerIn(env: { readonly id: string; readonly roster: readonly string[] }): string | null {
  const { partner } = lineupStore.getState();
  return partner?.env === env.id && env.roster.includes(partner.seat) ? partner.seat : null;
}

/** The line-up of this team; null: all seats as usual. */
export function lineupOf(env: { readonly id: string; readonly agents: number }): readonly string[] | null {
  const { team, players } = lineupStore.getState();
  return team === teamOf(env) ? players : null;
}

export function seatOf(env: { readonly id: string; readonly agents: number }): number {
  const { team, seat } = lineupStore.getState();
  return team === teamOf(env) ? seat : 0;
}
