/**
 * Own worlds in the laboratory run in sandboxes: what is asked of the page's workers about them goes there. Small, because every visit loads it; the
 * rest comes with the first own world (lab.ts).
 */
import { late } from '#client/workers/late.ts';
import { elsewhere } from '#client/workers/service.ts';
import { type EnvRef, isOwnWorld } from '#contract/run/own-world.ts';

const lab = late(() => import('./lab.ts'));
/** Once it is loaded: which own world a call is about whose arguments name none. */
let named: ((method: string, args: readonly unknown[], about: EnvRef | undefined) => EnvRef | undefined) | undefined;

const part = (value: unknown, key: string): unknown => Reflect.get(Object(value), key);
const isOwn = (value: unknown): value is EnvRef => isOwnWorld(String(part(value, 'id'))) && typeof part(value, 'config') === 'object';

export function sendOwnWorldsElsewhere(): void {
  elsewhere.watch = (lane, method, args) => {
    const about = args.flatMap((arg) => [arg, part(arg, 'env'), part(part(arg, 'replay'), 'env')]).find(isOwn);
    const ref = named === undefined ? about : named(method, args, about);
    if (ref === undefined && named === undefined) return null;
    const loaded = lab();
    void loaded.then((own) => {
      named ??= own.named;
    });
    if (ref !== undefined) return loaded.then((own) => own.ask(lane, ref, method, args));
    void loaded.then((own) => own.tell(lane, method, args)); // words about whatever goes on: the worker beside it is told as well
    return null;
  };
  elsewhere.session = ({ env }) => (isOwn(env) ? lab().then((own) => own.openSession(env)) : null);
}
