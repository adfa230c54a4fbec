/** The world that is on its way to the stage, by its id: until its first frame is drawn its stored picture stands in place of the scene of the world before. */
import { createStore } from 'zustand/vanilla';
import type { JsonObject } from '#contract/kit/json.ts';
import type { Route } from '#stores/route.ts';

interface Coming {
  /** null: none is on its way. */
  readonly env: string | null;
  /** Its settings that are not the defaults. */
  readonly config: JsonObject;
  /** The lesson whose world this is; null: of none. A lesson that is open and not named here is still being loaded, and so is its world. */
  readonly lesson: string | null;
}

export const comingStore = createStore<Coming>(() => ({ env: null, config: {}, lesson: null }));

/** Names the lesson of an address: one of the course by its id, one made on the page by its text. */
export const lessonOf = ({ id, query }: Pick<Route, 'id' | 'query'>): string => `${id} ${query.lesson ?? ''}`;

/** `config`: its settings that are not the defaults. */
export function worldComes(env: string | null, config: JsonObject, lesson: string): void {
  comingStore.setState({ env, config, lesson });
}

/** `lesson` has no world, or none that can be opened; null: no lesson is open. */
export function noWorldComes(lesson: string | null): void {
  comingStore.setState({ env: null, lesson });
}
