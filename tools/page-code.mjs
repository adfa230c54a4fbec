/** The code of a page of docs/: its blocks that name a file, those of one file joined in their order. Path -> code. */
export function codeOf(page) {
  const files = new Map();
  for (const [, path, code] of page.matchAll(/^```(?:tsx?|css) (src\/\S+)\n([\s\S]*?)^```$/gm))
    files.set(path, `${files.get(path) ?? ''}${code}\n`);
  return files;
}
