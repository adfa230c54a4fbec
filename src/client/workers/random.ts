/** Uniform in [0, 1) from the browser's own source, for the names of runs. Nothing that is computed may depend on it. */
export function randomUniform(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32;
}
