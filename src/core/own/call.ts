/** Calls of a person's functions: what they throw is said with the function's name and line. */
import { LabError } from '#contract/kit/errors.ts';
import { show, wrong } from './form.ts';

/** Where an error stands in the person's code, 1 for the first line; null: not in it. */
export type LineOf = (error: unknown) => number | null;

export type Call = <T>(name: string, act: () => T) => T;

/** Throws LabError('world-invalid') naming the function and the line in place of what the function throws. */
export function callerOf(lineOf: LineOf): Call {
  return (name, act) => {
    try {
      return act();
    } catch (error) {
      if (error instanceof LabError && !(error.failure.id === 'world-invalid' && lineOf(error) !== null)) throw error;
      const line = lineOf(error);
      const where = line === null ? '' : ` in line ${line}`;
      if (error instanceof LabError) throw wrong(name, `${error.failure.message} (line ${line})`, error.failure.fix);
      const what = error instanceof Error ? `${error.name}: ${error.message}` : `it threw ${show(error)}`;
      throw wrong(name, `${name} failed${where}. ${what.slice(0, 300)}`, 'Correct the code there.');
    }
  };
}
