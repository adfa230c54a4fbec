/**
 * `make` with what it returned for the last few configs of equal JSON: a form asks for the same one at every key. When more than `most` would be
 * held, all are let go. What is returned is shared and must not be changed; what is thrown is not held.
 */
export function remembered<C, T>(make: (config: C) => T, most = 16): (config: C) => T {
  const known = new Map<string, { readonly value: T }>();
  return (config) => {
    const key = JSON.stringify(config);
    const found = known.get(key);
    if (found !== undefined) return found.value;
    const value = make(config);
    if (known.size >= most) known.clear();
    known.set(key, { value });
    return value;
  };
}
