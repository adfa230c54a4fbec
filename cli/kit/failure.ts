/**
 * The ways a command can end badly, and their exit codes: 1 it ran and something is wrong, 2 it was asked for wrongly, 3 it could not be told,
 * 130 it was interrupted. docs/cli.md lists them.
 */

/** Bad option, unknown name, missing file: one line saying what is allowed, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command ran, and what it found is wrong: a failed seed, a golden mismatch, a claim not reproduced. Exit code 1. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** Nothing is found to be wrong, and something could not be verified here. Exit code 3. */
export class NotVerified extends Error {
  override readonly name = 'NotVerified';
}

/** Ended by Ctrl+C or a signal, what was done so far is kept. Exit code 130. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}
