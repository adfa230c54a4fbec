/**
 * Whether what happens here is being saved. Hears of every write that failed, of the page and of the workers; while one has, the page says
 * so (machineStore.unsaved) and it is tried again. After the storage was cleared, what the page still holds is written again.
 */
import { toFailure } from '#contract/kit/errors.ts';
import { savingFails, storageRewritten } from '#stores/machine.ts';
import { findGroup } from '#stores/runs.ts';
import type { RunPersistence } from './run-persistence.ts';

const AGAIN_MS = 10_000;
/** The page's own records, beside the seeds of runs. */
const PAGE = '';

export interface SavingOptions {
  readonly persistence: Promise<RunPersistence>;
  /** Whether a worker trains this seed. */
  readonly trains: (runId: string, seed: number) => boolean;
  /** Asks every worker for a checkpoint. */
  readonly saveAll: () => void;
}

export class Saving {
  private readonly options: SavingOptions;
  /** Why, by run and seed. */
  private readonly troubles = new Map<string, string>();
  /** Seeds whose worker must write first: the page then fills in what lies before. */
  private readonly behind = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SavingOptions) {
    this.options = options;
  }

  /** The page wrote a record (null) or could not. */
  pageWrote(error: unknown): void {
    this.set(PAGE, error === null ? '' : toFailure(error).message);
  }

  /** A worker could not write a checkpoint, or can again (''). */
  workerWrote(runId: string, seed: number, why: string): void {
    this.set(`${runId}/${seed}`, why);
  }

  /** A worker has written a checkpoint. */
  checkpointed(runId: string, seed: number): void {
    if (!this.behind.delete(`${runId}/${seed}`)) return;
    void this.options.persistence.then((persistence) => persistence.rewriteSeed(runId, seed, true)).catch((error) => this.pageWrote(error));
  }

  /** The storage was cleared while the page was open. */
  async lost(): Promise<void> {
    const { persistence: opening, trains, saveAll } = this.options;
    const persistence = await opening;
    const seeds = persistence.seeds();
    for (const [runId, seed] of seeds) if (trains(runId, seed)) this.behind.add(`${runId}/${seed}`);
    saveAll();
    try {
      if (await persistence.rewriteAll(trains)) storageRewritten();
    } catch (error) {
      // Which of them are written is not known: all are tried again.
      const { message } = toFailure(error);
      for (const [runId, seed] of seeds) if (!trains(runId, seed)) this.workerWrote(runId, seed, message);
    }
  }

  private set(who: string, why: string): void {
    if (why === '') this.troubles.delete(who);
    else this.troubles.set(who, why);
    const [unsaved = ''] = this.troubles.values();
    savingFails(unsaved);
    clearTimeout(this.timer);
    if (unsaved !== '') this.timer = setTimeout(() => void this.again(), AGAIN_MS);
  }

  private async again(): Promise<void> {
    try {
      const persistence = await this.options.persistence;
      if (!(await persistence.flush())) return; // told by pageWrote
      this.options.saveAll();
      for (const key of [...this.troubles.keys()]) {
        const [runId = '', seed = ''] = key.split('/');
        if (key === PAGE || this.options.trains(runId, Number(seed))) continue;
        if (findGroup(runId) !== null) await persistence.rewriteSeed(runId, Number(seed), false);
        this.set(key, '');
      }
      this.set(PAGE, '');
    } catch (error) {
      this.pageWrote(error);
    }
  }
}
