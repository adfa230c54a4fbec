/** A press that calls a thing: it is held there until the world has taken a step. */
import type { Pull } from '#contract/game/frames.ts';

/** Ms that what a press has called is held: one step of the slowest world. */
const CALLED_MS = 250;

export interface Caller {
  call(pull: Pull): void;
  dispose(): void;
}

/** `free`: whether it may be let go; not while the person holds a thing. */
export function createCaller(onPull: (pull: Pull | null) => void, free: () => boolean = () => true): Caller {
  let letGo: ReturnType<typeof setTimeout> | undefined;
  return {
    call(pull) {
      onPull(pull);
      clearTimeout(letGo);
      letGo = setTimeout(() => {
        if (free()) onPull(null);
      }, CALLED_MS);
    },
    dispose: () => clearTimeout(letGo),
  };
}
