/** Keeps a sandbox open on the newest code that can be read: half a second after the last change it is made and played anew. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { OwnClip } from '#client/own/film.ts';
import { type Opened, openWorld, type Problem, problemOf } from '#client/own/workshop.ts';
import type { OwnFinding, OwnPlayer, OwnScore, OwnSetup } from '#contract/own/sandbox.ts';

const PAUSE_MS = 500;

export interface WorldState {
  readonly opened: Opened | null;
  /** The code that `opened` runs. */
  readonly code: string;
  readonly problem: Problem | null;
  readonly busy: boolean;
  readonly clip: { readonly name: string; readonly clip: OwnClip; readonly player: OwnPlayer } | null;
  readonly findings: readonly OwnFinding[] | null;
  readonly scores: readonly OwnScore[] | null;
}

const NOTHING: WorldState = { opened: null, code: '', problem: null, busy: false, clip: null, findings: null, scores: null };

/** Who plays while nothing was learned: the person's player where the code is one. */
const usualPlayer = ({ world }: Opened): OwnPlayer => (world.kind === 'player' ? { script: world.policies[0] ?? 'mine' } : 'random');

export function useWorld(code: string, setup: OwnSetup) {
  const [state, setState] = useState<WorldState>(NOTHING);
  const open = useRef<Opened | null>(null);
  const seed = useRef(1);
  const values = useRef(setup);
  values.current = setup;

  const play = useCallback(async (world: Opened, player = usualPlayer(world)): Promise<void> => {
    const start = seed.current++;
    const clip = await world.play(values.current, start, player);
    if (open.current === world)
      setState((now) => ({ ...now, clip: { name: `${world.world.id} ${start}`, clip, player }, problem: null, busy: false }));
  }, []);

  useEffect(() => {
    let live = true;
    setState((now) => ({ ...now, busy: true, findings: null, scores: null })); // what was found of the code before says nothing of this
    const timer = setTimeout(async () => {
      try {
        const world = await openWorld(code, (error) => {
          if (live) setState((now) => ({ ...now, problem: problemOf(error, code), busy: false }));
        });
        if (!live) {
          world.close();
          return;
        }
        open.current?.close();
        open.current = world;
        setState((now) => ({ ...now, opened: world, code }));
        await play(world);
      } catch (error) {
        if (live) setState((now) => ({ ...now, problem: problemOf(error, code), busy: false }));
      }
    }, PAUSE_MS);
    return () => {
      live = false;
      clearTimeout(timer);
    };
  }, [code, play]);

  useEffect(() => () => open.current?.close(), []);

  /** Asks the open sandbox; what it answers becomes part of the state. */
  const ask = useCallback((question: (world: Opened) => Promise<Partial<WorldState>>): void => {
    const world = open.current;
    if (world === null) return;
    setState((now) => ({ ...now, busy: true }));
    question(world).then(
      (answer) => {
        if (open.current === world) setState((now) => ({ ...now, ...answer, busy: false }));
      },
      (error: unknown) => setState((now) => ({ ...now, problem: problemOf(error, now.code), busy: false })),
    );
  }, []);

  const again = useCallback(
    (player?: OwnPlayer) =>
      ask(async (world) => {
        await play(world, player);
        return {};
      }),
    [ask, play],
  );
  const check = useCallback(() => ask(async (world) => ({ findings: await world.check(values.current) })), [ask]);
  const score = useCallback(() => ask(async (world) => ({ scores: await world.score(values.current) })), [ask]);

  return { ...state, again, check, score };
}
