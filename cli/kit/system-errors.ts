/** What the system says of files and disks, in words: what is wrong with which path, what is safe, and what to do. */

interface SystemError extends Error {
  readonly code: string;
  readonly path?: string;
}

const isSystem = (error: unknown): error is SystemError =>
  error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';

/** An error of a write says no path: it knows only the open file. */
export function atPath(error: unknown, path: string): unknown {
  if (isSystem(error) && error.path === undefined) Object.assign(error, { path });
  return error;
}

const SAFE = 'What was written before is whole: a file takes its name when all of it is there.';
const AGAIN = `${SAFE} The same command goes on from it, for train with --resume.`;

/** By the code of the system: the sentence, and whether what was asked for is to blame (exit code 2) or the machine (1). */
const WORDS: { readonly [code: string]: readonly [say: (path: string) => string, exit: 1 | 2] } = {
  ENOSPC: [(path) => `There is no room left on the disk for ${path}. ${AGAIN} Make room first.`, 1],
  EDQUOT: [(path) => `There is no room left for you on the disk of ${path}. ${AGAIN} Make room first.`, 1],
  EROFS: [(path) => `${path} cannot be written: its disk is read-only. ${SAFE} Name another folder.`, 1],
  EACCES: [(path) => `${path} may not be opened by this user. ${SAFE} Name another path, or change who may.`, 1],
  EPERM: [(path) => `${path} may not be changed by this user. ${SAFE} Name another path, or change who may.`, 1],
  ENOENT: [(path) => `There is no ${path}. Check how it is written, and from which folder the command runs.`, 2],
  EISDIR: [(path) => `${path} is a folder, and a file is expected in its place. Nothing was changed.`, 2],
  ENOTDIR: [(path) => `${path} cannot be reached: a part of it that should be a folder is a file. Nothing was changed.`, 2],
  EEXIST: [(path) => `${path} is there already. Nothing was changed. Name another path.`, 2],
  ENAMETOOLONG: [(path) => `${path} is longer than names may be here. Name a shorter one.`, 2],
  EMFILE: [(path) => `Too many files are open to open ${path}. ${AGAIN} Allow more first (ulimit -n), or use fewer threads.`, 1],
  ENFILE: [(path) => `Too many files are open on this machine to open ${path}. ${AGAIN} End other programs first.`, 1],
  EIO: [(path) => `The disk answers with an error at ${path}. ${SAFE} Look after the disk before anything else.`, 1],
};

/** The sentence and the exit code of an error of the system; null: it is none, or one that is not listed. */
export function systemWords(error: unknown): readonly [text: string, code: 1 | 2] | null {
  const known = isSystem(error) && Object.hasOwn(WORDS, error.code) ? WORDS[error.code] : undefined;
  if (known === undefined) return null;
  const { path } = error as SystemError;
  return [known[0](path === undefined ? 'the file' : `"${path.replace(/\.part$/, '')}"`), known[1]];
}
