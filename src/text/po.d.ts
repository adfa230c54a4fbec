/** A catalogue: the build reads it (tools/po.mjs). */
declare module '*.po' {
  const texts: import('./text.ts').Catalogue;
  export default texts;
}
