/** A number for each object, given at its first use: for keys of objects whose own ids may be equal. */
const numbers = new WeakMap<object, number>();
let last = 0;

export function numberOf(thing: object): number {
  const known = numbers.get(thing) ?? ++last;
  numbers.set(thing, known);
  return known;
}
