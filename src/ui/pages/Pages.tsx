/** The page that an address names, each loaded when it is first opened. */
import { lazy } from 'react';
import { NEW_LESSON, type Route } from '#stores/route.ts';

const BenchPage = lazy(() => import('../bench/BenchPage.tsx'));
const ClassPage = lazy(() => import('../class/ClassPage.tsx'));
const ComparePage = lazy(() => import('../compare/ComparePage.tsx'));
const DataPage = lazy(() => import('../data/DataPage.tsx'));
const EmbedPage = lazy(() => import('../embed/EmbedPage.tsx'));
const HomePage = lazy(() => import('../home/HomePage.tsx'));
const LessonsPage = lazy(() => import('../lessons/LessonsPage.tsx'));
const MakeLesson = lazy(() => import('../lessons/MakeLesson.tsx'));
const MethodPage = lazy(() => import('../methods/MethodPage.tsx'));
const MethodsPage = lazy(() => import('../methods/MethodsPage.tsx'));
const PaperPage = lazy(() => import('../papers/PaperPage.tsx'));
const PapersPage = lazy(() => import('../papers/PapersPage.tsx'));
const ScoresPage = lazy(() => import('../scores/ScoresPage.tsx'));
const SidePage = lazy(() => import('../side/SidePage.tsx'));
const SwarmPage = lazy(() => import('../swarm/SwarmPage.tsx'));
const SweepsPage = lazy(() => import('../sweep/SweepsPage.tsx'));

export function Pages({ route }: { readonly route: Route }) {
  switch (route.page) {
    case 'bench':
      return <BenchPage route={route} />;
    case 'class':
      return <ClassPage route={route} />;
    case 'compare':
      return <ComparePage route={route} />;
    case 'data':
      return <DataPage />;
    case 'embed':
      return <EmbedPage route={route} />;
    case 'home':
      return <HomePage />;
    case 'side':
      return <SidePage route={route} />;
    case 'sweeps':
      return <SweepsPage route={route} />;
    case 'swarm':
      return <SwarmPage route={route} />;
    case 'scores':
      return <ScoresPage route={route} />;
    case 'methods':
      return route.id === null ? <MethodsPage route={route} /> : <MethodPage key={route.id} id={route.id} />;
    case 'papers':
      return route.id === null ? <PapersPage route={route} /> : <PaperPage key={route.id} route={route} />;
    default:
      return route.id === NEW_LESSON ? <MakeLesson /> : <LessonsPage />;
  }
}
