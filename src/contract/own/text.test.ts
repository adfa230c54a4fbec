import { expect, test } from 'vitest';
import { memberLine, titleIn } from './text.ts';

const CODE = `// observe: not here
defineEnv({
  title: 'Walk',
  observe: (state) => [state.place],
  step(state) {
    return 0;
  },
});`;

test.each([
  ['observe', 4],
  ['step', 5],
  ['draw', null],
  ['learn.steps', null],
  [undefined, null],
])('the member %s stands in line %s', (member, line) => {
  expect(memberLine(CODE, member)).toBe(line);
});

test.each([
  [CODE, 'Walk'],
  [`defineEnv({ title: "Don't fall", about: 'x' })`, "Don't fall"],
  ['defineEnv({ title: name })', null],
  [`defineEnv({ title: 'never closed })`, null],
])('the title is read from the code', (code, title) => {
  expect(titleIn(code)).toBe(title);
});
