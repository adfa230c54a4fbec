/** Papers: the list, the page of one, or a comparison of the reader's own. */

import type { Route } from '#stores/route.ts';
import { late } from '#ui/kit/late.tsx';

const CardPage = late(() => import('./own/CardPage.tsx'));
const MakeCard = late(() => import('./own/MakeCard.tsx'));
const OwnPage = late(() => import('./OwnPage.tsx'));
const PaperPage = late(() => import('./PaperPage.tsx'));
const PapersPage = late(() => import('./PapersPage.tsx'));

export default function Papers({ route }: { readonly route: Route }) {
  if (route.id === null) return <PapersPage route={route} />;
  switch (route.id) {
    case 'own':
      return <OwnPage />;
    case 'card':
      return <CardPage route={route} />;
    case 'new':
      return <MakeCard route={route} />;
    default:
      return <PaperPage key={route.id} route={route} />;
  }
}
