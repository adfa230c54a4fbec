/**
 * Own worlds in the laboratory run in sandboxes: what is asked of the page's workers about them goes there. Small, because every visit loads it; the
 * rest comes with the first own world (lab.ts).
 */
import { late } from '#client/workers/late.ts';
import { elsewhere } from '#client/workers/service.ts';
import { carriedCode } from '#contract/config-hash.ts';
import { isOwnWorld, type OwnRef } from '#contract/own-world.ts';

const lab = late(() => import('./lab.ts'));
const part = (value: unknown, key: string): unknown => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined);

/** The code of an id, which is asked for again and again. */
const codes = new Map<string, string>();

function ownRef(value: unknown): OwnRef | null {
  const id = part(value, 'id');
  const config = part(value, 'config');
  if (typeof id !== 'string' || !isOwnWorld(id) || typeof config !== 'object' || config === null) return null;
  const known = codes.get(id);
  const code = known !== undefined && part(config, '$code') === known ? known : carriedCode({ id, config });
  if (code === null) return null; // the ordinary worker says that it is not here
  codes.set(id, code);
  return { id, code };
}

/** What a call is about: an environment, or something that names one. */
function refIn(args: readonly unknown[]): OwnRef | null {
  for (const arg of args)
    for (const about of [arg, part(arg, 'env'), part(part(arg, 'replay'), 'env'), part(part(arg, '0'), 'env')]) {
      const found = ownRef(about);
      if (found !== null) return found;
    }
  return null;
}

/** Words about whatever goes on. */
const TO_ALL = ['stopPlaying', 'pauseExplanation', 'cancelExplanation', 'paceExplanation'];

/** Own worlds of the policies that have a name, and of the game that is played. */
const named = new Map<string, OwnRef>();
let played: OwnRef | null = null;

function concerned(method: string, args: readonly unknown[]): OwnRef | null {
  if (method === 'playStep' || method === 'closePlay') return played;
  if (method === 'dropPolicy') return named.get(String(args[0])) ?? null;
  const ref = refIn(args);
  if (method === 'openPlay') played = ref;
  if (method === 'setPolicy') {
    if (ref === null) named.delete(String(args[0]));
    else named.set(String(args[0]), ref);
  }
  return ref;
}

export function sendOwnWorldsElsewhere(): void {
  elsewhere.watch = (lane, method, args) => {
    if (TO_ALL.includes(method)) {
      if (codes.size > 0) void lab().then(({ tell }) => tell(lane, method, args));
      return null; // the worker beside it is told as well
    }
    const ref = concerned(method, args);
    return ref === null ? null : lab().then(({ ask }) => ask(lane, ref, method, args));
  };
  elsewhere.session = ({ env }) => {
    const ref = ownRef(env);
    return ref === null ? null : lab().then(({ openSession }) => openSession(ref));
  };
}
