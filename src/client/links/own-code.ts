/** A person has looked at the code of another author and lets it run: what needed it goes on. */
import { allow } from '#client/own/allowed.ts';
import { drafts } from '#client/runs/parts.ts';
import { type AskedCode, ownStore } from '#stores/own.ts';
import { links } from './service.ts';

export async function allowCode({ id, hash }: AskedCode): Promise<void> {
  allow(id);
  ownStore.setState({ asked: null });
  if (hash === null) await drafts.check();
  else await links.open(hash);
}
