/** The config hash: SHA-256 (FIPS 180-4) over canonical JSON. Synchronous, which the platform's own digest is not. Throws nothing. */
import { sha256 as digest } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { canonicalJson, utf8 } from '../kit/canonical.ts';
import type { JsonObject } from '../kit/json.ts';
import type { RunConfig } from './config.ts';
import { flatConfig } from './flat-settings.ts';
import { ownId, plainLines } from './own-world.ts';

/** SHA-256 as 64 lower-case hex digits. */
export function sha256(bytes: Uint8Array): string {
  return bytesToHex(digest(bytes));
}

/**
 * First 12 hex digits of the SHA-256 of a complete config: what the page, links and exports call the config hash. It names a config among
 * one's own and protects against accident; where another person chooses the config, compare wholeConfigHash.
 */
export const configHash = (config: RunConfig): string => wholeConfigHash(config).slice(0, 12);

/**
 * SHA-256 of a complete config, 64 hex digits. Variants of methods and environments whose settings were flat once are hashed as those flat
 * settings, so that a config keeps the hash it had.
 */
export function wholeConfigHash(config: RunConfig): string {
  const flat = <R extends RunConfig['env'] | RunConfig['algo']>(ref: R) => ({
    ...ref,
    config: flatConfig(ref.id, ref.config as JsonObject, true),
  });
  return sha256(utf8(canonicalJson({ ...config, env: flat(config.env), algo: flat(config.algo) })));
}

/** The whole SHA-256 of a person's code, by which it is remembered as allowed: code of the same short id can be made. */
export const codeHash = (code: string): string => sha256(utf8(plainLines(code)));

/** Id of the environment that this code defines: other code is another environment, so runs resume and replay only what they were trained in. */
export function worldId(code: string): string {
  return ownId(codeHash(code));
}
