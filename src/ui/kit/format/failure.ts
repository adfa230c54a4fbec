/** A failure in words. The core names the cause and a remedy that holds everywhere; the page adds what only it can offer. */
import type { Failure } from '#contract/kit/errors.ts';

/** What to do about it. */
export function remedy({ id, fix }: Failure): string {
  return id === 'internal' ? `Reload the page. ${fix}` : fix;
}

export const failureText = (failure: Failure): string => `${failure.message} ${remedy(failure)}`;
