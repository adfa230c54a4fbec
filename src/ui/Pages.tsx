/** The view of each page, loaded when it is first opened. Facts of the pages, their doors and titles, stand in src/stores/pages.ts. */
import { type ComponentType, lazy } from 'react';
import { NEW_LESSON, type PageName, type Route } from '#stores/route.ts';

interface Props {
  readonly route: Route;
}

const LessonsPage = lazy(() => import('#ui/lessons/LessonsPage.tsx'));
const MakeLesson = lazy(() => import('#ui/lessons/MakeLesson.tsx'));
const MethodPage = lazy(() => import('#ui/catalogue/methods/MethodPage.tsx'));
const MethodsPage = lazy(() => import('#ui/catalogue/methods/MethodsPage.tsx'));
const OwnPage = lazy(() => import('#ui/claims/OwnPage.tsx'));
const PaperPage = lazy(() => import('#ui/claims/PaperPage.tsx'));
const PapersPage = lazy(() => import('#ui/claims/PapersPage.tsx'));

/** Pages with entries: the list, or the page of one. */
function Lessons({ route }: Props) {
  return route.id === NEW_LESSON ? <MakeLesson /> : <LessonsPage />;
}
function Methods({ route }: Props) {
  return route.id === null ? <MethodsPage route={route} /> : <MethodPage key={route.id} id={route.id} />;
}
function Papers({ route }: Props) {
  if (route.id === null) return <PapersPage route={route} />;
  return route.id === 'own' ? <OwnPage /> : <PaperPage key={route.id} route={route} />;
}

const VIEWS: { readonly [page in PageName]: ComponentType<Props> } = {
  home: lazy(() => import('#ui/home/HomePage.tsx')),
  swarm: lazy(() => import('#ui/compare/swarm/SwarmPage.tsx')),
  write: lazy(() => import('#ui/write/WritePage.tsx')),
  lessons: Lessons,
  methods: Methods,
  class: lazy(() => import('#ui/lessons/class/ClassPage.tsx')),
  papers: Papers,
  scores: lazy(() => import('#ui/catalogue/scores/ScoresPage.tsx')),
  runs: lazy(() => import('#ui/runs/RunsPage.tsx')),
  compare: lazy(() => import('#ui/compare/ComparePage.tsx')),
  side: lazy(() => import('#ui/compare/side/SidePage.tsx')),
  sweeps: lazy(() => import('#ui/compare/sweep/SweepsPage.tsx')),
  transfer: lazy(() => import('#ui/compare/transfer/TransferPage.tsx')),
  data: lazy(() => import('#ui/data/DataPage.tsx')),
  bench: lazy(() => import('#ui/compare/bench/BenchPage.tsx')),
  embed: lazy(() => import('#ui/embed/EmbedPage.tsx')),
};

export function Pages({ route }: Props) {
  const View = VIEWS[route.page];
  return <View route={route} />;
}
