/** Scenes side by side as they stand in an address: who plays, against whom, in which world, from which start. */
import type { Actor, Slot } from '#client/stage/side.ts';

export const MOST_SLOTS = 4;
/** Names of scenes in the address. */
const NAMES = ['a', 'b', 'c', 'd'] as const;
export const FIRST_START = 1001;
export const LAST_START = 1_000_000;

const ID = /^[a-z0-9][a-z0-9-]{0,119}$/;
const SCRIPT = /^[\w -]{1,60}$/;

function actorText({ kind, runId, seed, step, name }: Actor): string {
  return `${kind}~${runId}~${seed}~${step ?? ''}~${name}`;
}

/** null: it is none. */
function actorOf(text: string): Actor | null {
  const [kind, runId = '', seedText, stepText = '', name = ''] = text.split('~');
  const seed = Number(seedText);
  const step = stepText === '' ? null : Number(stepText);
  if (kind !== 'learned' && kind !== 'script' && kind !== 'random') return null;
  if (!ID.test(runId) || !Number.isSafeInteger(seed) || seed < 0 || (step !== null && !(step >= 0))) return null;
  if (kind === 'script' ? !SCRIPT.test(name) : name !== '') return null;
  return { kind, runId, seed, step, name };
}

export interface SideView {
  readonly slots: readonly Slot[];
  /** Seed of the start, the same in all. */
  readonly start: number;
}

/** What of an address can be read; the rest is left out. */
export function viewOf(query: Readonly<Record<string, string>>): SideView {
  const slots = NAMES.flatMap((name): Slot[] => {
    const [own = '', other = '', world = ''] = (query[name] ?? '').split('|');
    const actor = actorOf(own);
    if (actor === null) return [];
    return [{ actor, rival: other === '' ? null : actorOf(other), world: world === 'set-up' ? 'set-up' : 'own' }];
  });
  const start = Number(query.start);
  return { slots, start: Number.isInteger(start) && start >= 1 && start <= LAST_START ? start : FIRST_START };
}

export function queryOf({ slots, start }: SideView): Record<string, string> {
  const texts = slots.slice(0, MOST_SLOTS).map(({ actor, rival, world }, i) => {
    const other = rival === null ? '' : actorText(rival);
    return [NAMES[i] ?? '', `${actorText(actor)}|${other}|${world === 'own' ? '' : world}`.replace(/\|+$/, '')];
  });
  return { ...Object.fromEntries(texts), start: start === FIRST_START ? '' : String(start) };
}
