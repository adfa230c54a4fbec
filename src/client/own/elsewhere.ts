/**
 * Own worlds in the laboratory run in sandboxes: what is asked of the page's workers about them goes there. Small, because every visit loads it; the
 * rest comes with the first own world (lab.ts).
 */
import { late } from '#client/workers/late.ts';
import { elsewhere } from '#client/workers/service.ts';
import { type EnvRef, isOwnWorld } from '#contract/own-world.ts';

const lab = late(() => import('./lab.ts'));
let used = false;
const part = (value: unknown, key: string): unknown => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined);
const isOwn = (value: unknown): value is EnvRef =>
  isOwnWorld(String(part(value, 'id'))) && typeof part(value, 'config') === 'object' && part(value, 'config') !== null;

/** What a call is about: an environment, or something that names one. */
const refIn = (args: readonly unknown[]): EnvRef | null =>
  args.flatMap((arg) => [arg, part(arg, 'env'), part(part(arg, 'replay'), 'env'), part(part(arg, '0'), 'env')]).find(isOwn) ?? null;

/** Words about whatever goes on. */
const TO_ALL = ['stopPlaying', 'pauseExplanation', 'cancelExplanation', 'paceExplanation'];

/** Own worlds of the policies that have a name, and of the game that is played. */
const named = new Map<unknown, EnvRef>();
let played: EnvRef | null = null;

function concerned(method: string, args: readonly unknown[]): EnvRef | null {
  if (method === 'playStep' || method === 'closePlay') return played;
  if (method === 'dropPolicy') return named.get(args[0]) ?? null;
  const ref = refIn(args);
  if (method === 'openPlay') played = ref;
  if (method === 'setPolicy' && ref !== null) named.set(args[0], ref);
  return ref;
}

export function sendOwnWorldsElsewhere(): void {
  elsewhere.watch = (lane, method, args) => {
    if (TO_ALL.includes(method)) {
      if (used) void lab().then(({ tell }) => tell(lane, method, args));
      return null; // the worker beside it is told as well
    }
    const ref = concerned(method, args);
    if (ref === null) return null;
    used = true;
    return lab().then(({ ask }) => ask(lane, ref, method, args));
  };
  elsewhere.session = ({ env }) => (isOwn(env) ? lab().then(({ openSession }) => openSession(env)) : null);
}
