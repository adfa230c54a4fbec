/** What is wrong with a run: the numbers that speak for it, how sure that is, and settings that may mend it. */
import { z } from 'zod';
import { jsonSchema } from '../kit/bounded.ts';
import type { Json } from '../kit/json.ts';

/** One setting to change. */
export interface Way {
  /** Effect of the remedy, in a few words: "learning rate back to 0.00025". */
  readonly text: string;
  /** 'algo.lr', 'env.gravity'. */
  readonly path: string;
  readonly value: Json;
  /** `state`: a run can go on with it from a kept state; `start`: only a new run can have it, because the state would be of another size. */
  readonly begin: 'state' | 'start';
}

export interface Finding {
  /** Of the rule that found it: core/run/diagnoses. */
  readonly id: string;
  readonly title: string;
  /** Sentences with the numbers of this run. */
  readonly evidence: readonly string[];
  readonly sure: 'certain' | 'likely' | 'possible';
  /** Environment steps after which the evidence began: states kept before are good. */
  readonly since: number;
  /** Best first; none where no setting would mend it. */
  readonly ways: readonly Way[];
}

export const findingSchema: z.ZodType<Finding> = z.object({
  id: z.string(),
  title: z.string(),
  evidence: z.array(z.string()).max(1000),
  sure: z.enum(['certain', 'likely', 'possible']),
  since: z.number(),
  ways: z.array(z.object({ text: z.string(), path: z.string(), value: jsonSchema, begin: z.enum(['state', 'start']) })).max(1000),
});
