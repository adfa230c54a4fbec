/**
 * The view of each page, loaded when it is first opened: the default of PAGE.page.tsx, wherever in src/ui that file stands. Facts of the pages,
 * their doors and titles, stand in src/stores/pages.ts; Pages.test.ts holds the two together.
 */
import type { ComponentType, ReactNode } from 'react';
import { type Route, routeStore } from '#stores/route.ts';
import { handle, late } from '#ui/kit/late.tsx';

interface Props {
  readonly route: Route;
}

const files = import.meta.glob<{ readonly default: (props: Props) => ReactNode }>('./*/**/*.page.tsx');

// The code of the page that a visit begins with is on its way before anything is drawn. Where it cannot be fetched, the view says so when it is drawn.
const { route: first } = routeStore.getState();
if (first !== null) {
  const begin = Object.entries(files).find(([path]) => path.endsWith(`/${first.page}.page.tsx`))?.[1];
  void begin?.().catch(handle);
}

const VIEWS: ReadonlyMap<string, ComponentType<Props>> = new Map(
  Object.entries(files).map(([path, load]) => [path.slice(path.lastIndexOf('/') + 1, -'.page.tsx'.length), late(load)]),
);

export function Pages({ route }: Props) {
  const View = VIEWS.get(route.page);
  if (View === undefined) throw new Error(`The page ${route.page} has no view: src/ui has no file ${route.page}.page.tsx.`);
  return <View route={route} />;
}
