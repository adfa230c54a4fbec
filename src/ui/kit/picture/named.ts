/** The stored picture of a world that an address or an id names, before the catalogue is here. */
import { type JsonObject, objectOf } from '#contract/kit/json.ts';
import { decodeLink } from '#contract/link/link.ts';
import { draftStore } from '#stores/draft.ts';
import { LAB } from '#stores/route.ts';

/** The picture of the world in a link, or of the first experiment in a laboratory without one; ''. */
export function namedPicture(hash: string, pictures: readonly string[] = PICTURES): string {
  if (hash === LAB) return namedWorld(draftStore.getState().config.env.id, {}, pictures);
  const id = /^#(?:.*&)?env=([a-z0-9-]+)/.exec(hash)?.[1];
  if (id !== undefined) return /[#&]env\./.test(hash) ? '' : namedWorld(id, {}, pictures);
  const packed = packedWorld(hash);
  return typeof packed.id === 'string' ? namedWorld(packed.id, objectOf(packed.config), pictures) : '';
}

/** The picture of a world whose card is not here: `changed` is what of its settings is not the default. */
export function namedWorld(id: string, changed: JsonObject, pictures: readonly string[] = PICTURES): string {
  if (Object.keys(changed).length > 0) return '';
  const own = pictures.filter((name) => name.startsWith(`${id}-`));
  // Another world's name may begin alike: a picture is named by its first preset, which most call "standard".
  return own.find((name) => name === `${id}-standard`) ?? (own.length === 1 ? (own[0] ?? '') : '');
}

/** The world of a packed link, which begins with its version. */
function packedWorld(hash: string): JsonObject {
  if (!/^#\d+\./.test(hash)) return {};
  try {
    return objectOf(decodeLink(hash)?.config.env);
  } catch {
    return {}; // a damaged link: who opens it says why
  }
}
