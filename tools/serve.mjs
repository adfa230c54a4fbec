/**
 * A static server for the built page, by sirv: security headers, caching by name, and no request that ends the process.
 *   node tools/serve.mjs [--dir dist] [--port 4173] [--base /some/path/]
 * `--base` mounts the folder under a sub-path as well as at the root, to try what a static host will do. Prints one line with the address.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sirv from 'sirv';

/** Names under assets/ carry a content hash; everything else may change with the next build. */
const FOREVER = /\/assets\/[^/]+-[\w-]{8}\.\w+$/;

/**
 * The policy of the page's own meta tag. As a header it also binds its workers. Neither it nor another header forbids frames:
 * courses show the page inside their own. A sandboxed frame has an origin of its own and may read only what any origin may: see
 * docs/embedding.md.
 */
function policyOf(dir) {
  try {
    return /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(readFileSync(join(dir, 'index.html'), 'utf8'))?.[1];
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return undefined; // a folder without a page
  }
}

function answer(response, status, text) {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': text.length + 1 }).end(`${text}\n`);
}

/**
 * Starts serving; resolves with the server, its port and address. Port 0 takes a free one. `compressed`: files that have a .br or .gz
 * beside them are sent as these to browsers that take them (tools/compress.mjs writes them). `api` is asked before the files, with the path
 * as it was sent and any method, and answers whether it has taken the request.
 */
export function serve({ dir = 'dist', port = 4173, base = '/', host = '127.0.0.1', compressed = false, api = () => false } = {}) {
  const policy = policyOf(dir);
  // `dev`: files are looked up at each request, because a build may replace them while the server runs.
  const files = sirv(dir, {
    dev: true,
    etag: true,
    brotli: compressed,
    gzip: compressed,
    setHeaders(response, path) {
      if (FOREVER.test(path)) response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    },
  });
  const handle = (request, response) => {
    const at = request.url.search(/[?#]|$/);
    const path = request.url.slice(0, at);
    if (base !== '/' && `${path}/` === base) return response.writeHead(301, { Location: base }).end();
    if (base !== '/' && path.startsWith(base)) request.url = request.url.slice(base.length - 1);
    delete request.headers.range; // whole files only: nothing of the page asks for parts
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    response.setHeader('Permissions-Policy', 'camera=(self), microphone=(), geolocation=()');
    if (policy !== undefined) response.setHeader('Content-Security-Policy', policy);
    if (api(request, response)) return;
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(response, 405, 'only GET and HEAD');
    // sirv pipes a file into the answer and does not listen for errors of reading: one that vanished meanwhile would end the process. Nor
    // does a pipe close its source when the answer is cut off: the file would stay open.
    response.on('pipe', (source) => {
      source.on('error', () => response.destroy());
      if (response.destroyed) source.destroy();
      else response.on('close', () => source.destroy());
    });
    files(request, response, () => answer(response, 404, 'not found'));
  };
  const server = createServer((request, response) => {
    try {
      handle(request, response);
    } catch (error) {
      console.error(`${request.method} ${request.url}: ${error.message}`);
      if (response.headersSent) response.destroy();
      else answer(response, 500, 'this request cannot be answered');
    }
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const actual = server.address().port;
      resolve({ server, port: actual, url: `http://${host}:${actual}${base}` });
    });
  });
}

const option = (name, fallback) => {
  const at = process.argv.indexOf(name);
  return at > 0 ? process.argv[at + 1] : fallback;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { url } = await serve({ dir: option('--dir', 'dist'), port: Number(option('--port', '4173')), base: option('--base', '/') });
  console.log(`serving at ${url}`);
}
