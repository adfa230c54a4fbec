/** The page for frames in other pages: an experiment, or the card of a paper or an own one. */
import { embeddedCard, type Route, routeStore } from '#stores/route.ts';
import { handle, late } from '#ui/kit/late.tsx';

const loadCard = () => import('./CardFrame.tsx');
const loadExperiment = () => import('./ExperimentFrame.tsx');
const CardFrame = late(loadCard);
const ExperimentFrame = late(loadExperiment);

// On its way before anything is drawn. Where it cannot be fetched, the view says so when it is drawn.
const { route: first } = routeStore.getState();
if (first !== null) void (embeddedCard(first) ? loadCard() : loadExperiment()).catch(handle);

export default function EmbedPage({ route }: { readonly route: Route }) {
  return embeddedCard(route) ? <CardFrame route={route} /> : <ExperimentFrame route={route} />;
}
