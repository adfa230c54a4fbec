/** What files are that a person opens in the page, as a worker answers it. */

import type { CurveColumn, ProjectLayout, RunFile } from '../files/files.ts';
import type { KeptStates } from '../files/points-file.ts';
import type { ForeignRead } from '../foreign/read.ts';
import type { JsonObject } from '../kit/json.ts';
import type { PolicySnapshot } from '../run/events.ts';
import type { FiledSweep } from '../sweep/folder.ts';
import type { WatchApi } from './session.ts';

/** A file as the browser gives it (Blob): its bytes are read by who opens it. */
export interface Bytes {
  readonly size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A file of a folder and its name below that, with slashes. */
export interface FolderFile {
  readonly name: string;
  readonly file: Bytes;
}

/** A seed of a run with what lies beside its record. `states`: the newest, and points of which other runs can go on. */
export interface OpenedSeed {
  readonly seed: number;
  readonly states: KeptStates | null;
  readonly policies: readonly PolicySnapshot[];
  readonly curves: readonly CurveColumn[];
}

export interface OpenedProject {
  readonly runs: readonly { readonly file: RunFile; readonly seeds: readonly OpenedSeed[] }[];
  /** How the page was arranged; files of single runs and of older pages do not say. */
  readonly layout?: ProjectLayout | undefined;
}

export type Opened =
  | ({ readonly kind: 'runs' } & OpenedProject)
  | { readonly kind: 'policy'; readonly policy: PolicySnapshot }
  | { readonly kind: 'curves'; readonly read: ForeignRead }
  | { readonly kind: 'config'; readonly config: JsonObject };

export interface OpenedFolder {
  /** Runs that the command line wrote, or of project files that were unpacked. null: there are none. */
  readonly project: OpenedProject | null;
  /** Curves of other programs. null: there are none. */
  readonly curves: ForeignRead | null;
}

/** Reads files that a person opens; a part of its own, since the package has no use for their types. */
export interface FilesApi {
  /** What a file is, by its content; `name`: what it is called. Rejects with LabError('file-invalid'), which says what a file is that is none of ours. */
  openFile(file: Bytes, name: string): Promise<Opened>;
  /**
   * The runs of a folder that the command line wrote or a project file was unpacked into, and the logs of other programs in it. `home`: its name,
   * '' where there are several, whose names stand in those of the files. Rejects with LabError('file-invalid') where there is neither.
   */
  openFolder(home: string, files: readonly FolderFile[]): Promise<OpenedFolder>;
  /** The file of a sweep in a results folder. Rejects with LabError('file-invalid'). */
  openSweep(text: string): Promise<FiledSweep>;
}

/** All that the page asks of a worker that plays and answers. */
export type PageApi = WatchApi & FilesApi;
