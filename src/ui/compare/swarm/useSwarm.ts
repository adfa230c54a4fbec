/** A swarm for as long as its model, size and seed stay; settings change while it moves. One frame is asked for at a time. */
import { type RefObject, useEffect, useRef, useState } from 'react';
import { openSwarm, type SwarmOnDevice } from '#client/compare/swarm.ts';
import { type Failure, toFailure } from '#contract/kit/errors.ts';
import type { SwarmAsk, SwarmFrame } from '#contract/run/swarm.ts';
import { resolveColours } from '#ui/kit/theme/theme-change.ts';

export type SwarmState =
  | { readonly kind: 'starting'; readonly steps: 0 }
  | { readonly kind: 'moving'; readonly steps: number; readonly rate: number; readonly order: number }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** Figures change this often, not with every frame. */
const BEAT_MS = 250;
/** Pixels of the canvas beyond this many bring nothing to members of two. */
const MOST_PIXELS = 1600;

function lookOf(element: HTMLElement, steps: number): SwarmFrame {
  const ratio = Math.min(devicePixelRatio, MOST_PIXELS / Math.max(1, element.clientWidth, element.clientHeight));
  const { paper } = resolveColours(element, { paper: '--surface' });
  const [r = 0, g = 0, b = 0] = (paper.match(/\d+/g) ?? []).map((part) => Number(part) / 255);
  return {
    steps,
    width: Math.max(1, Math.round(element.clientWidth * ratio)),
    height: Math.max(1, Math.round(element.clientHeight * ratio)),
    paper: [r, g, b],
    dark: document.documentElement.dataset.theme === 'dark',
  };
}

const STARTING: SwarmState = { kind: 'starting', steps: 0 };

export function useSwarm(ask: SwarmAsk): {
  readonly host: RefObject<HTMLDivElement | null>;
  readonly state: SwarmState;
  readonly playing: boolean;
  readonly setPlaying: (playing: boolean) => void;
} {
  const host = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<SwarmState>(STARTING);
  // Who wants less motion starts it.
  const [playing, setPlaying] = useState(() => !matchMedia('(prefers-reduced-motion: reduce)').matches);
  const wanted = useRef(playing);
  const open = useRef<SwarmOnDevice | null>(null);
  wanted.current = playing;
  const { model, members, seed } = ask;
  const settings = JSON.stringify(ask.config);
  const latest = useRef(ask);
  latest.current = ask;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another model, size or seed is another swarm; settings change below
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    setState(STARTING);
    const canvas = document.createElement('canvas');
    element.replaceChildren(canvas);
    let closed = false;
    const swarm = openSwarm(canvas, latest.current);
    open.current = swarm;
    const turn = async (): Promise<void> => {
      await swarm.ready;
      let steps = 0;
      let counted = 0;
      let since = performance.now();
      setState({ kind: 'moving', steps, rate: 0, order: 0 });
      while (!closed) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        if (closed) return;
        const moves = wanted.current ? 1 : 0;
        const { order } = await swarm.frame(lookOf(element, moves));
        steps += moves;
        counted += moves;
        const now = performance.now();
        if (now - since < BEAT_MS) continue;
        setState({ kind: 'moving', steps, rate: (1000 * counted) / (now - since), order });
        counted = 0;
        since = now;
      }
    };
    turn().catch((error: unknown) => {
      if (!closed) setState({ kind: 'failed', failure: toFailure(error) });
    });
    return () => {
      closed = true;
      open.current = null;
      swarm.close();
    };
  }, [model, members, seed]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the settings as text, so that equal ones are no change
  useEffect(() => {
    const swarm = open.current;
    swarm?.ready
      .then(() => swarm.change(latest.current))
      .catch((error: unknown) => {
        if (open.current === swarm) setState({ kind: 'failed', failure: toFailure(error) });
      });
  }, [settings]);

  return { host, state, playing, setPlaying };
}
