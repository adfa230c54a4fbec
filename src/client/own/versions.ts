/** Versions of the code that a person wrote on this device. */
import { namespaceHere } from '#client/workers/workers.ts';
import { openWorldVersions } from '#storage/worlds.ts';

export const worldVersions = openWorldVersions(namespaceHere());
