/** Whether this page may store anything: a browser that blocks storage throws where its database is only looked for. */
export function hasDatabases(): boolean {
  try {
    return typeof indexedDB !== 'undefined';
  } catch {
    return false; // blocked: the same as none
  }
}
