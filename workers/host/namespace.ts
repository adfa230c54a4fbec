/** The page tells its workers under which address it keeps things: in the worker's name, `session /lab/`. */
export function namespaceOf(workerName: string): string {
  const at = workerName.indexOf('/');
  return at < 0 ? '/' : workerName.slice(at);
}
