/**
 * Golden cases of lm-policy-losses.json: losses with their gradients, advantages, credit, preferences, control of entropy and KL. Several
 * cases have the same inputs and differ in the rule alone, so a case is known by the beginning of its name. `batch` names a case of the same
 * file whose rows it uses.
 */
import type { Engine } from '../../engine/types.ts';
import type { LmCase } from './case.ts';
import type { Runner } from './loss-batch.ts';
import { CONTROL_CASES } from './loss-control.ts';
import { CREDIT_CASES } from './loss-credit.ts';
import { GROUP_CASES } from './loss-groups.ts';
import { PREFERENCE_CASES } from './loss-preferences.ts';

/** By the beginning of the case's name; the longest that fits. */
const RUNNERS: { readonly [name: string]: Runner } = { ...GROUP_CASES, ...CREDIT_CASES, ...PREFERENCE_CASES, ...CONTROL_CASES };

export async function runLossesCase(engine: Engine, c: LmCase): Promise<void> {
  const known = Object.keys(RUNNERS).filter((name) => c.name.startsWith(name));
  const longest = known.reduce<string | undefined>(
    (best, name) => (best === undefined || name.length > best.length ? name : best),
    undefined,
  );
  const run = longest === undefined ? undefined : RUNNERS[longest];
  if (run === undefined) throw new Error(`no kind of case begins with the name "${c.name}"`);
  await run(engine, c);
}
