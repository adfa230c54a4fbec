/** The page that an address names, each loaded when it is first opened. */
import { lazy } from 'react';
import { NEW_LESSON, type Route } from '#stores/route.ts';

const BenchPage = lazy(() => import('#ui/compare/bench/BenchPage.tsx'));
const ClassPage = lazy(() => import('#ui/lessons/class/ClassPage.tsx'));
const ComparePage = lazy(() => import('#ui/compare/ComparePage.tsx'));
const DataPage = lazy(() => import('#ui/data/DataPage.tsx'));
const EmbedPage = lazy(() => import('#ui/embed/EmbedPage.tsx'));
const HomePage = lazy(() => import('#ui/home/HomePage.tsx'));
const LessonsPage = lazy(() => import('#ui/lessons/LessonsPage.tsx'));
const MakeLesson = lazy(() => import('#ui/lessons/MakeLesson.tsx'));
const MethodPage = lazy(() => import('#ui/catalogue/methods/MethodPage.tsx'));
const MethodsPage = lazy(() => import('#ui/catalogue/methods/MethodsPage.tsx'));
const PaperPage = lazy(() => import('#ui/claims/PaperPage.tsx'));
const PapersPage = lazy(() => import('#ui/claims/PapersPage.tsx'));
const OwnPage = lazy(() => import('#ui/claims/OwnPage.tsx'));
const ScoresPage = lazy(() => import('#ui/catalogue/scores/ScoresPage.tsx'));
const SidePage = lazy(() => import('#ui/compare/side/SidePage.tsx'));
const WritePage = lazy(() => import('#ui/write/WritePage.tsx'));
const SwarmPage = lazy(() => import('#ui/compare/swarm/SwarmPage.tsx'));
const SweepsPage = lazy(() => import('#ui/compare/sweep/SweepsPage.tsx'));
const TransferPage = lazy(() => import('#ui/compare/transfer/TransferPage.tsx'));

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
    case 'transfer':
      return <TransferPage route={route} />;
    case 'swarm':
      return <SwarmPage route={route} />;
    case 'write':
      return <WritePage route={route} />;
    case 'scores':
      return <ScoresPage route={route} />;
    case 'methods':
      return route.id === null ? <MethodsPage route={route} /> : <MethodPage key={route.id} id={route.id} />;
    case 'papers':
      if (route.id === null) return <PapersPage route={route} />;
      return route.id === 'own' ? <OwnPage /> : <PaperPage key={route.id} route={route} />;
    default:
      return route.id === NEW_LESSON ? <MakeLesson /> : <LessonsPage />;
  }
}
