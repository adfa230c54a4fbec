/** The view that a step of a lesson brings along: the default of views/NAME/View.tsx, loaded when such a step is first opened. */
import { type ComponentType, lazy, Suspense } from 'react';
import type { Lesson, Step } from '#lessons/define.ts';

export interface StepViewProps {
  readonly lesson: Lesson;
  readonly step: Step;
}

const files = import.meta.glob<{ readonly default: ComponentType<StepViewProps> }>('./views/*/View.tsx');

const VIEWS: ReadonlyMap<string, ComponentType<StepViewProps>> = new Map(
  Object.entries(files).map(([path, load]) => [path.split('/').at(-2) ?? '', lazy(load)]),
);

export function StepView({ name, lesson, step }: StepViewProps & { readonly name: string }) {
  const View = VIEWS.get(name);
  if (View === undefined) throw new Error(`The step "${step.title}" names the view ${name}: src/ui/lessons/views has no such folder.`);
  return (
    <Suspense fallback={null}>
      <View lesson={lesson} step={step} />
    </Suspense>
  );
}
