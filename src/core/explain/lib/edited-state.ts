/** A frame of a replay changed by hand: the state, what its agents see there, and its picture. */

import { frameSize } from '#contract/game/frames.ts';
import { MOST_EDITS, type StateEdit } from '#contract/game/network-view.ts';
import { fail } from '#contract/kit/errors.ts';
import { createBuffers } from '../../envs/api/buffers.ts';
import type { EnvEntry, StepBuffers } from '../../envs/api/types.ts';
import type { ReplayReader } from '../../run/replay.ts';
import { moveThing, swapCells } from './arrange.ts';
import { moveBody } from './move-body.ts';

export interface EditedState {
  readonly buffers: StepBuffers;
  readonly frame: Float32Array; // [F]
}

/** Numbers of an observation typed by hand are within this. */
const LARGEST = 1e6;

/** `reader` stands at the frame and stays there. Throws LabError('incompatible') naming `edits` for a change that cannot be made there. */
export function editedState(entry: EnvEntry, reader: ReplayReader, agent: number, edits: readonly StateEdit[]): EditedState {
  if (edits.length > MOST_EDITS)
    throw fail('incompatible', `A state takes at most ${MOST_EDITS} changes.`, 'Go back to the frame first.', 'edits');
  const { env, replay } = reader;
  const { meta } = env;
  const { config } = replay.env;
  let state = env.save(0);
  for (const edit of edits) {
    if (edit.kind === 'swap') state = swapCells(entry, config, state, edit.from, edit.to);
    else if (edit.kind === 'move')
      state =
        meta.frame.kind === 'bodies'
          ? moveBody(entry, config, state, meta.frame, edit.thing, edit.x, edit.y)
          : moveThing(entry, config, state, edit.thing, edit.x, edit.y);
  }
  const frame = new Float32Array(frameSize(meta.frame));
  const seen = createBuffers(meta, 1);
  const copy = entry.create(config, 1);
  copy.reset(Uint32Array.of(1), seen);
  copy.load(0, state, seen);
  copy.frame(0, frame);
  const watched = edits.findLast((edit) => edit.kind === 'observe');
  if (watched?.kind === 'observe') {
    const { obs } = watched;
    if (obs.length !== meta.obsSize || !obs.every((x) => Math.abs(x) <= LARGEST))
      throw fail('incompatible', `An observation here is ${meta.obsSize} numbers, each within 1e6.`, 'Give one for each.', 'edits');
    seen.obs.set(obs, agent * meta.obsSize);
  }
  return { buffers: seen, frame };
}
