/** Ticks when the page gets another policy: the policies themselves are large and stand in client/policies.ts. */
import { createStore } from 'zustand/vanilla';

export const policiesStore = createStore<{ readonly version: number }>(() => ({ version: 0 }));

export function policyCame(): void {
  policiesStore.setState(({ version }) => ({ version: version + 1 }));
}
