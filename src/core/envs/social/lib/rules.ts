/** In what social dilemmas differ, and what follows from it: spaces, state, frame. */
import type { ReferenceReturn } from '#contract/catalog/catalog.ts';
import type { GridLayout } from '#contract/game/frames.ts';
import { type ObsSpace, obsSize } from '#contract/game/spaces.ts';
import type { Draws } from '../../api/draws.ts';
import { defineState } from '../../api/state.ts';
import type { EnvMeta, StateField } from '../../api/types.ts';
import { FIRE, type Ground, STAY } from './ground.ts';
import { SOCIAL_MEASURES } from './metrics.ts';
import type { Window } from './view.ts';

/** Codes of the field `things`. */
export const APPLE_HERE = 1;
export const WASTE_HERE = 2;
/** Columns of the field `tally`. */
export const TALLY = ['apples', 'paid', 'paidAt', 'shots', 'cleaned', 'out'] as const;
/** Numbers per agent at the end of the central state. */
export const BADGE = 8;

export interface Beam {
  readonly length: number;
  readonly width: 1 | 3;
  readonly cost: number;
  readonly penalty: number;
  readonly hits: number;
  readonly timeout: number; // steps, 0: agents are never out
  readonly cooldown: number; // steps
}

/** What growth works on: `things` and `timers` are where those fields begin in a row's words; timers only where apples have a delay. */
export interface Board {
  readonly words: Uint32Array;
  readonly wordStride: number;
  readonly things: number;
  readonly timers: number;
  readonly draws: Draws;
  /** [cells] agent that stands there, + 1. */
  stands(row: number): Int32Array;
  /** Steps done in the row's episode before this one. */
  age(row: number): number;
}

export interface Rules {
  readonly id: string;
  readonly ground: Ground;
  readonly agents: number;
  readonly window: Window;
  /** Whose windows each agent gets besides its own, window.windows - 1 at most; missing: none. */
  readonly shared?: readonly (readonly number[])[];
  readonly fire: Beam | null;
  readonly clean: Beam | null;
  /** River cells: they look like water where there is no waste. */
  readonly water: Int32Array;
  /** Where apples grow. */
  readonly soil: Int32Array;
  /** Whether waste is part of the world. */
  readonly waste: boolean;
  /** Steps until an eaten apple is back; 0: apples come back by `grow` alone. */
  readonly delay: number;
  readonly maxSteps: number;
  readonly references: readonly ReferenceReturn[];
  /** Lays out a new row; all things and timers are 0 before, and agents stand already. */
  begin(board: Board, row: number): void;
  /** What grows or spoils at the end of a step. */
  grow(board: Board, row: number): void;
}

function stateOf(r: Rules) {
  const map = [r.ground.height, r.ground.width];
  const A = r.agents;
  const field = (name: string, shape: readonly number[], doc: string): StateField => ({ name, type: 'u32', shape, doc });
  return defineState(
    1,
    [
      { name: 'returns', type: 'f64', shape: [A], doc: 'sum of the rewards of each agent in this episode' },
      field('agents', [A, 3], 'row, column and heading (0 up, 1 right, 2 down, 3 left) of each agent'),
      field('things', map, 'per cell: 0 nothing, 1 apple, 2 waste'),
      ...(r.delay > 0 ? [field('timers', map, 'per cell: steps until an apple is back')] : []),
      field('beams', map, 'per cell, in the last step: 0 no beam, 1 tagging, 2 cleaning, 3 both'),
      field('out', [A], 'steps until a tagged agent comes back, 0: it is there'),
      field('marks', [A], 'hits of each agent since it was last tagged'),
      field('cooldown', [A, 2], 'steps until the tagging and the cleaning beam can be fired again'),
      field('tally', [A, TALLY.length], `per agent: ${TALLY.join(', ')} (paidAt: sum of the steps with a reward above 0)`),
      field('tags', [A, A], 'how often the agent of the row hit the agent of the column'),
      field('steps', [], 'steps done in this episode'),
    ],
    ['returns', 'timers', 'beams', 'out', 'marks', 'cooldown', 'tally', 'tags'],
  );
}

/** Planes of the central state: apples, waste where there is any, agents by heading. */
export const planesOf = (r: Rules): number => (r.waste ? 6 : 5);

export function socialMeta(r: Rules): EnvMeta {
  const { ahead, behind, side } = r.window;
  const channels = (r.window.colours ? 3 : r.window.layers.length + 1) * r.window.windows;
  const obs: ObsSpace = { kind: 'box', shape: [ahead + 1 + behind, 2 * side + 1, channels], low: 0, high: 1 };
  const labels = [
    'left',
    'right',
    'ahead',
    'back',
    'stay',
    'turn right',
    'turn left',
    ...(r.fire ? ['fire'] : []),
    ...(r.clean ? ['clean'] : []),
  ];
  const keys = [
    ['a'],
    ['d'],
    ['ArrowUp', 'w'],
    ['ArrowDown', 's'],
    ['.'],
    ['ArrowRight', 'e'],
    ['ArrowLeft', 'q'],
    ...(r.fire ? [[' ', 'f']] : []),
    ...(r.clean ? [['c', 'Enter']] : []),
  ];
  const frame: GridLayout = {
    kind: 'grid',
    width: r.ground.width,
    height: r.ground.height,
    agents: r.agents,
    headings: true,
    looks: ['empty', 'wall', 'food', 'soil', 'water', 'waste'],
    colours: ['red', 'green', 'blue', 'purple', 'yellow', 'grey', 'cyan', 'brown'],
    view: side,
    ...(ahead === side && behind === side && { centred: true }),
    layers: ['beam'],
    agentExtras: ['score'],
  };
  return {
    id: r.id,
    version: 1,
    agents: [
      {
        count: r.agents,
        names: Array.from({ length: r.agents }, (_, i) => `agent ${i + 1}`),
        obs,
        action: { kind: 'discrete', n: labels.length, labels },
      },
    ],
    agentCount: r.agents,
    obsSize: obsSize(obs),
    actionSize: 1,
    actionCount: labels.length,
    rewards: ['reward'],
    costs: [],
    globalSize: planesOf(r) * r.ground.cells + BADGE * r.agents,
    ...(r.fire !== null && r.fire.timeout > 0 && { agentsReturn: true }),
    masked: (r.fire !== null && (r.fire.timeout > 0 || r.fire.cooldown > 0)) || (r.clean !== null && r.clean.cooldown > 0),
    score: 'sum',
    gamma: 0.99,
    maxSteps: r.maxSteps,
    evalMaxSteps: r.maxSteps,
    state: stateOf(r),
    frame,
    references: r.references,
    keys,
    idleAction: STAY,
    fps: 8,
    measures: SOCIAL_MEASURES,
  };
}

/** The cleaning action's number. */
export const cleanAction = (r: Rules): number => (r.fire ? FIRE + 1 : FIRE);
