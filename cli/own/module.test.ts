import { expect, it } from 'vitest';
import { isModule, methodOfModule } from './module.ts';

it.each([
  [
    "import x from './x.js';\nexport default x;",
    '"m.js": it imports "./x.js". A method is one file, and imports at most rl-workbench/algo-kit,',
  ],
  ["import {\n  a,\n  b as c,\n} from 'node:fs';\nexport default 1;", '"m.js": it imports "node:fs".'],
  ["export * from 'left-pad';\nexport default 1;", '"m.js": it imports "left-pad".'],
  ["import 'rl-workbench';\nexport default 1;", '"m.js": it imports "rl-workbench".'],
  ['\nmissing();\nexport default 1;', '"m.js": line 2, ReferenceError: missing is not defined.'],
  ['export default 1;', '"m.js": its default export is no method.'],
  ['export default { train() {} };', '"m.js": its default export is no method.'],
])('refuses %j', async (code, words) => {
  expect(isModule(code)).toBe(true);
  await expect(methodOfModule('m.js', code, 'own-x')).rejects.toThrow(words);
});

it('takes a method under the id of its code, and no text for an import', async () => {
  const code = 'const spec = { id: \'a from "b"\' };\nexport default { ...spec, train() {}, policy() {}, parse() {}, fits() {} };';
  expect(await methodOfModule('m.js', code, 'own-x')).toMatchObject({ id: 'own-x' });
  expect(isModule("defineMethod({ title: 'export default' });")).toBe(false);
});
