/** What Vite gives for an import that asks for a file's address. */
declare module '*?url' {
  const address: string;
  export default address;
}
