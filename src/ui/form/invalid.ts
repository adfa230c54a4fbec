/** Texts in fields that cannot become a value. The draft keeps its last good value; Train is off while any is left here. */
import { createStore } from 'zustand/vanilla';

export interface Bad {
  readonly text: string;
  readonly message: string;
}

export const invalidStore = createStore<{ readonly fields: { readonly [path: string]: Bad } }>(() => ({ fields: {} }));

export function markBad(path: string, bad: Bad): void {
  invalidStore.setState(({ fields }) => ({ fields: { ...fields, [path]: bad } }));
}

export function clearBad(path: string): void {
  if (!(path in invalidStore.getState().fields)) return;
  invalidStore.setState(({ fields }) => ({ fields: Object.fromEntries(Object.entries(fields).filter(([key]) => key !== path)) }));
}

/** Another environment or algorithm has other fields: their bad texts mean nothing any more. */
export function clearAllBad(): void {
  invalidStore.setState({ fields: {} });
}
