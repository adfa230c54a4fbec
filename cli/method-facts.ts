/**
 * What the sources say about methods beyond their catalogue: see report/method-facts.ts. Read from the files themselves, so nothing is
 * written twice; the build puts it beside the page. Only node:* and pure modules here, because the build's own config imports it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MethodFacts, methodCode, methodFacts } from '#report/method-facts.ts';

const METHODS = 'src/core/algos';

/** Files on top of a family's folder, as [id, path, text]. */
function files(project: string): readonly (readonly [id: string, file: string, source: string])[] {
  return readdirSync(join(project, METHODS), { recursive: true, encoding: 'utf8' }).flatMap((path) => {
    const [, family, id] = /^(?!api|lib|golden)([\w-]+)[\\/]([\w-]+)\.ts$/.exec(path) ?? [];
    if (family === undefined || id === undefined) return [];
    const file = `${METHODS}/${family}/${id}.ts`;
    return [[id, file, readFileSync(join(project, file), 'utf8')] as const];
  });
}

/** By the name of the file, which is the method's id. */
export const methodsFacts = (project: string): { readonly [id: string]: MethodFacts } =>
  Object.fromEntries(files(project).map(([id, file, source]) => [id, methodFacts(file, source)]));

/** Code, by id. */
export const methodsCode = (project: string): { readonly [id: string]: string } =>
  Object.fromEntries(files(project).map(([id, , source]) => [id, methodCode(source)]));
