/** Every method's file says at its head what its page shows. */
import { expect, it } from 'vitest';
import { algoFamilies } from '#core/algos/all.ts';
import { methodsCode, methodsFacts } from './methods.ts';

const project = new URL('../..', import.meta.url).pathname;
const facts = methodsFacts(project);
const code = methodsCode(project);

it.each(algoFamilies.flatMap(({ algos }) => algos.map(({ id }) => id)))('%s: an idea, an equation, pseudo-code, code', (id) => {
  const { about, pseudo, file } = facts[id]!;
  expect(about[0]!.kind).toBe('text');
  expect(about.some(({ kind }) => kind === 'equation')).toBe(true);
  expect(pseudo.length).toBeGreaterThanOrEqual(4);
  expect(pseudo[0]).not.toMatch(/^ /);
  expect(file).toContain(`/${id}.ts`);
  expect(code[id]).toContain(`'${id}'`);
});
