/** Lessons: the list, or the form that makes one. A lesson itself opens beside the scene (LessonPanel.tsx). */
import { lazy } from 'react';
import { NEW_LESSON, type Route } from '#stores/route.ts';

const LessonsPage = lazy(() => import('./LessonsPage.tsx'));
const MakeLesson = lazy(() => import('./MakeLesson.tsx'));

export default function Lessons({ route }: { readonly route: Route }) {
  return route.id === NEW_LESSON ? <MakeLesson /> : <LessonsPage />;
}
