/** Rings round the agents of the scene by what they contribute: to the rest of the episode while that is followed, else on the whole. */
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { AgentAttribution } from '#contract/explain/explain.ts';
import { worthWords } from '#report/explain-words.ts';
import { explainStore } from '#stores/explain.ts';
import { stageStore } from '#stores/stage.ts';
import { shownStore } from '#ui/kit/shown.ts';
import { useSaid, valueMarks } from '#ui/stage/marks.ts';
import { laneAt } from './Lane.tsx';

export function useTeamMarks(env: EnvCard, answer: AgentAttribution | null): void {
  const lane = useStore(explainStore, (state) => state.lane);
  const replay = useStore(stageStore, (state) => state.replay);
  const t = useStore(shownStore, (state) => (lane.on ? state.t : 0));
  const here = lane.on && lane.replay === replay ? laneAt(lane.points, t) : undefined;
  const shown = here?.answer ?? answer;
  const from = here?.t;
  useSaid(
    useMemo(() => {
      const marks = shown === null ? [] : valueMarks(shown, env);
      if (shown === null || marks.length === 0) return null;
      const worth = worthWords(shown);
      const title =
        from === undefined ? `What each agent brings to ${worth}` : `What each brings to the rest of ${worth}, from frame ${from} on`;
      return { title, marks, ties: [], adds: 'adds', takes: 'takes away' };
    }, [shown, from, env]),
  );
}
