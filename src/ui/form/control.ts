/** What the control of one leaf is given, whichever kind it is. */
import type { Json } from '#contract/kit/json.ts';
import type { Leaf } from './leaves.ts';

export interface ControlProps {
  readonly leaf: Leaf;
  readonly value: Json | undefined;
  readonly base: Json | undefined;
  /** Id of the control itself: its label points here. */
  readonly id: string;
  readonly labelId: string;
  readonly describedBy: string;
  /** A message from the checks of the whole config. */
  readonly problem: string | null;
  /** undefined takes an optional field out of the config. */
  readonly onChange: (value: Json | undefined) => void;
}
