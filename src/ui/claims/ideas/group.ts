/** What the views of one group share: the group that was asked for last, and sums over it. */
import { useEffect, useState } from 'react';
import type { GroupThere } from '#client/compare/ideas.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { OneGroup } from '#contract/run/group.ts';
import { failureText } from '#ui/kit/format/failure.ts';

export interface Asked {
  /** The newest group that came; null: none yet. */
  readonly found: GroupThere | null;
  readonly busy: boolean;
  readonly problem: string;
}

/** Asks again wherever `key` changes. What comes late, after another was asked for, is left away. */
export function useGroup(key: string, ask: () => Promise<GroupThere>): Asked {
  const [asked, setAsked] = useState<Asked>({ found: null, busy: true, problem: '' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` names all that is asked for
  useEffect(() => {
    let live = true;
    setAsked((before) => ({ ...before, busy: true, problem: '' }));
    ask().then(
      (found) => live && setAsked({ found, busy: false, problem: '' }),
      (error: unknown) => live && setAsked((before) => ({ ...before, busy: false, problem: failureText(toFailure(error)) })),
    );
    return () => {
      live = false;
    };
  }, [key]);
  return asked;
}

/** A step of a group. */
export interface Place {
  readonly row: number;
  readonly step: number;
}

/** All steps of the group that begin in the state of this one, it among them. */
export function sameState({ episodes }: OneGroup, { row, step }: Place): readonly Place[] {
  const state = episodes[row]?.steps[step]?.state;
  return episodes.flatMap(({ steps }, other) => steps.flatMap((one, t) => (one.state === state ? [{ row: other, step: t }] : [])));
}

/** Rows as a tree is drawn: each episode stands under the one that it branched off, those that branched off later nearer to it. */
export function treeOrder({ episodes }: OneGroup): readonly number[] {
  const under = (row: number | null): readonly number[] =>
    episodes
      .flatMap(({ parent }, child) => ((parent?.row ?? null) === row ? [child] : []))
      .toSorted((a, b) => (episodes[b]?.parent?.step ?? 0) - (episodes[a]?.parent?.step ?? 0) || a - b)
      .flatMap((child) => [child, ...under(child)]);
  return under(null);
}
