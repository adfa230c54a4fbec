/** The state of racket-drone environments. */
import { defineState } from '../../api/state.ts';
import type { StateSpec } from '../../api/types.ts';
import type { Game } from './game.ts';
import { QUAD } from './quad.ts';

export function hallState(game: Game): StateSpec {
  return defineState(
    1,
    [
      {
        name: 'drones',
        type: 'f64',
        shape: [game.drones, QUAD],
        doc: 'per drone position 3 (m), quaternion x y z w, velocity 3 (m/s), body rates 3 (rad/s), throttles 4, rate controller: integrals 3 (deg), last rates 3 (deg/s)',
      },
      ...(game.ball ? [{ name: 'ball', type: 'f64' as const, shape: [6], doc: 'position 3 (m), velocity 3 (m/s)' }] : []),
      ...game.fields,
      { name: 'lastTouch', type: 'u32', shape: [game.drones], doc: 'step of each drone’s last touch, 0 none' },
      { name: 'steps', type: 'u32', shape: [], doc: 'control steps done in this episode' },
    ],
    ['lastTouch', ...game.fields.map((f) => f.name)],
  );
}
