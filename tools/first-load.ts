/**
 * Puts what loads before the first paint into two files, packages and own code, in place of a file for every set of pages that shares a module: a
 * large file compresses better than fifty small ones, and packages stay in the browser's cache when own code changes.
 */
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

/** Groups of `output.codeSplitting`. `builds`: several entries are built one by one with the same groups, so that nothing is remembered between modules. */
export function firstLoad(builds: 'one' | 'many' = 'one') {
  const remembered = new Map<string, boolean>();
  const group = (name: string, priority: number, holds: (id: string) => boolean) => ({
    priority,
    name: (id: string, modules: Modules): string | null =>
      holds(id) && isFirst(id, modules, builds === 'one' ? remembered : new Map()) ? name : null,
  });
  return [group('packages', 2, (id) => id.includes('/node_modules/')), group('first', 1, () => true)];
}
