/** What of a paper was run in this profile, in one of its forms, and the ways to start it. */
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { type ArmForm, armsIn, measureEnds, measureScripts, runArms, type SoFar, soFar } from '#client/compare/papers.ts';
import { runs } from '#client/runs/service.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import { curvesStore } from '#stores/curves.ts';
import { runsStore } from '#stores/runs.ts';
import { failureText } from '#ui/kit/format/failure.ts';

/** ms between two looks at curves that grow: their intervals are computed anew each time. */
const LOOK_MS = 2000;

export interface PaperRuns {
  /** null: the configs are being completed, or cannot be (`problem`). */
  readonly now: SoFar | null;
  readonly problem: string;
  /** Runs not started yet of this form: more seeds than the first look are asked for only where they could decide. */
  start(): void;
  /** Runs that stand still go on from where they were; null: there are none. */
  readonly resume: (() => void) | null;
  /** The second look, where the first has left the main contrast open; null: not asked for. */
  readonly more: (() => void) | null;
}

export function usePaperRuns(paper: JudgedCard, quick: boolean): PaperRuns {
  const [looks, setLooks] = useState<readonly (readonly ArmForm[])[] | null>(null);
  const [problem, setProblem] = useState('');
  const [news, setNews] = useState(0);
  const groups = useStore(runsStore, (state) => state.groups);
  const again = useCallback(() => setNews((count) => count + 1), []);
  useEffect(() => {
    let live = true;
    setLooks(null);
    Promise.all((quick ? (['quick'] as const) : (['full', 'more'] as const)).map((form) => armsIn(paper, form))).then(
      (found) => live && setLooks(found),
      (error: unknown) => live && setProblem(failureText(toFailure(error))),
    );
    return () => {
      live = false;
    };
  }, [paper, quick]);

  // Curves grow ten times a second; what is made of them is drawn anew every other second, and at once when a run ends.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = curvesStore.subscribe(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        again();
      }, LOOK_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [again]);

  const begun = looks !== null && looks.length > 1 && looks[1]!.some(({ hash }) => groups.some((group) => group.hash === hash));
  const states = groups.map(({ seeds }) => seeds.map(({ state }) => state).join()).join();
  const used = useMemo(() => (looks === null ? null : begun ? looks : looks.slice(0, 1)), [looks, begun]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `groups` change with every step; what is drawn follows `news` and the states of runs
  const now = useMemo(
    () => (used === null ? null : soFar(paper, used, quick, runsStore.getState().groups)),
    [paper, used, quick, news, states],
  );

  // Scores of scripts do not outlive a visit: after a reload they are measured again.
  const started = now?.started ?? false;
  useEffect(() => {
    if (!started || used === null) return;
    for (const look of used) measureScripts(look, again).catch((error: unknown) => setProblem(failureText(toFailure(error))));
  }, [started, used, again]);

  // What a run does not tell of itself is measured of its policy, as soon as it ends.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `states` says when a run has ended; the groups themselves change with every step
  useEffect(() => {
    if (used === null) return;
    for (const look of used)
      measureEnds(paper, look, runsStore.getState().groups, again).catch((error: unknown) => setProblem(failureText(toFailure(error))));
  }, [paper, used, states, again]);

  const run = (arms: readonly ArmForm[]): void => {
    again();
    runArms(paper, arms, again).then(again, (error: unknown) => setProblem(failureText(toFailure(error))));
  };
  const halted = now?.halted ?? [];
  const open = now?.decision?.wanted ?? null;
  return {
    now,
    problem,
    start: () => {
      if (used !== null) for (const look of used) run(look);
    },
    resume:
      halted.length === 0
        ? null
        : () => {
            for (const id of halted) runs.resume(id);
          },
    more: open !== null && !begun && looks !== null && looks.length > 1 ? () => run(looks[1]!) : null,
  };
}
