/** Papers: the list, the page of one, or a comparison of the reader's own. */
import { lazy } from 'react';
import type { Route } from '#stores/route.ts';

const OwnPage = lazy(() => import('./OwnPage.tsx'));
const PaperPage = lazy(() => import('./PaperPage.tsx'));
const PapersPage = lazy(() => import('./PapersPage.tsx'));

export default function Papers({ route }: { readonly route: Route }) {
  if (route.id === null) return <PapersPage route={route} />;
  return route.id === 'own' ? <OwnPage /> : <PaperPage key={route.id} route={route} />;
}
