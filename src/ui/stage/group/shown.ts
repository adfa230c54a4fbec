/** Whether the stage of a policy on tokens shows a group of its answers or one episode. */
import { createStore } from 'zustand/vanilla';

interface GroupShown {
  readonly on: boolean;
  toggle(): void;
}

export const groupStore = createStore<GroupShown>((set, get) => ({
  on: true,
  toggle: () => set({ on: !get().on }),
}));
