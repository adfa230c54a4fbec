/** A part of the page that is loaded when it is first needed. Concurrent calls share one load; after a load that failed (no network) the next call tries again. */
export function late<T>(load: () => Promise<T>): () => Promise<T> {
  let part: Promise<T> | null = null;
  return () => {
    part ??= load().catch((error: unknown) => {
      part = null;
      throw error;
    });
    return part;
  };
}
