/** A person has looked at the code of another author and lets it run: what needed it goes on. */
import { allow } from '#client/own/allowed.ts';
import { drafts } from '#client/runs/parts.ts';
import { type AskedCode, openAsked } from '#stores/own.ts';

export async function allowCode(asked: AskedCode): Promise<void> {
  allow(asked.code);
  const opened = openAsked(asked);
  try {
    await (asked.again === null ? drafts.check() : asked.again());
  } finally {
    opened();
  }
}
