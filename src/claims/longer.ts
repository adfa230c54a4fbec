/** Longer forms: what a comparison says with more steps than its suite can afford. Run by `npm run claims -- ID --full`, resumable. */
import { type JsonObject, objectOf } from '#contract/kit/json.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import { definePaper } from './define.ts';

/** The id of the longer form: "memory-30-full" for "memory-30", "p033-full" for "P033". */
export const longerId = (id: string): string => `${id.toLowerCase()}-full`;

function stretched(run: JsonObject, times: number): JsonObject {
  return typeof run.steps === 'number' ? { ...run, steps: times * run.steps } : run;
}

/** The same arms, contrasts and checks with `times` the steps of every arm; null for a paper that has no longer form. */
export function longerForm(paper: JudgedCard): JudgedCard | null {
  if (paper.longer === null) return null;
  const { times, why } = paper.longer;
  return definePaper({
    ...paper,
    id: longerId(paper.id),
    title: `${paper.title}, ${times} times as long`,
    config: { ...paper.config, run: stretched(objectOf(paper.config.run), times) },
    arms: paper.arms.map((arm) =>
      arm.differs?.run === undefined ? arm : { ...arm, differs: { ...arm.differs, run: stretched(arm.differs.run, times) } },
    ),
    quick: null,
    noQuick: 'it is the longer form',
    longer: null,
    minutes: times * paper.minutes,
    scaledDown: `${times} times the steps of ${paper.id}: ${why}`,
  });
}
