/** Lessons: the list, or the form that makes one. A lesson itself opens beside the scene (LessonPanel.tsx). */

import { NEW_LESSON, type Route } from '#stores/route.ts';
import { late } from '#ui/kit/late.tsx';

const LessonsPage = late(() => import('./LessonsPage.tsx'));
const MakeLesson = late(() => import('./make/MakeLesson.tsx'));

export default function Lessons({ route }: { readonly route: Route }) {
  return route.id === NEW_LESSON ? <MakeLesson /> : <LessonsPage />;
}
