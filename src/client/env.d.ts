/** Everything that can be run, put together by the build (cli/catalog.ts). */
declare module 'virtual:catalog' {
  const catalog: import('#contract/catalog.ts').Catalog;
  export default catalog;
}

/** The script of a sandbox, as text (tools/sandbox-plugin.mjs). */
declare module 'virtual:sandbox' {
  const code: string;
  export default code;
}
