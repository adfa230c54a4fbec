/** Messages in words and colours. */
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { MessageFrame } from '#contract/explain/communication.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { agentsOf } from '#ui/stage/agents.ts';

/** Names of all agents, by number. */
export function agentNames(env: EnvCard): readonly string[] {
  return agentsOf(env).map(({ name }) => name);
}

/** What an agent does, in the words of its action space. */
export function doing(env: EnvCard, agent: number, actions: Float32Array): string {
  const spaces = env.groups.flatMap((group) => group.names.map(() => group.action));
  const space = spaces[agent] ?? env.action;
  const width = actions.length / env.agents;
  if (space.kind === 'discrete') return space.labels[actions[agent * width]!] ?? String(actions[agent * width]);
  return Array.from({ length: space.size }, (_, d) => `${space.labels[d] ?? `action ${d}`} ${measure(actions[agent * width + d], 2)}`).join(
    ', ',
  );
}

/** A number of a message as a colour: one hue below zero, another above, the stronger the farther. */
export function tint(value: number, most: number): string {
  if (!Number.isFinite(value)) return 'transparent';
  const share = Math.min(1, Math.abs(value) / (most || 1));
  return `color-mix(in oklab, var(--series-${value < 0 ? 4 : 5}) ${(100 * share).toFixed(0)}%, var(--raised))`;
}

/** A divergence in nats as a colour. */
export function depth(nats: number, most: number): string {
  return `color-mix(in oklab, var(--series-0) ${(80 * Math.min(1, nats / (most || 1))).toFixed(0)}%, var(--raised))`;
}

/** Agents whose greedy action differs without messages. */
export function turns(talk: MessageFrame, env: EnvCard): readonly string[] {
  const names = agentNames(env);
  return names.flatMap((name, agent) => {
    const now = doing(env, agent, talk.actions);
    const then = doing(env, agent, talk.actionsMuted);
    return now === then ? [] : [`${name} does “${now}”; without messages it would do “${then}”.`];
  });
}

/** Below a thousandth of a nat the choice is the same. */
export const nats = (value: number): string => (value < 0.001 ? '0' : measure(value, 2));
