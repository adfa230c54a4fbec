/** Papers: the list, the page of one, or a comparison of the reader's own. */

import type { Route } from '#stores/route.ts';
import { late } from '#ui/kit/late.tsx';

const OwnPage = late(() => import('./OwnPage.tsx'));
const PaperPage = late(() => import('./PaperPage.tsx'));
const PapersPage = late(() => import('./PapersPage.tsx'));

export default function Papers({ route }: { readonly route: Route }) {
  if (route.id === null) return <PapersPage route={route} />;
  return route.id === 'own' ? <OwnPage /> : <PaperPage key={route.id} route={route} />;
}
