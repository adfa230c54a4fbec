/** Keeps a sandbox open on the newest code that can be read: half a second after the last change the world is made and played anew. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { OwnClip } from '#client/own/film.ts';
import { type Opened, openWorld, type Problem, problemOf } from '#client/own/workshop.ts';
import type { OwnFinding, OwnSettings } from '#contract/sandbox.ts';

const PAUSE_MS = 500;

export interface WorldState {
  readonly opened: Opened | null;
  /** The code that `opened` runs. */
  readonly code: string;
  readonly problem: Problem | null;
  readonly busy: boolean;
  readonly clip: { readonly name: string; readonly clip: OwnClip } | null;
  readonly findings: readonly OwnFinding[] | null;
}

const NOTHING: WorldState = { opened: null, code: '', problem: null, busy: false, clip: null, findings: null };

/** `code` null: nothing may run yet. */
export function useWorld(code: string | null, settings: OwnSettings) {
  const [state, setState] = useState<WorldState>(NOTHING);
  const open = useRef<Opened | null>(null);
  const seed = useRef(1);
  const values = useRef(settings);
  values.current = settings;

  const play = useCallback(async (world: Opened): Promise<void> => {
    const start = seed.current++;
    const clip = await world.play(values.current, start);
    if (open.current === world)
      setState((now) => ({ ...now, clip: { name: `${world.world.id} ${start}`, clip }, problem: null, busy: false }));
  }, []);

  useEffect(() => {
    if (code === null) return;
    let live = true;
    setState((now) => ({ ...now, busy: true }));
    const timer = setTimeout(async () => {
      try {
        const world = await openWorld(code);
        if (!live) {
          world.close();
          return;
        }
        open.current?.close();
        open.current = world;
        setState((now) => ({ ...now, opened: world, code, findings: null }));
        await play(world);
      } catch (error) {
        if (live) setState((now) => ({ ...now, problem: problemOf(error), busy: false }));
      }
    }, PAUSE_MS);
    return () => {
      live = false;
      clearTimeout(timer);
    };
  }, [code, play]);

  useEffect(() => () => open.current?.close(), []);

  const again = useCallback(() => {
    const world = open.current;
    if (world === null) return;
    setState((now) => ({ ...now, busy: true }));
    play(world).catch((error: unknown) => setState((now) => ({ ...now, problem: problemOf(error), busy: false })));
  }, [play]);

  const check = useCallback(() => {
    const world = open.current;
    if (world === null) return;
    setState((now) => ({ ...now, busy: true }));
    world.check(values.current).then(
      (findings) => setState((now) => ({ ...now, findings, busy: false })),
      (error: unknown) => setState((now) => ({ ...now, problem: problemOf(error), busy: false })),
    );
  }, []);

  return { ...state, again, check };
}
