import { expect, test } from 'vitest';
import { utf8 } from './canonical.ts';
import { JsonBoundError, MOST_VALUES, readJson } from './json.ts';

test.each(['null', '[]', '{"a":[1,"x,[{",{"b":"\\"]"}]}', '"é\\u00e9"', ' [1 , 2] '])(
  '%s is read as it is, from text and from bytes',
  (text) => {
    expect(readJson(text)).toEqual(JSON.parse(text));
    expect(readJson(utf8(text))).toEqual(JSON.parse(text));
  },
);

test('values are counted before anything is read', () => {
  expect(readJson('[1,2,3]', 4)).toEqual([1, 2, 3]);
  expect(() => readJson('[1,2,3]', 3)).toThrow('it holds more than 3 values');
  expect(() => readJson('{"a":{"b":{}}}', 3)).toThrow(JsonBoundError);
  // No value of a text in quotes counts.
  expect(readJson('["[,[,[,[,\\",["]', 2)).toEqual(['[,[,[,[,",[']);
  // The bound is met before the text proves to be none.
  expect(() => readJson(utf8(`[${'[],'.repeat(MOST_VALUES)}`))).toThrow(JsonBoundError);
});

test.each(['{"__proto__":1}', '{"a":[{"__proto__":{}}]}', '{"\\u005f_proto__":1}', '{"__pr\\u006Fto__":1}', '{"__\\u0070roto__":1}'])(
  '%s is refused: copying objects would drop the member without a word',
  (text) => expect(() => readJson(text)).toThrow('is not a name'),
);

test('deep texts are refused', () => {
  expect(() => readJson('['.repeat(65) + ']'.repeat(65))).toThrow('nested deeper than 64 levels');
});
