/** Where environments and methods stand: one file each, on top of their family's folder. Only node:* here, because the build's own config imports it. */
import { readdirSync } from 'node:fs';

/** The files below a folder of families, as paths from there; `id`: the name of the file. */
export function familyFiles(folder: string): readonly { readonly id: string; readonly file: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((file) => {
    const [, id] = /^(?!api|lib|golden|extensions)[\w-]+[\\/]([\w-]+)\.ts$/.exec(file) ?? [];
    return id === undefined ? [] : [{ id, file }];
  });
}
