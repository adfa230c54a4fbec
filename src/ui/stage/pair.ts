/** Whether before and after lie over the scene: what is said of the scene below waits meanwhile. */
import { createStore } from 'zustand/vanilla';

export const pairStore = createStore<{ readonly open: boolean }>(() => ({ open: false }));
