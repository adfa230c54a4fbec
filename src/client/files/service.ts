/** Files: what leaves the page's runs and what is opened, removing with undo, deleting all. Nothing here throws: failures go into the stores. */
import { laboratory } from '#client/address/laboratory.ts';
import { drafts, library, persistence, pool } from '#client/runs/parts.ts';
import { runs, selectRun } from '#client/runs/service.ts';
import { stageController } from '#client/stage/service.ts';
import { late } from '#client/workers/late.ts';
import { workers } from '#client/workers/service.ts';
import { nameOfRun } from '#contract/run/run-names.ts';
import type { FolderFile } from '#contract/session/opened.ts';
import { algoCard, envCard } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { hashOf } from '#stores/route.ts';
import type { Archive } from './archive.ts';
import { data } from './data.ts';
import { Removal } from './removal.ts';

export interface Files
  extends Pick<Archive, 'bundle' | 'deleteAll' | 'export' | 'exportAll' | 'layers' | 'onnx' | 'openPolicy' | 'report'>,
    Pick<Removal, 'forgetRemoved' | 'remove'> {
  /** Opens a file of runs, a policy, a config or a dataset. Resolves with sentences on what of it was left out. */
  open(file: Blob): Promise<readonly string[]>;
  /** Opens the runs of a folder of results or of logs. `home`: its name; '' for several files and folders. Resolves as `open` does. */
  openFolder(home: string, files: readonly FolderFile[]): Promise<readonly string[]>;
  /** Goes to the laboratory, where the policy of a file plays. */
  watch(file: Blob): Promise<void>;
}

const kill = (runId: string): void => pool.kill(runId);
const removal = new Removal({ persistence, kill });

/** Loaded with the first file. */
const archive = late(
  async () =>
    new (await import('./archive.ts')).Archive({
      watch: workers.player,
      library,
      persistence,
      kill,
      openRun: selectRun,
      nameOf: ({ algo, env }) => nameOfRun(algoCard(algo.id)?.title ?? algo.id, envCard(env.id)?.title ?? env.id),
      showPolicy: async (policy) => {
        await drafts.check();
        await stageController.showPolicy(policy);
      },
    }),
);

async function open(file: Blob): Promise<readonly string[]> {
  await runs.restored();
  if (file instanceof File && /\.(rlds|npz)$/i.test(file.name)) {
    location.hash = hashOf({ page: 'data', id: null, query: {} });
    const { env } = draftStore.getState().config;
    await (await data.datasets()).importFile(file, { id: env.id, config: env.config });
    return [];
  }
  return (await archive()).import(file);
}

export const files: Files = {
  open,
  openFolder: async (home, entries) => {
    await runs.restored();
    return (await archive()).importFolder(home, entries);
  },
  watch: async (file) => {
    laboratory.back();
    await open(file);
  },
  bundle: async (runIds, beside) => (await archive()).bundle(runIds, beside),
  deleteAll: async () => (await archive()).deleteAll(),
  export: async (runId, what) => (await archive()).export(runId, what),
  exportAll: async () => (await archive()).exportAll(),
  forgetRemoved: () => removal.forgetRemoved(),
  layers: async (of, agent) => (await archive()).layers(of, agent),
  onnx: async (of, agent) => (await archive()).onnx(of, agent),
  openPolicy: async (policy) => (await archive()).openPolicy(policy),
  remove: (runId) => removal.remove(runId),
  report: async () => (await archive()).report(),
};
