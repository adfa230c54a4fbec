/** Tells objects apart that have the same name: each gets a number of its own when it is first asked about. */
const numbers = new WeakMap<object, number>();
let last = 0;

export function numberOf(thing: object): number {
  const known = numbers.get(thing) ?? ++last;
  numbers.set(thing, known);
  return known;
}
