/** The numbers of the frame on the stage, as often as figures can be read. */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { type FrameLayout, frameSize } from '#contract/game/frames.ts';
import { stageStore } from '#stores/stage.ts';
import { shownStore } from '#ui/kit/shown.ts';

const AGAIN_MS = 80;

export function useFrame(): { readonly layout: FrameLayout; readonly frame: Float32Array; readonly t: number } | null {
  const source = useStore(stageStore, (state) => state.source);
  const t = useStore(shownStore, (state) => state.t);
  const [got, setGot] = useState<{ readonly layout: FrameLayout; readonly frame: Float32Array; readonly t: number } | null>(null);
  useEffect(() => {
    if (source === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = (): void => {
      const frame = new Float32Array(frameSize(source.layout));
      if (source.read(t, frame)) setGot({ layout: source.layout, frame, t });
      else timer = setTimeout(read, AGAIN_MS); // on its way
    };
    read();
    return () => clearTimeout(timer);
  }, [source, t]);
  return got !== null && got.layout === source?.layout ? got : null;
}
