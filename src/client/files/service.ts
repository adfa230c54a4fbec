/** Files: what leaves the page's runs and what is opened, removing with undo, deleting all. Nothing here throws: failures go into the stores. */
import { laboratory } from '#client/address/laboratory.ts';
import { drafts, library, persistence, pool } from '#client/runs/parts.ts';
import { runs, selectRun } from '#client/runs/service.ts';
import { stageController } from '#client/stage/service.ts';
import { workers } from '#client/workers/service.ts';
import { nameOfRun } from '#contract/run-names.ts';
import { algoCard, envCard } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { hashOf } from '#stores/route.ts';
import { Archive } from './archive.ts';
import { data } from './data.ts';
import type { FolderFile } from './exports.ts';

export interface Files
  extends Pick<
    Archive,
    'bundle' | 'deleteAll' | 'export' | 'exportAll' | 'forgetRemoved' | 'layers' | 'onnx' | 'openPolicy' | 'remove' | 'report'
  > {
  /** Opens a file of runs, a policy, a config or a dataset. */
  open(file: Blob): Promise<void>;
  /** Opens the runs of a folder of results. `title`: its name. */
  openFolder(title: string, files: readonly FolderFile[]): Promise<void>;
  /** Goes to the laboratory, where the policy of a file plays. */
  watch(file: Blob): Promise<void>;
}

const archive = new Archive({
  watch: workers.player,
  library,
  persistence,
  kill: (runId) => pool.kill(runId),
  openRun: selectRun,
  nameOf: ({ algo, env }) => nameOfRun(algoCard(algo.id)?.title ?? algo.id, envCard(env.id)?.title ?? env.id),
  showPolicy: async (policy) => {
    await drafts.check();
    await stageController.showPolicy(policy);
  },
});

async function open(file: Blob): Promise<void> {
  await runs.restored();
  if (file instanceof File && /\.(rlds|npz)$/i.test(file.name)) {
    location.hash = hashOf({ page: 'data', id: null, query: {} });
    const { env } = draftStore.getState().config;
    await (await data.datasets()).importFile(file, { id: env.id, config: env.config });
  } else await archive.import(file);
}

export const files: Files = {
  open,
  openFolder: async (title, entries) => {
    await runs.restored();
    await archive.importFolder(title, entries);
  },
  watch: async (file) => {
    laboratory.back();
    await open(file);
  },
  bundle: (runIds, beside) => archive.bundle(runIds, beside),
  deleteAll: () => archive.deleteAll(),
  export: (runId, what) => archive.export(runId, what),
  exportAll: () => archive.exportAll(),
  forgetRemoved: () => archive.forgetRemoved(),
  layers: (runId, agent) => archive.layers(runId, agent),
  onnx: (runId, agent) => archive.onnx(runId, agent),
  openPolicy: (policy) => archive.openPolicy(policy),
  remove: (runId) => archive.remove(runId),
  report: () => archive.report(),
};
