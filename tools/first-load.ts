/**
 * Puts what loads before the first paint into two files, packages and own code, in place of a file for every set of pages that shares a module: a
 * large file compresses better than fifty small ones, and packages stay in the browser's cache when own code changes.
 */
import type { Plugin } from 'vite';

interface Modules {
  getModuleInfo(id: string): { readonly isEntry: boolean; readonly importers: readonly string[] } | null;
}

/** Whether an entry imports a module statically, through others or by itself. Modules that were asked about are remembered. */
function isFirst(id: string, modules: Modules, known: Map<string, boolean>): boolean {
  const before = known.get(id);
  if (before !== undefined) return before;
  const above = new Set([id]);
  let first = false;
  for (const next of above) {
    const info = modules.getModuleInfo(next);
    if (info === null) continue;
    first = info.isEntry || known.get(next) === true;
    if (first) break;
    for (const importer of info.importers) above.add(importer);
  }
  known.set(id, first);
  return first;
}

/** What the front page's view imports, in one file in place of twenty small ones. The view itself is apart: it begins its first scene where it is loaded. */
const FRONT = '/src/ui/home/home.page.tsx';
function isFront(id: string, modules: Modules, known: Map<string, boolean>): boolean {
  const before = known.get(id);
  if (before !== undefined) return before;
  const above = new Set([id]);
  let front = false;
  for (const next of above) {
    const importers = modules.getModuleInfo(next)?.importers ?? [];
    front = importers.some((importer) => importer.endsWith(FRONT) || known.get(importer) === true);
    if (front) break;
    for (const importer of importers) above.add(importer);
  }
  known.set(id, front);
  return front;
}

/** Groups of `output.codeSplitting`. `builds`: several entries are built one by one with the same groups, so that nothing is remembered between modules. */
export function firstLoad(builds: 'one' | 'many' = 'one') {
  const remembered = new Map<string, boolean>();
  const group = (name: string, priority: number, holds: (id: string) => boolean) => ({
    priority,
    name: (id: string, modules: Modules): string | null =>
      holds(id) && isFirst(id, modules, builds === 'one' ? remembered : new Map()) ? name : null,
  });
  const below = new Map<string, boolean>();
  const front = {
    priority: 0,
    name: (id: string, modules: Modules): string | null => (!id.endsWith(FRONT) && isFront(id, modules, below) ? 'front' : null),
  };
  return [group('packages', 2, (id) => id.includes('/node_modules/')), group('first', 1, () => true), ...(builds === 'one' ? [front] : [])];
}

/** An entry names all files that it needs, not the next one alone: a browser asks for them at once in place of one after the other. */
export const importsAtOnce: Plugin = {
  name: 'imports-at-once',
  apply: 'build',
  generateBundle(_, bundle) {
    for (const entry of Object.values(bundle)) {
      if (entry.type !== 'chunk' || !entry.isEntry) continue;
      const needed = new Set(entry.imports);
      for (const name of needed) {
        const chunk = bundle[name];
        if (chunk?.type === 'chunk') for (const next of chunk.imports) needed.add(next);
      }
      const later = [...needed].filter((name) => !entry.imports.includes(name));
      // after its own imports: the order in which they run is kept
      entry.code += later.map((name) => `import"./${name.slice(name.lastIndexOf('/') + 1)}";`).join('');
    }
  },
};
