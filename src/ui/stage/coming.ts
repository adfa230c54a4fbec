/** The world that is on its way to the stage, by its id: until its first frame is drawn its stored picture stands in place of the scene of the world before. */
import { createStore } from 'zustand/vanilla';

export const comingStore = createStore<{ readonly env: string | null }>(() => ({ env: null }));
