/** Who draws with WebGL here, a graphics card or the processor in its place; there contexts are kept and passed on, because a first one takes long. */
import type { Context } from '#scenes/types.ts';
import { setProcessorDraws } from '#stores/update-clock.ts';

/** Names by which drivers admit that the processor does the drawing. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

let drawer: 'software' | 'hardware' | null = null;
/** Drawn by the processor, and not in use. */
let spare: Context | null = null;

function open(): Context | null {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('webgl2', { antialias: false });
  return context === null ? null : { canvas, context };
}

/** Makes a context on another canvas than the one to be drawn on, which a refusal would make useless; that of a graphics card is released at once. */
export function probeWebGl(): 'none' | 'software' | 'hardware' {
  if (drawer !== null) return drawer;
  const opened = open();
  if (opened !== null) {
    const { context } = opened;
    const info = context.getExtension('WEBGL_debug_renderer_info');
    const name = String(context.getParameter(info === null ? context.RENDERER : info.UNMASKED_RENDERER_WEBGL));
    drawer = SOFTWARE.test(name) ? 'software' : 'hardware';
    if (drawer === 'software') spare = opened;
    else context.getExtension('WEBGL_lose_context')?.loseContext();
  }
  const found = drawer ?? 'none'; // asked again then: browsers refuse for a while, too
  setProcessorDraws(found !== 'hardware');
  // Each frame of an animation is a picture of the whole page, which then takes its time from training: base.css leaves them out.
  document.documentElement.dataset.drawer = found;
  return found;
}

/** A canvas with a context without antialiasing, for one renderer alone; null where a graphics card draws, or none can be had. */
export function softWebGl(): Context | null {
  if (probeWebGl() !== 'software') return null;
  const found = spare ?? open();
  spare = null;
  return found;
}
