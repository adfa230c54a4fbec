/**
 * Every failure a user can meet, in one place: an id, what happened, and the one thing to do.
 * Thrown inside the rooms as LabError, sent between them as Failure.
 */
export type FailureId =
  | 'config-invalid' // a field of a config is unknown, of the wrong type, or out of range
  | 'unknown-id' // no environment, algorithm or experiment of that name
  | 'incompatible' // the algorithm cannot act in this environment
  | 'link-damaged' // checksum or payload of a link is broken
  | 'link-future' // made by a newer version
  | 'link-foreign' // not one of our links
  | 'link-too-long'
  | 'dataset-missing' // what a run learns from is not on this machine
  | 'file-invalid' // a file that is not one of ours, or broken
  | 'world-invalid' // code of a person that cannot be used
  | 'state-invalid' // an environment state that cannot be loaded
  | 'action-invalid'
  | 'nan-loss' // a parameter or loss is not finite
  | 'nan-input' // an observation or reward is not finite
  | 'collapse' // the policy stopped exploring or learning, see message
  | 'worker-lost' // a worker died
  | 'gpu-lost'
  | 'gpu-missing'
  | 'engine-unready' // a physics engine is needed before it was loaded
  | 'engine-missing' // a physics engine that is loaded on demand could not be
  | 'offline' // a part of the page that is not on this device, and no network to fetch it
  | 'storage-full'
  | 'storage-missing'
  | 'internal';

/** What a view shows: never a stack trace, always a way out. `field` names the offending config path (`algo.lr`). */
export interface Failure {
  readonly id: FailureId;
  readonly message: string;
  readonly fix: string;
  readonly field?: string;
}

export class LabError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(`${failure.message} ${failure.fix}`.trim());
    this.name = 'LabError';
    this.failure = failure;
  }
}

/** Characters of a message: some repeat a name from a link or file, which may be of any length. */
const LONGEST_MESSAGE = 1000;
const cut = (text: string): string => (text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE)}…`);

/** Shorthand for throwing: `throw fail('unknown-id', 'There is no environment "x".', 'Use one of: cartpole.')`. */
export function fail(id: FailureId, message: string, fix: string, field?: string): LabError {
  const failure = { id, message: cut(message), fix };
  return new LabError(field === undefined ? failure : { ...failure, field });
}

/** A value that other code has seen to. Throws LabError('internal') where it is missing all the same: a fault of ours, named by `what`. */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw fail('internal', `Missing inside: ${what}.`, 'Report it with this message.');
  return value;
}

/** Whether an error is a trap of a WebAssembly module: its memory is in any state from then on. Rooms without DOM types have no name for the class. */
export const isTrap = (error: unknown): error is Error => error instanceof Error && error.constructor.name === 'RuntimeError';

/** How browsers name a module, and Vite a style, that could not be fetched. */
const NOT_FETCHED = /dynamically imported module|importing a module script failed|not a valid javascript mime type|unable to preload css/i;

/** Whether an error says that a part of the page could not be fetched. */
export const isNotFetched = (error: unknown): boolean => error instanceof Error && NOT_FETCHED.test(error.message);

/** Turns anything caught into a Failure; unknown errors become `internal` with their own message kept. */
export function toFailure(error: unknown): Failure {
  if (error instanceof LabError) return error.failure;
  // An error that crossed a worker boundary has lost its class but kept its name and fields.
  if (typeof error === 'object' && error !== null && 'failure' in error) {
    const f = (error as { failure: unknown }).failure;
    if (typeof f === 'object' && f !== null && 'id' in f && 'message' in f && 'fix' in f) return f as Failure;
  }
  if (isNotFetched(error))
    return {
      id: 'offline',
      message: 'The code that this needs is not on this device.',
      fix: 'Connect to the network and try again, or keep everything for offline (dotted menu, Storage).',
    };
  const message = error instanceof Error ? error.message : String(error);
  return {
    id: 'internal',
    message: `Internal error: ${message}`,
    fix: 'Try again. If it happens again, report it with this message.',
  };
}
