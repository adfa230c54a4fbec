/** The address of a worker's script, as the build names it. */
declare module '*?worker&url' {
  const address: string;
  export default address;
}
