/**
 * What a seed keeps on the way, and when its evaluations end it: the best policy by its greedy test (best.json), the newest ones (policy-STEP.json),
 * a number of evaluations without a better one, and code of the user's own that hears of each.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { policyFileName, SEED_FILES } from '#contract/files/container.ts';
import { encodePolicyFile } from '#contract/files/files.ts';
import { fail } from '#contract/kit/errors.ts';
import type { Evaluated } from '#core/run/session-types.ts';
import { UsageError } from '../kit/failure.ts';
import { type Curves, writeWhole } from '../kit/seed-folder.ts';

export interface Keeping {
  readonly best: boolean;
  /** How many of the newest policies. */
  readonly newest: number;
  /** Evaluations without a better one after which the seed ends; null: it does not. */
  readonly patience: number | null;
  /** File whose default export hears of every evaluation; null: none. */
  readonly onEval: string | null;
}

const MOST_KEPT = 1000;

/** Reads `best,last,5`. The last policy is always kept. Throws UsageError. */
export function readKeep(text: string | undefined): Pick<Keeping, 'best' | 'newest'> {
  let [best, newest] = [false, 0];
  for (const word of (text ?? 'last').split(',').map((part) => part.trim())) {
    const count = Number(word);
    if (word === 'best') best = true;
    else if (Number.isInteger(count) && count >= 1 && count <= MOST_KEPT) newest = count;
    else if (word !== 'last')
      throw new UsageError(`--keep takes best, last and a number from 1 to ${MOST_KEPT}, separated by commas, not "${word.slice(0, 40)}".`);
  }
  return { best, newest };
}

/** What code of the user's own is told; a sentence that it answers ends the seed. */
export interface EvalEvent {
  readonly seed: number;
  readonly step: number;
  readonly evalReturn: number;
  /** Whether it is above all before it. */
  readonly best: boolean;
  /** Evaluations since the best one. */
  readonly since: number;
  /** Folder of the seed's files; null: none are kept. */
  readonly folder: string | null;
}

type OnEval = (event: EvalEvent) => unknown;

async function loadOnEval(file: string): Promise<OnEval> {
  const loaded: { readonly default?: unknown } = await import(pathToFileURL(file).href);
  const { default: hear } = loaded;
  if (typeof hear !== 'function')
    throw fail('file-invalid', `"${file}" exports no function.`, 'Write: export default ({ step, evalReturn }) => { … }', '--on-eval');
  return (event) => hear(event);
}

export class Kept {
  private readonly keeping: Keeping;
  private readonly seed: number;
  private readonly folder: string | null;
  private readonly hear: OnEval | null;
  private best = Number.NEGATIVE_INFINITY;
  private since = 0;

  /** Goes on after the evaluations that stand in these curves. */
  private constructor(keeping: Keeping, seed: number, folder: string | null, hear: OnEval | null, curves: Curves) {
    this.keeping = keeping;
    this.seed = seed;
    this.folder = folder;
    this.hear = hear;
    for (const value of curves.get('evalReturn')?.values ?? []) this.count(value);
  }

  static async open(keeping: Keeping, seed: number, folder: string | null, curves: Curves): Promise<Kept> {
    return new Kept(keeping, seed, folder, keeping.onEval === null ? null : await loadOnEval(keeping.onEval), curves);
  }

  /** Whether the score is above all before it. */
  private count(score: number): boolean {
    const better = score > this.best;
    this.since = better ? 0 : this.since + 1;
    if (better) this.best = score;
    return better;
  }

  readonly evaluated = async ({ step, score, snapshot }: Evaluated): Promise<string | null> => {
    const { best, newest, patience } = this.keeping;
    const better = this.count(score);
    if (this.folder !== null && (newest > 0 || (best && better))) {
      const text = encodePolicyFile(await snapshot());
      if (best && better) writeWhole(join(this.folder, SEED_FILES.best), text);
      if (newest > 0) {
        writeWhole(join(this.folder, policyFileName(step)), text);
        this.removeOld(newest);
      }
    }
    const said = await this.tell({ seed: this.seed, step, evalReturn: score, best: better, since: this.since, folder: this.folder });
    if (patience !== null && this.since >= patience)
      return `Ended by a rule: ${this.since} evaluations without one above ${Number(this.best.toPrecision(4))}.`;
    return typeof said === 'string' && said !== '' ? said : null;
  };

  private async tell(event: EvalEvent): Promise<unknown> {
    try {
      return await this.hear?.(event);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw fail(
        'world-invalid',
        `The code of --on-eval failed at step ${event.step}: ${why}`,
        'Mend it, then go on with --resume.',
        '--on-eval',
      );
    }
  }

  private removeOld(newest: number): void {
    const folder = this.folder ?? '';
    const steps = readdirSync(folder)
      .flatMap((name) => /^policy-(\d+)\.json$/.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => b - a);
    for (const step of steps.slice(newest)) rmSync(join(folder, policyFileName(step)));
  }
}
