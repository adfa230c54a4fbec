/** A link of the page on the command line: whole address, or only its hash. Throws LabError for links that are cut, foreign or from the future. */
import type { JsonObject } from '#contract/kit/json.ts';
import { decodeLink } from '#contract/link/link.ts';
import { UsageError } from './failure.ts';

export function looksLikeLink(text: string): boolean {
  return text.includes('#') || /^https?:\/\//.test(text) || /^\d+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/.test(text);
}

export interface LinkConfig {
  readonly config: JsonObject;
  /** Ready-made experiment that `config` changes, or null. */
  readonly experiment: string | null;
}

export function configOfLink(text: string): LinkConfig {
  const at = text.indexOf('#');
  const hash = at >= 0 ? text.slice(at) : /^https?:/.test(text) ? '' : `#${text}`;
  const link = decodeLink(hash);
  if (!link) throw new UsageError('This address holds no experiment: there is nothing after its "#".');
  return { config: link.config, experiment: link.experiment };
}
