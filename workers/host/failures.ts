/** comlink carries only name and message of an error; a LabError's failure must arrive too, else the page could not show its way out. */
import { transferHandlers } from 'comlink';
import { toFailure } from '#contract/kit/errors.ts';

/** Call once in each worker before it is exposed. */
export function carryFailures(): void {
  const plain = transferHandlers.get('throw');
  if (plain === undefined) return;
  transferHandlers.set('throw', {
    ...plain,
    serialize: (thrown) => {
      const [message, transfer] = plain.serialize(thrown);
      const { value } = thrown as { readonly value: unknown };
      const { isError, value: fields } = message as { readonly isError: boolean; readonly value: object };
      return [isError ? { isError, value: { ...fields, failure: toFailure(value) } } : message, transfer];
    },
  });
}
