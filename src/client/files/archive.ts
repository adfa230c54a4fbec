/** Everything that leaves or enters the page's runs as files, and deleting all. Loaded with the first file. */

import { openedFrom } from '#client/runs/origin.ts';
import { dropPolicies, newestPolicy } from '#client/runs/policies.ts';
import { type RunPersistence, toGroup } from '#client/runs/run-persistence.ts';
import { reportStorage } from '#client/workers/machine.ts';
import { randomUniform } from '#client/workers/random.ts';
import type { RunFile } from '#contract/files/files.ts';
import type { ForeignRead } from '#contract/foreign/read.ts';
import { fail, toFailure } from '#contract/kit/errors.ts';
import type { Json } from '#contract/kit/json.ts';
import { type RunConfig, runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { freeName, newRunId } from '#contract/run/run-names.ts';
import type { LayersModel, OnnxFile } from '#contract/session/onnx.ts';
import type { FolderFile, OpenedProject, PageApi } from '#contract/session/opened.ts';
import { chunksOf, type Library } from '#storage/library.ts';
import type { AddOptions } from '#storage/project.ts';
import { curves } from '#stores/curves.ts';
import { draftStore, unlessLater } from '#stores/draft.ts';
import { layoutStore, refuseLink } from '#stores/layout.ts';
import { openAfterAsking } from '#stores/own.ts';
import { findGroup, nextLook, removeAllRuns, runsStore } from '#stores/runs.ts';
import type { Exported, RunGroup } from '#stores/types.ts';
import type { ExportKind } from './exports.ts';
import { applyLayout, currentLayout } from './project-layout.ts';

/** Writing files: loaded with the first one. */
const writing = () => import('./exports.ts');

/** A folder that was chosen gives its files' paths. */
function nameOf(file: Blob): string {
  if (!(file instanceof File)) return 'file';
  return file.webkitRelativePath || file.name;
}

export interface ArchiveOptions {
  readonly watch: () => PageApi;
  readonly library: Promise<Library>;
  readonly persistence: Promise<RunPersistence>;
  /** Ends a run's workers at once. */
  readonly kill: (runId: string) => void;
  readonly openRun: (runId: string) => void;
  /** What learns on what. */
  readonly nameOf: (config: RunFile['config']) => string;
  readonly showPolicy: (policy: PolicySnapshot) => Promise<void>;
}

export interface StorageReport {
  readonly usedBytes: number;
  readonly quotaBytes: number;
  readonly runs: number;
  /** Of the states from which other runs can go on. */
  readonly points: { readonly allowed: number; readonly taken: number };
}

/** What is still in memory can be exported when the disk has gone. */
function unlessGone(error: unknown): void {
  if (toFailure(error).id !== 'storage-missing') throw error;
}

export class Archive {
  private readonly options: ArchiveOptions;

  constructor(options: ArchiveOptions) {
    this.options = options;
  }

  async export(runId: string, what: ExportKind): Promise<Blob> {
    await (await this.options.persistence).readRun(runId).catch(unlessGone);
    const groups = runsStore.getState().groups.filter(({ id }) => id === runId);
    const { exportGroups } = await writing();
    return exportGroups(groups, what, await this.options.library, Date.now());
  }

  /** The policy of this agent for other programs; of a run the newest of the first seed that has one. Rejects with a LabError where there is none. */
  async onnx(of: Exported, agent: number): Promise<OnnxFile> {
    return this.options.watch().onnx(await this.policyOf(of), agent);
  }

  /** The policy as a TensorFlow.js layers model. */
  async layers(of: Exported, agent: number): Promise<LayersModel> {
    return this.options.watch().layers(await this.policyOf(of), agent);
  }

  private async policyOf(of: Exported): Promise<PolicySnapshot> {
    if ('policy' in of) return of.policy;
    const { runId } = of;
    await (await this.options.persistence).readRun(runId).catch(unlessGone);
    const seeds = findGroup(runId)?.seeds ?? [];
    const policy = seeds.map(({ seed }) => newestPolicy(runId, seed)).find((found) => found !== null);
    if (policy === undefined || policy === null) throw fail('file-invalid', 'This run has no policy yet.', 'Train it first.');
    return policy;
  }

  async exportAll(): Promise<Blob> {
    await (await this.options.persistence).readAll().catch(unlessGone);
    const { exportGroups } = await writing();
    return exportGroups(runsStore.getState().groups, 'backup', await this.options.library, Date.now(), currentLayout());
  }

  /** What repeats these runs, as one zip. `beside`: more files, by name. */
  async bundle(runIds: readonly string[], beside: Readonly<Record<string, string>>): Promise<Blob> {
    const persistence = await this.options.persistence;
    for (const runId of runIds) await persistence.readRun(runId).catch(unlessGone);
    const groups = runsStore.getState().groups.filter(({ id }) => runIds.includes(id));
    const { bundleGroups } = await writing();
    return bundleGroups(groups, beside, await this.options.library, Date.now());
  }

  /** Runs, a policy or a config, whatever the file is; a file that is none of them explains itself. Resolves with what there is to say of it. */
  async import(file: Blob): Promise<readonly string[]> {
    return this.explained(async () => {
      const title = nameOf(file).slice(-200);
      const imported = await this.options.watch().openFile(file, nameOf(file));
      if (imported.kind === 'curves') return this.addCurves(imported.read, nameOf(file));
      if (imported.kind === 'policy') await this.openPolicy(imported.policy);
      else if (imported.kind === 'config') {
        const config = await unlessLater(this.options.watch().complete(imported.config));
        if (config === null) return [];
        draftStore.getState().open(config);
        openedFrom(config, { kind: 'file', title });
      } else await this.adopt(imported, title);
      return [];
    });
  }

  /**
   * All runs of a folder that the command line has written, or of an unpacked project file, and the logs of other programs in it. `home`: its
   * name; '' for several files and folders.
   */
  async importFolder(home: string, files: readonly FolderFile[]): Promise<readonly string[]> {
    return this.explained(async () => {
      const title = (home === '' ? (files[0]?.name ?? 'files') : home).slice(-200);
      const { project, curves } = await this.options.watch().openFolder(home, files);
      if (project !== null) await this.adopt(project, title);
      return curves === null ? [] : this.addCurves(curves, title);
    });
  }

  /** What goes wrong stands in a dialog, and there is nothing else to say. */
  private async explained(open: () => Promise<readonly string[]>): Promise<readonly string[]> {
    layoutStore.getState().set('linkFailure', null); // not at the end: what was opened meanwhile may have failed
    try {
      return await open();
    } catch (error) {
      if (!openAfterAsking(async () => void (await this.explained(open)))) refuseLink(toFailure(error));
      return [];
    }
  }

  private addOptions(title: string): AddOptions {
    const { groups } = runsStore.getState();
    const shown: Pick<RunGroup, 'name' | 'colour' | 'dash'>[] = [...groups];
    return {
      newId: ({ config }) => newRunId(config, Date.now(), randomUniform()),
      taken: groups.map(({ id }) => id),
      check: (config) => this.options.watch().complete(config as unknown as Json),
      complete: (run) => {
        const name =
          run.name === ''
            ? freeName(
                this.options.nameOf(run.config),
                shown.map((one) => one.name),
              )
            : run.name;
        const looksTaken = shown.some(({ colour, dash }) => colour === run.colour && dash === run.dash);
        const own = { ...run, ...(looksTaken && nextLook(shown)), name };
        shown.push(own);
        return own;
      },
      origin: { kind: 'file', title },
    };
  }

  private async adopt(opened: OpenedProject, title: string): Promise<void> {
    const { addProject } = await import('#storage/project.ts');
    const { runs, layout } = await addProject(await this.options.library, opened, this.addOptions(title));
    const persistence = await this.options.persistence;
    await persistence.adopt(runs.map(({ run }) => run));
    const shown = layout?.active ?? runs[0]?.run.id;
    if (shown !== undefined) this.options.openRun(shown);
    if (layout !== undefined) applyLayout(layout);
  }

  async report(): Promise<StorageReport> {
    const library = await this.options.library;
    const [sizes, points] = [await reportStorage(library), await library.pointUse()];
    return { ...sizes, points, runs: runsStore.getState().groups.length };
  }

  async deleteAll(): Promise<void> {
    for (const { id } of runsStore.getState().groups) {
      this.options.kill(id);
      curves.drop(id);
      dropPolicies(id);
    }
    removeAllRuns();
    const library = await this.options.library;
    await library.removeAll();
    await reportStorage(library);
  }

  /** Curves of other programs become runs to compare with, of the environment whose set-up is open. Resolves with what was left out of them. */
  private async addCurves(read: ForeignRead, file: string): Promise<readonly string[]> {
    const { foreignFile } = await import('./foreign.ts');
    const { saidOf } = await import('#contract/foreign/read.ts');
    const library = await this.options.library;
    const groups = [...runsStore.getState().groups];
    const files: RunFile[] = [];
    for (const [i, run] of read.runs.entries()) {
      const added = foreignFile(run, file, draftStore.getState().config.env, groups, Date.now() + i, randomUniform());
      await library.putCurves(added.id, run.seed ?? 1, chunksOf(run.columns));
      await library.putRun(added);
      groups.unshift(toGroup(added));
      files.push(added);
    }
    await (await this.options.persistence).adopt(files);
    return saidOf(read);
  }

  /** A policy file opens as what it was trained for, and plays on the stage. */
  async openPolicy(policy: PolicySnapshot): Promise<void> {
    const config = await unlessLater(this.setupOf(policy));
    if (config === null) return;
    runsStore.getState().setActive(null);
    draftStore.getState().open(config);
    await this.options.showPolicy(policy);
  }

  private async setupOf(policy: PolicySnapshot): Promise<RunConfig> {
    const watch = this.options.watch();
    await watch.checkPolicy(policy); // before anything on the page changes
    const asked = { env: policy.env, algo: policy.algo, run: { seedStart: policy.seed, seeds: 1 } };
    // a method may not learn here as it is set (a penalty that waits for the next task, say): its policy plays all the same, and the form says why
    return watch.complete(asked).catch((error: unknown) => {
      if (toFailure(error).id !== 'config-invalid') throw error;
      return runConfigSchema.parse(asked);
    });
  }
}
