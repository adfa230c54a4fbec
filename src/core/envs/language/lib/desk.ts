/** The desk of tool worlds as a table of cards, seen from above: the jobs, files, what was sent, times of day, what was bought. */
import type { TableItem, TableLayout } from '#contract/game/frames.ts';
import { halfOf, lineOfCards } from './cards.ts';
import { nameOf } from './tokens.ts';
import type { Errand, ToolConfig } from './tools.ts';

/** Signs of jobs, in the order of the apps that they need. */
export const SIGNS = 'cmktvye+';

const DIGIT = 1 + SIGNS.length;
/** What stands on the cards: nothing, signs of jobs, digits, names. */
const FACES: readonly string[] = ['–', ...SIGNS, ...'0123456789', ...Array.from({ length: 4 }, (_, i) => nameOf(i))];
const faceOf = (text: string): number => FACES.indexOf(text);
const digitFace = (digit: number): number => DIGIT + digit;

export function deskPicture(c: ToolConfig): TableLayout {
  const width = Math.max(4 * c.jobs, c.digits, c.names);
  const line = (label: string, n: number, y: number): readonly TableItem[] => lineOfCards(label, FACES, { n, width, y });
  const half = halfOf(width);
  return {
    kind: 'table',
    items: [
      ...line('task', 4 * c.jobs, 6.4),
      ...line('files', c.names, 4.8),
      ...line('sent', c.names, 3.2),
      ...line('times', c.digits, 1.6),
      ...line('bought', c.names, 0),
      { kind: 'number', label: 'calls', digits: 0, x: -half / 2, y: -1.5 },
      { kind: 'number', label: 'of the plan', digits: 0, x: half / 2, y: -1.5 },
    ],
    bounds: [-half, -2, half, 7.4],
  };
}

/** Fills a frame of deskPicture. */
export function drawDesk(c: ToolConfig, { task, desk, made, place }: Errand, out: Float32Array): void {
  let n = 0;
  const put = (face: number): void => {
    out[n++] = face;
  };
  const jobs = task.text.slice(0, -1).split(',');
  for (const job of jobs) for (let i = 0; i < 4; i++) put(i < job.length ? faceOf(job[i]!) : -1);
  for (const digit of desk.files) put(digitFace(digit));
  for (const sent of desk.sent) put(sent === 0 ? 0 : sent > c.digits ? faceOf('+') : digitFace(sent - 1));
  for (const who of desk.slots) put(who === 0 ? 0 : faceOf(nameOf(who - 1)));
  for (const owned of desk.owned) put(owned === 0 ? 0 : digitFace(1));
  put(made);
  put(place);
}
