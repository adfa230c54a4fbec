/** Worlds that a person wrote in the simple form (core/own): how their environments are named. */

import { fail, type LabError } from '../kit/errors.ts';

/** Characters of code. */
export const LONGEST_WORLD = 100_000;

const PREFIX = 'own-';

/**
 * Setting of an own world's environment that holds its code, as plain lines: so a config, and a link, a stored run, a policy or an episode with it,
 * carries all that is needed to run it. It is left out where the code is given beside the config, as on the command line.
 */
export const CODE_SETTING = '$code';

/** Whether the id of an environment is that of own code, which the catalogue does not have. */
export const isOwnWorld = (id: string): boolean => id.startsWith(PREFIX);

/** For an environment or algorithm of own code that nothing here holds. `field`: where a config names it. */
export const codeMissing = (kind: string, id: string, field: string): LabError =>
  fail(
    'unknown-id',
    `The ${kind} "${id.slice(0, 40)}" was written by a person, and its code is not here.`,
    'Open the file or the link that holds its code.',
    field,
  );

/** Id of the world whose code has this digest (config-hash.ts). It names the world for people; whether code may run is asked by all of the digest. */
export const ownId = (digest: string): string => `${PREFIX}${digest.slice(0, 12)}`;

/** An environment as configs name it. */
export interface EnvRef {
  readonly id: string;
  readonly config: object;
}

/** An own world by the id of its environment, with its code as plain lines. */
export interface OwnRef {
  readonly id: string;
  readonly code: string;
}

/** The code as it is hashed and run: whatever a system ends its lines with. */
export const plainLines = (code: string): string => code.replaceAll('\r\n', '\n');
