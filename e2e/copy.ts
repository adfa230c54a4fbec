/** A copy of the built page on a server of its own, for tests that change its files. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '../tools/serve.mjs';

export interface Copy {
  readonly url: string;
  /** Rewrites the one file whose path in the build matches. */
  change(path: RegExp, edit: (text: string) => string): void;
  close(): void;
}

export async function copyOfPage(): Promise<Copy> {
  const folder = mkdtempSync(join(tmpdir(), 'rl-workbench-'));
  cpSync(process.env.E2E_DIST ?? 'dist', folder, { recursive: true });
  const { server, url } = await serve({ dir: folder, port: 0 });
  return {
    url,
    change(path, edit) {
      const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => path.test(name));
      if (found.length !== 1) throw new Error(`${found.length} files match ${path}`);
      const file = join(folder, found[0] as string);
      writeFileSync(file, edit(readFileSync(file, 'utf8')));
    },
    close() {
      server.close();
      rmSync(folder, { recursive: true });
    },
  };
}
