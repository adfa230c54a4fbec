/**
 * Puts what loads before the first paint into two files, packages and own code, in place of a file for every set of pages that shares a module: a
 * large file compresses better than fifty small ones, and packages stay in the browser's cache when own code changes.
 */
import type { Plugin } from 'vite';

interface Modules {
  getModuleInfo(id: string): { readonly isEntry: boolean; readonly importers: readonly string[] } | null;
}

/** Whether a module, or one that imports it statically, through others or by itself, is among `roots`. Modules that were asked about are remembered. */
function isBelow(id: string, roots: (id: string) => boolean, modules: Modules, known: Map<string, boolean>): boolean {
  const before = known.get(id);
  if (before !== undefined) return before;
  const above = new Set([id]);
  let below = false;
  for (const next of above) {
    below = roots(next) || known.get(next) === true;
    if (below) break;
    for (const importer of modules.getModuleInfo(next)?.importers ?? []) above.add(importer);
  }
  known.set(id, below);
  return below;
}

/** What stands around a world: the stage, curves, explanations. */
const WORLD = ['/src/ui/stage/Stage.tsx', '/src/ui/runs/curves/CurvesRoom.tsx', '/src/ui/explain/team/WhyRoom.tsx'];

/**
 * What views import, in one file each in place of a file for every set of views that shares a module: a request costs a browser more than the few
 * kilobytes that another view does not need. Each holds what those before it leave. `apart`: without the views themselves. `and`: only what these
 * import too, which are opened without the others.
 */
const VIEWS: readonly { readonly name: string; readonly of: readonly string[]; readonly apart?: true; readonly and?: readonly string[] }[] =
  [
    // The front page's view begins its first scene where it is loaded.
    { name: 'front', of: ['/src/ui/home/home.page.tsx'], apart: true },
    { name: 'laboratory', of: ['/src/ui/Laboratory.tsx'] },
    { name: 'results', of: WORLD, and: ['/src/ui/claims/PapersPage.tsx', '/src/ui/home/PapersOfField.tsx'] },
    { name: 'world', of: WORLD },
  ];

/** Parts that a worker may ask for later and that share a module, from which on it is in their common file. */
const SHARED_BY = 40;

/** Groups of `output.codeSplitting`. `builds`: several entries are built one by one with the same groups, so that nothing is remembered between modules. */
export function firstLoad(builds: 'one' | 'many' = 'one') {
  const remembered = new Map<string, boolean>();
  const group = (name: string, priority: number, holds: (id: string) => boolean) => ({
    priority,
    name: (id: string, modules: Modules): string | null =>
      holds(id) && isBelow(id, (one) => modules.getModuleInfo(one)?.isEntry === true, modules, builds === 'one' ? remembered : new Map())
        ? name
        : null,
  });
  const first = [group('packages', VIEWS.length + 1, (id) => id.includes('/node_modules/')), group('first', VIEWS.length, () => true)];
  if (builds === 'many') return [...first, { name: 'common', minShareCount: SHARED_BY, priority: 0 }];
  const views = VIEWS.map(({ name, of, apart, and }, i) => {
    const [known, others] = [new Map<string, boolean>(), new Map<string, boolean>()];
    const among = (views: readonly string[]) => (id: string) => views.some((view) => id.endsWith(view));
    const holds = (id: string, modules: Modules): boolean =>
      !(apart && among(of)(id)) &&
      isBelow(id, among(of), modules, known) &&
      (and === undefined || isBelow(id, among(and), modules, others));
    return { priority: VIEWS.length - 1 - i, name: (id: string, modules: Modules): string | null => (holds(id, modules) ? name : null) };
  });
  return [...first, ...views];
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
