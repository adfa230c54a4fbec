/** Explanations of what is on the stage, computed beside it. */
import { pool } from '#client/runs/parts.ts';
import { watchPolicy } from '#client/stage/service.ts';
import { workers } from '#client/workers/service.ts';
import type { ExplainActions } from '#stores/explain.ts';
import { Explainer } from './explain.ts';

export const explain: ExplainActions = new Explainer({
  watch: workers.answerer,
  crowded: () => pool.crowded,
  show: watchPolicy,
});
