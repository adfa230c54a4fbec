/**
 * A small static server for the built page: right MIME types, caching and security headers, no dependencies.
 *   node tools/serve.mjs [--dir dist] [--port 4173] [--base /some/path/]
 * `--base` mounts the folder under a sub-path as well as at the root, to try what a static host will do. Prints one line with the address.
 */
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
};

function headersFor(path) {
  const name = path.split(sep).join('/');
  // Names under assets/ carry a content hash; everything else may change with the next build.
  const forever = /\/assets\/[^/]+-[\w-]{8}\.\w+$/.test(name);
  return {
    'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
    'Cache-Control': forever ? 'public, max-age=31536000, immutable' : 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  };
}

/** Starts serving; resolves with the server, its port and address. Port 0 takes a free one. */
export function serve({ dir = 'dist', port = 4173, base = '/', host = '127.0.0.1' } = {}) {
  const root = normalize(dir);
  const server = createServer((request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return response.writeHead(405).end();
    let path;
    try {
      path = decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname);
    } catch {
      return response.writeHead(400).end();
    }
    if (base !== '/' && `${path}/` === base) return response.writeHead(301, { Location: base }).end();
    if (base !== '/' && path.startsWith(base)) path = `/${path.slice(base.length)}`;
    const file = normalize(join(root, path.endsWith('/') ? `${path}index.html` : path));
    let stat = null;
    if (file === root || file.startsWith(root + sep)) stat = statSync(file, { throwIfNoEntry: false }) ?? null;
    if (!stat?.isFile()) return response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('not found\n');
    response.writeHead(200, { ...headersFor(file), 'Content-Length': stat.size });
    if (request.method === 'HEAD') return response.end();
    createReadStream(file).pipe(response);
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
