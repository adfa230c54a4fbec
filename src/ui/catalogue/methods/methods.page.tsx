/** Methods: the list, or the page of one. */
import { lazy } from 'react';
import type { Route } from '#stores/route.ts';

const MethodPage = lazy(() => import('./MethodPage.tsx'));
const MethodsPage = lazy(() => import('./MethodsPage.tsx'));

export default function Methods({ route }: { readonly route: Route }) {
  return route.id === null ? <MethodsPage route={route} /> : <MethodPage key={route.id} id={route.id} />;
}
