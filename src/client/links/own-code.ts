/** A person has looked at the code of another author and lets it run: what needed it goes on. */
import { allow } from '#client/own/allowed.ts';
import { drafts } from '#client/runs/parts.ts';
import { type AskedCode, ownStore } from '#stores/own.ts';

export async function allowCode({ id, again }: AskedCode): Promise<void> {
  allow(id);
  ownStore.setState({ asked: null });
  await (again === null ? drafts.check() : again());
}
