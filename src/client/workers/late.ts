/**
 * A part of the page that is loaded when it is first needed. All calls share one load, which takes the arguments of the first; after a load
 * that failed (no network, no graphics) the next call tries again.
 */
export function late<A extends readonly unknown[], T>(load: (...given: A) => Promise<T>): (...given: A) => Promise<T> {
  let part: Promise<T> | null = null;
  return (...given) => {
    part ??= load(...given).catch((error: unknown) => {
      part = null;
      throw error;
    });
    return part;
  };
}
