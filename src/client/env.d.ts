/** Everything that can be run, put together by the build (tools/facts/catalog.ts): a packed `Catalog`. */
declare module 'virtual:catalog' {
  const packed: import('#contract/kit/packed.ts').Packed;
  export default packed;
}

/** The script of a sandbox, as text (tools/sandbox-plugin.mjs). */
declare module 'virtual:sandbox' {
  const code: string;
  export default code;
}
