/**
 * Moves a rigid body of a state to another place of the picture seen from the side. Which numbers of the state move it is found by trying:
 * those that move this body more than they move others (an angle for a pole, a position for a cart) are changed by damped least squares
 * (Levenberg 1944) until it stands as near as it can; a pole stays on its hinge.
 */

import type { BodiesLayout } from '#contract/game/frames.ts';
import { fail } from '#contract/kit/errors.ts';
import { fieldLength } from '../../envs/api/state.ts';
import type { EnvEntry } from '../../envs/api/types.ts';
import { StateEditor } from './arrange.ts';

/** Numbers of a state that are tried. */
const MOST_NUMBERS = 200;
const NUDGE = 1e-4;
/** A number belongs to the body if it moves it at least this much as exclusively as the best does. */
const SHARE = 0.6;
const ITERATIONS = 40;

interface Lever {
  readonly name: string;
  readonly index: number;
  /** How far the body goes for each unit. */
  readonly dx: number;
  readonly dy: number;
  readonly share: number;
}

const length = (x: number, y: number): number => Math.sqrt(x * x + y * y);

/** `x`, `up` in metres. Throws LabError('incompatible') for a body that no number of the state moves. */
export function moveBody(
  entry: EnvEntry,
  config: unknown,
  state: Uint8Array,
  layout: BodiesLayout,
  thing: number,
  x: number,
  up: number,
): Uint8Array {
  const editor = new StateEditor(entry, config);
  const count = layout.parts.length;
  if (!(Number.isInteger(thing) && thing >= 0 && thing < count))
    throw fail('incompatible', `There is no body ${thing} in the picture.`, 'Choose one that is.', 'edits');
  const rise = layout.up === 'z' ? 2 : 1;
  const place = (frame: Float32Array, part: number): readonly [number, number] => [frame[part * 7]!, frame[part * 7 + rise]!];

  /** What moves the body from this state. */
  function levers(from: Uint8Array): Lever[] {
    const base = editor.picture(from);
    const found: Lever[] = [];
    const numbers = editor.meta.state.fields
      .filter(({ name, type }) => type === 'f64' && name !== 'rng')
      .flatMap((field) => Array.from({ length: fieldLength(field) }, (_, index) => ({ name: field.name, index })))
      .slice(0, MOST_NUMBERS);
    for (const { name, index } of numbers) {
      const got = editor.attempt(from, (draft) => draft.add(name, index, NUDGE));
      if (got === null) continue;
      let others = 0;
      let [dx, dy] = [0, 0];
      for (let part = 0; part < count; part++) {
        const [x0, y0] = place(base, part);
        const [x1, y1] = place(got.frame, part);
        if (part === thing) [dx, dy] = [(x1 - x0) / NUDGE, (y1 - y0) / NUDGE];
        else others += length(x1 - x0, y1 - y0) / NUDGE;
      }
      const own = length(dx, dy);
      if (own > 1e-2) found.push({ name, index, dx, dy, share: own / (own + others) });
    }
    const best = Math.max(...found.map(({ share }) => share));
    return found.filter(({ share }) => share >= SHARE * best);
  }

  let now = state;
  let damping = 1e-3;
  const distance = (frame: Float32Array): number => length(x - place(frame, thing)[0], up - place(frame, thing)[1]);
  let left = distance(editor.picture(now));
  const begun = left;
  let used = levers(now);
  if (used.length === 0)
    throw fail('incompatible', 'Nothing in the state moves this body by itself.', 'Drag another one, or use the sliders.', 'edits');
  for (let i = 0; i < ITERATIONS && left > 1e-4 && damping < 1e6; i++) {
    const [x0, y0] = place(editor.picture(now), thing);
    const [rx, ry] = [x - x0, up - y0];
    // (J J^T + damping I) z = r, change = J^T z
    const a = used.reduce((sum, { dx }) => sum + dx * dx, damping);
    const b = used.reduce((sum, { dx, dy }) => sum + dx * dy, 0);
    const d = used.reduce((sum, { dy }) => sum + dy * dy, damping);
    const det = a * d - b * b;
    const [zx, zy] = [(d * rx - b * ry) / det, (a * ry - b * rx) / det];
    const got = editor.attempt(now, (draft) => {
      for (const { name, index, dx, dy } of used) draft.add(name, index, dx * zx + dy * zy);
    });
    const far = got === null ? Number.POSITIVE_INFINITY : distance(got.frame);
    if (got !== null && far < left) {
      const gained = left - far;
      now = got.state;
      left = far;
      damping = Math.max(1e-6, damping / 10);
      if (gained < 1e-6) break;
      const next = levers(now);
      if (next.length > 0) used = next;
    } else damping *= 10;
  }
  if (left === begun && begun > 1e-4)
    throw fail('incompatible', 'This body cannot be moved there.', 'Try another place, or use the sliders.', 'edits');
  return now;
}
