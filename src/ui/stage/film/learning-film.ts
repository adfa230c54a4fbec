/** Makes the film of learning: each chosen policy plays one episode from the same start; pictures are drawn off the page and encoded as they come. */
import { clips } from '#client/stage/clip-service.ts';
import type { Clip } from '#client/stage/clips.ts';
import { matchOf, type Slot, slotKey } from '#client/stage/side.ts';
import type { RunGroup } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import { openShow } from '../show/host.ts';
import { shoot } from './film.ts';
import { FILM, momentAt } from './learning.ts';
import { toldBy } from './told-by.ts';

/** The seed of the episodes: any, the same for all. */
const START = 1;
/** Height of the words below the picture. */
const LINE = 34;

/** null: it was cancelled. Rejects with Error in words. */
export async function filmOfLearning(
  group: RunGroup,
  title: string,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<{ readonly blob: Blob; readonly extension: string } | null> {
  const told = toldBy(group);
  if (told === null) throw new Error('This run keeps only one policy.');
  const { width, height, fps, seconds } = FILM;
  const [{ formsHere, openWriter }, { wall }] = await Promise.all([import('./encode.ts'), openShow()]);
  const [form] = await formsHere(width, height);
  if (form === undefined) throw new Error('This browser can write no video.');
  const parts: Clip[] = [];
  for (const step of told.steps) {
    const actor = { kind: 'learned' as const, runId: group.id, seed: told.seed, step, name: '' };
    const slot: Slot = { actor, rival: null, world: 'own' };
    parts.push(
      await clips.clip(
        slotKey(slot, START),
        () => Promise.resolve(slot),
        (one) => matchOf(one, START),
      ),
    );
    if (signal.aborted) return null;
  }
  const sheet = document.createElement('canvas');
  const picture = document.createElement('canvas');
  const pen = sheet.getContext('2d', { willReadFrequently: true });
  if (pen === null) throw new Error('This browser offers no 2D canvas.');
  sheet.width = width;
  sheet.height = height;
  // the theme's colours are read from elements of the page
  picture.hidden = true;
  document.body.append(picture);
  const colours = getComputedStyle(document.documentElement);
  const colour = (name: string): string => colours.getPropertyValue(name).trim();
  const scene = await wall.scene(picture);
  try {
    scene.resize(width, height - LINE, 1);
    let shown = -1;
    const blob = await shoot({
      episode: { length: seconds * fps + 1, dt: 1 / fps },
      speed: 1,
      fps,
      writer: await openWriter(form, sheet, fps),
      draw({ t: frame }, passed) {
        const { part, t: at, alpha } = momentAt(frame / fps, parts);
        const clip = parts[part];
        if (clip === undefined) return false;
        if (part !== shown) scene.setSource(clip);
        shown = part;
        if (!scene.show(at, alpha, passed)) return false;
        pen.fillStyle = colour('--stage-top') || colour('--bg');
        pen.fillRect(0, 0, width, height);
        pen.drawImage(picture, 0, 0, width, height - LINE);
        words(pen, colour, {
          title,
          step: told.steps[part] ?? 0,
          first: part === 0,
          score: clip.returnAt(at),
          share: (frame + 1) / (seconds * fps),
        });
        return true;
      },
      onProgress,
      signal,
    });
    return blob === null ? null : { blob, extension: form.extension };
  } finally {
    scene.dispose();
    picture.remove();
  }
}

interface Words {
  readonly title: string;
  readonly step: number;
  readonly first: boolean;
  readonly score: number;
  readonly share: number;
}

/** Below the picture: who plays, after how many steps, what it has scored so far, and how far the film is. */
function words(pen: CanvasRenderingContext2D, colour: (name: string) => string, { title, step, first, score, share }: Words): void {
  const { width, height } = FILM;
  const top = height - LINE;
  pen.fillStyle = colour('--surface');
  pen.fillRect(0, top, width, LINE);
  pen.fillStyle = colour('--accent');
  pen.fillRect(0, top, width * share, 2);
  pen.textBaseline = 'middle';
  pen.font = '600 14px system-ui, sans-serif';
  pen.fillStyle = colour('--text');
  pen.textAlign = 'left';
  const after = first && step === 0 ? t('before learning') : t('after {n} steps', { n: compact(step) });
  pen.fillText(`${after} · ${measure(score)}`, 10, top + LINE / 2 + 1);
  pen.font = '12px system-ui, sans-serif';
  pen.fillStyle = colour('--muted');
  pen.textAlign = 'right';
  pen.fillText(title, width - 10, top + LINE / 2 + 1, width / 2 - 10);
}
