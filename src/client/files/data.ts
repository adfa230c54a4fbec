/** Recorded data: the datasets, whose code comes when it is first needed, and learning from them and from a person's games. */
import { library } from '#client/runs/parts.ts';
import { runs } from '#client/runs/service.ts';
import { late } from '#client/workers/late.ts';
import { workers } from '#client/workers/service.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { envCard } from '#stores/catalog.ts';
import { addCopy, datasetsFailed, datasetsStore } from '#stores/datasets.ts';
import { runsStore } from '#stores/runs.ts';
import { captionStage } from '#stores/stage.ts';
import type { Datasets } from './datasets.ts';

export interface Data {
  datasets(): Promise<Datasets>;
  /** Learns from a dataset in the world it was recorded in. Answers whether it began; why not is in the datasets' store. */
  learnFrom(hash: string, algo: string, steps: number): Promise<boolean>;
  /** Clones all that a person played in this visit, whole games and what they did where they took over: a new copy each time. */
  teach(): Promise<void>;
}

/** Updates that clone a person's games. */
const TEACH_STEPS = 3000;

const datasets = late(
  async () =>
    new (await import('./datasets.ts')).Datasets({ watch: workers.answerer, library, now: () => Date.now(), complete: workers.complete }),
);

async function learnFrom(hash: string, algo: string, steps: number): Promise<boolean> {
  const sets = await datasets();
  await sets.refresh();
  const card = datasetsStore.getState().entries?.find((entry) => entry.hash === hash);
  if (card === undefined) return false;
  try {
    await runs.learn(await sets.runOf(card, algo, steps));
    return true;
  } catch (error) {
    datasetsFailed(toFailure(error));
    return false;
  }
}

async function teach(): Promise<void> {
  const { games } = datasetsStore.getState();
  const [game] = games;
  if (game === undefined) return;
  const before = runsStore.getState().activeId;
  const hash = await (await datasets()).keepGames(envCard(game.env.id)?.title ?? game.env.id);
  const began = hash !== null && (await learnFrom(hash, 'behaviour-cloning', TEACH_STEPS));
  const runId = runsStore.getState().activeId;
  if (began && runId !== null && runId !== before) {
    runsStore.getState().rename(runId, `copy ${addCopy(runId)} of you`);
  }
  const { failure } = datasetsStore.getState();
  if (failure !== null) captionStage(`${failure.message} ${failure.fix}`);
}

export const data: Data = { datasets, learnFrom, teach };
