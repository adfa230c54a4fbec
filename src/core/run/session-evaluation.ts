/** What a run is judged by: greedy episodes, the rules that find faults, and its result. */
import { withoutOrder } from '#contract/catalog/contexts.ts';
import type { SessionEvent } from '#contract/run/events.ts';
import type { Progress } from '../algos/api/types.ts';
import type { measureEmergence } from './activations.ts';
import type { Rule } from './diagnoses/types.ts';
import { type Evaluation, evaluate } from './evaluate.ts';
import { examine, warningOf } from './health.ts';
import { evaluateHeldOut } from './held-out.ts';
import { EMERGENCE, type RunParts } from './session-parts.ts';
import { crossedBorder, evaluateTasks } from './tasks.ts';

/** Loaded by the runs that measure it. */
const emergenceOf = async (...asked: Parameters<typeof measureEmergence>): ReturnType<typeof measureEmergence> =>
  (await import('./activations.ts')).measureEmergence(...asked);

/** An evaluation, with what else stands in its row: the return in each task of a sequence, that of held-out tasks, the emergence of hidden units. */
type Judged = Evaluation & { readonly more: Readonly<Record<string, number>> };
type Result = Extract<SessionEvent, { kind: 'result' }>['result'];

export class RunEvaluation {
  private readonly parts: RunParts;
  private rules: readonly Rule[] = [];

  constructor(parts: RunParts) {
    this.parts = parts;
  }

  /** To be awaited before the first row is examined. */
  async prepare(): Promise<void> {
    this.rules = (await import('./diagnoses/index.ts')).rules;
  }

  /** Episodes with the best actions of the policy as it is now. */
  async measure(progress: Progress): Promise<Judged> {
    const { env, memory, config, meta } = this.parts;
    const { evalEpisodes: episodes, emergence = false } = config.run;
    const policy = await progress.policy();
    try {
      const tasks = await evaluateTasks(policy, env, memory.env, episodes);
      const world = withoutOrder(memory.env);
      const held = await evaluateHeldOut(policy, env, world, episodes);
      const emerged = emergence && meta.agentCount === 1 ? { [EMERGENCE]: await emergenceOf(policy, env, world) } : {};
      return { ...(await evaluate(policy, env, world, { episodes })), more: { ...tasks, ...held, ...emerged } };
    } finally {
      policy.dispose();
    }
  }

  /** The same where it is due after the iteration that began at `before` steps; null: it is not. The end is judged by `result`. */
  async measureIfDue(progress: Progress, before: number): Promise<Judged | null> {
    const { memory, budget, config } = this.parts;
    const { evalEvery } = config.run;
    if (memory.step >= budget) return null;
    const due = evalEvery > 0 && Math.floor(memory.step / evalEvery) > memory.evaluations;
    if (due) memory.evaluations = Math.floor(memory.step / evalEvery);
    return due || crossedBorder(memory.env, before, memory.step) ? this.measure(progress) : null;
  }

  /** Marks of what begins or ceases to be wrong with the run. */
  examine(metrics: Progress['metrics']): SessionEvent[] {
    const { memory, inputs, settings } = this.parts;
    const { step, episodes, edits } = memory;
    const report = examine(this.rules, memory.health, metrics, { step, episodes, tally: inputs.take(step), settings: settings(), edits });
    memory.health = report.state;
    return [
      ...report.findings.map((finding) => warningOf(finding, step)),
      ...report.over.map(({ id, text }) => ({ kind: 'mark', step, type: 'recovered', text, by: 'system', ends: id }) as const),
    ];
  }

  async result(last: Progress, judged: Judged): Promise<Result> {
    const { seed, memory } = this.parts;
    return {
      seed,
      finalReturn: this.parts.first?.episodes.meanReturn() ?? Number.NaN,
      evalReturn: judged.score,
      evalLoops: judged.loops,
      perAgent: judged.perAgent,
      ...(Object.keys(judged.measures).length > 0 && { measured: judged.measures }),
      steps: memory.step,
      seconds: memory.seconds,
      stepsPerSecond: memory.seconds > 0 ? memory.step / memory.seconds : 0,
      parameterHash: await last.hash(),
    };
  }
}
