/** Rules by which a run is judged, causes before what they explain. A new one: its file and its line here, and its row in docs/diagnoses.md. */
import { entropy } from './entropy.ts';
import { learningRate } from './learning-rate.ts';
import { nothingTaught } from './nothing-taught.ts';
import { rewardScale } from './reward-scale.ts';
import { sameReturn } from './same-return.ts';
import { smallUpdates } from './small-updates.ts';
import { steadyData } from './steady-data.ts';
import { target } from './target.ts';
import { timeLimit } from './time-limit.ts';
import type { Rule } from './types.ts';
import { valueRange } from './value-range.ts';

export const rules: readonly Rule[] = [
  target,
  timeLimit,
  valueRange,
  steadyData,
  nothingTaught,
  rewardScale,
  learningRate,
  entropy,
  smallUpdates,
  sameReturn,
];
