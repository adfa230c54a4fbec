/**
 * What the sources say about methods beyond their catalogue: see report/method-facts.ts. Read from the files themselves, so nothing is
 * written twice; the build puts it beside the page. Only node:* and pure modules here, because the build's own config imports it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MethodFacts, methodCode, methodFacts } from '#report/method-facts.ts';
import { familyFiles } from './family-files.ts';

const METHODS = 'src/core/algos';

function byMethod<Told>(project: string, tell: (file: string, source: string) => Told): { readonly [id: string]: Told } {
  const folder = join(project, METHODS);
  return Object.fromEntries(
    familyFiles(folder).map(({ id, file }) => [
      id,
      tell(`${METHODS}/${file.replaceAll('\\', '/')}`, readFileSync(join(folder, file), 'utf8')),
    ]),
  );
}

/** By the name of the file, which is the method's id. */
export const methodsFacts = (project: string) => byMethod<MethodFacts>(project, methodFacts);

/** Code, by id. */
export const methodsCode = (project: string) => byMethod(project, (_, source) => methodCode(source));
