/** From ranges to tasks: what the form makes of drawn fields where they are to follow each other. */
import { type Contexts, isRange } from './contexts.ts';

/**
 * The drawn fields as tasks that follow each other: the low ends of all ranges, then the high ones; of a list each value. A field with fewer
 * values keeps its last one. Unchanged where there is only one of each, or a field lies within another.
 */
export function asTasks(contexts: Contexts, order: NonNullable<Contexts['order']>): Contexts {
  if (contexts.list !== undefined) return { ...contexts, order };
  const { draw = {}, ...rest } = contexts;
  const fields = Object.entries(draw).map(([field, one]) => [field, isRange(one) ? [one.from, one.to] : one] as const);
  const count = Math.max(...fields.map(([, values]) => values.length));
  if (count < 2 || fields.some(([field]) => field.includes('.'))) return contexts;
  const tasks = Array.from({ length: count }, (_, k) =>
    Object.fromEntries(fields.map(([field, values]) => [field, values[Math.min(k, values.length - 1)]!])),
  );
  return { ...rest, list: tasks, order };
}
