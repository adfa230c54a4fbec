/**
 * The page of a sandboxed frame. It holds one script, which the workbench's own policy allows by its hash (index.html; a test holds the two
 * together), and a policy of its own that is stricter than the one it inherits. The script starts the worker of a person's code and passes
 * texts on: what is no text, too long, or too much in a second ends the worker. Asked whether it is there it says so, however busy its worker is: a
 * frame that does not was taken by the browser, as one is that needs too much memory.
 */

/** Characters of a message, characters a second, messages a second. */
export const BOUNDS = { message: 8_000_000, second: 32_000_000, messages: 400 };

export const FRAME_SCRIPT = `(() => {
  let worker = null, since = 0, messages = 0, characters = 0;
  const tell = (data) => parent.postMessage(data, '*');
  const end = (why) => {
    if (worker === null) return;
    worker.onmessage = worker.onerror = worker.onmessageerror = null;
    worker.terminate();
    worker = null;
    tell({ ended: why });
  };
  const hear = ({ data }) => {
    const now = performance.now();
    if (now - since > 1000) { since = now; messages = characters = 0; }
    if (typeof data !== 'string') return end('said something that is no text');
    messages += 1;
    characters += data.length;
    if (data.length > ${BOUNDS.message} || characters > ${BOUNDS.second} || messages > ${BOUNDS.messages}) return end('said too much at once');
    tell({ said: data });
  };
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || typeof data !== 'object' || data === null) return;
    if (typeof data.code === 'string' && worker === null) {
      const address = URL.createObjectURL(new Blob([data.code], { type: 'text/javascript' }));
      worker = new Worker(address);
      worker.onmessage = hear;
      worker.onmessageerror = () => end('said something that cannot be read');
      worker.onerror = (event) => {
        event.preventDefault();
        tell({ broke: String(event.message).slice(0, 500), line: Number(event.lineno) || 0 });
      };
      setTimeout(() => URL.revokeObjectURL(address), 60000);
    } else if (data.there === true) tell({ there: true });
    else if (typeof data.ask === 'string' && worker !== null) worker.postMessage(data.ask);
  });
  tell({ here: true });
})();`;

/** SHA-256 of FRAME_SCRIPT as a policy writes it; it stands in index.html as well. */
export const FRAME_HASH = 'sha256-7Egc1IYfuEqXqo0iuK7d+DLeyP+IjJ6011JEM+Nuf4Y=';

const POLICY = `default-src 'none'; script-src '${FRAME_HASH}' blob: 'wasm-unsafe-eval'; worker-src blob:`;

export const FRAME_PAGE = `<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="${POLICY}"></head><body><script>${FRAME_SCRIPT}</script></body></html>`;
