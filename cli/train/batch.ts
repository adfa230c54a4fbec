/**
 * Runs that several commands ask for more than once: each is trained once, in a folder of its own, with one line that says how far all of
 * them are. A killed command goes on where it was, because `runSeeds` reads what a folder already holds.
 */
import { mkdirSync } from 'node:fs';
import { Interrupted } from '../kit/failure.ts';
import { duration, Progress } from '../kit/progress.ts';
import { type Batch, type FromSeed, type Job, runSeeds, type SeedOutcome } from './seeds.ts';

export interface BatchJob extends Job {
  readonly folder: string;
  /** Runs of a kind are about as fast as each other. */
  readonly kind: string;
}

export interface BatchOptions {
  readonly threads: number;
  /** One line that replaces the one before. */
  readonly progress: (text: string) => void;
  /** Called as soon as a run has finished. */
  readonly finished?: (job: BatchJob) => void;
  /** Runs the jobs; threads of the built command line without it. */
  readonly run?: (jobs: readonly BatchJob[], onMessage: (message: FromSeed, index: number) => void, threads: number) => Promise<Batch>;
}

const keyOf = (folder: string, seed: number): string => `${folder} ${seed}`;

export class Runs {
  private readonly options: BatchOptions;
  private readonly outcomes = new Map<string, SeedOutcome | null>();

  constructor(options: BatchOptions) {
    this.options = options;
  }

  /** Null: it failed; undefined: it was not asked for. */
  outcome(folder: string, seed: number): SeedOutcome | null | undefined {
    return this.outcomes.get(keyOf(folder, seed));
  }

  /** Runs what was not run before; answers what failed. Throws Interrupted. */
  async run(jobs: readonly BatchJob[], what: string): Promise<Batch['failures']> {
    const { threads, progress, finished, run = runSeeds } = this.options;
    const byKey = new Map(jobs.map((job) => [keyOf(job.folder, job.seed), job]));
    const fresh = [...byKey.entries()].filter(([key]) => !this.outcomes.has(key)).map(([, job]) => job);
    if (fresh.length === 0) return [];
    for (const { folder } of fresh) mkdirSync(folder, { recursive: true });
    const track = new Progress(
      fresh.map(({ kind, config, script }) => ({ kind, steps: script === undefined ? config.run.steps : 0 })),
      threads,
    );
    let over = 0;
    const batch = await run(
      fresh,
      (message, index) => {
        if (message.kind === 'progress') track.at(index, message.step, message.stepsPerSecond);
        if (message.kind === 'done' || message.kind === 'failed') {
          over++;
          track.end(index);
        }
        if (message.kind === 'done') finished?.(fresh[index]!);
        const { share, secondsLeft } = track.now();
        const left = secondsLeft === null ? '' : `, ${duration(secondsLeft)} left`;
        progress(`${what}: ${over} of ${fresh.length} runs, ${Math.floor(100 * share)} %${left}`);
      },
      threads,
    );
    progress('');
    if (batch.interrupted) throw new Interrupted(`Interrupted after ${over} of ${fresh.length} runs. The same command goes on from here.`);
    fresh.forEach(({ folder, seed }, i) => {
      this.outcomes.set(keyOf(folder, seed), batch.outcomes[i] ?? null);
    });
    return batch.failures;
  }
}
