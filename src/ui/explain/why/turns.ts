/** When an agent does what in an episode. Pure. */
import type { Replay } from '#contract/run/events.ts';

/** What this agent does at frame t; undefined at the last frame, where no agent acts. */
export function actionAt(
  { actions, reward }: Pick<Replay, 'actions' | 'reward'>,
  agents: number,
  agent: number,
  t: number,
): number | undefined {
  return actions[(t * agents + agent) * (actions.length / reward.length)];
}

/** Frames at which this agent takes this discrete action. */
export function timesOf({ actions, reward }: Pick<Replay, 'actions' | 'reward'>, agents: number, agent: number, action: number): number[] {
  const steps = reward.length / agents;
  return Array.from({ length: steps }, (_, t) => t).filter((t) => actionAt({ actions, reward }, agents, agent, t) === action);
}

/** The first of these frames after t, else the first of all; undefined: none. */
export function nextOf(times: readonly number[], t: number): number | undefined {
  return times.find((time) => time > t) ?? times[0];
}
