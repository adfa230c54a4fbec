/** The code that an own world's settings carry; apart, because few visits need it. */
import { worldId } from '../run/config-hash.ts';
import { CODE_SETTING, type EnvRef, isOwnWorld, LONGEST_WORLD } from '../run/own-world.ts';

/** null: they carry none, or code that is not what the id was made of. */
export function carriedCode({ id, config }: EnvRef): string | null {
  const code: unknown = isOwnWorld(id) ? Reflect.get(config, CODE_SETTING) : null;
  return typeof code === 'string' && code.length <= LONGEST_WORLD && worldId(code) === id ? code : null;
}
