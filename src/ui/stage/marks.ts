/** Marks of agents and objects by the open explanation, drawn over the scene. */
import { useEffect } from 'react';
import { createStore } from 'zustand/vanilla';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { AgentAttribution } from '#contract/explain/explain.ts';
import { sceneOf } from '#scenes/index.ts';
import type { ThingMark, ThingTie } from '#scenes/types.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { agentsOf, thingOf } from './agents.ts';

export interface Said {
  /** What is drawn, in words: stands in the scene's corner. */
  readonly title: string;
  readonly marks: readonly ThingMark[];
  readonly ties: readonly ThingTie[];
  /** What closed and broken rings mean here. */
  readonly adds: string;
  readonly takes: string;
}

interface MarksState {
  readonly said: Said | null;
  /** A person may switch the layer off. */
  readonly on: boolean;
}

export const marksStore = createStore<MarksState>(() => ({ said: null, on: true }));

/** A person hides the layer, or shows it again. */
export function switchMarks(): void {
  marksStore.setState(({ on }) => ({ on: !on }));
}

/** Draws this while the component stands; `said` must stay the same object while nothing changes. */
export function useSaid(said: Said | null): void {
  useEffect(() => marksStore.setState({ said }), [said]);
  useEffect(() => () => marksStore.setState({ said: null }), []);
}

/** "+5.6", "−0.2": for a few words over a picture. */
function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${measure(value, 2).replace('-', '−')}`;
}

/** A ring for each agent. Whose interval holds 0 gets the ring of perhaps nothing. Empty before there are intervals. */
export function valueMarks({ players, value, halfWidth }: AgentAttribution, env: EnvCard): ThingMark[] {
  if (!halfWidth.every(Number.isFinite)) return [];
  const most = Math.max(...value.map(Math.abs)) || 1;
  // where agents carry no number, it stands beside the value
  const bare = sceneOf(env.frame).numbered === false;
  return players.map(({ agent }, i) => ({
    thing: thingOf(env, agent),
    strength: Math.abs(value[i]!) <= halfWidth[i]! ? 0 : value[i]! / most,
    words: bare ? `${agentsOf(env)[agent]?.mark ?? agent}  ${signed(value[i]!)}` : signed(value[i]!),
  }));
}

/** The same for things by their raw shares. */
export function shareMarks(things: readonly { readonly thing: number; readonly share: number }[]): ThingMark[] {
  const most = Math.max(...things.map(({ share }) => Math.abs(share))) || 1;
  return things.map(({ thing, share }) => ({ thing, strength: share / most, words: signed(share) }));
}
