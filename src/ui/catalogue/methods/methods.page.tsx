/** Methods: the list, or the page of one. */

import type { Route } from '#stores/route.ts';
import { late } from '#ui/kit/late.tsx';

const MethodPage = late(() => import('./MethodPage.tsx'));
const MethodsPage = late(() => import('./MethodsPage.tsx'));

export default function Methods({ route }: { readonly route: Route }) {
  return route.id === null ? <MethodsPage route={route} /> : <MethodPage key={route.id} id={route.id} />;
}
