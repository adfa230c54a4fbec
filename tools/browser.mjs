/** Finds a Chromium for end-to-end tests, screenshots and browser benchmarks. Looks at CHROMIUM_PATH, the usual places, then Playwright's own. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const PLACES = [
  '/usr/bin',
  '/usr/local/bin',
  '/snap/bin',
  '/opt/google/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Parts of the browser's own window that no test looks at. Since 2026 Chromium loads two pages for the drop-downs of its address bar with every
 * window, in headless mode as well: 0.8 s of a processor for each fresh profile, almost as much as the page under test. The list that is named
 * last counts, so what Playwright turns off for the sake of tests stands here again.
 */
const UNUSED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** Nothing that talks to the network. */
const QUIET_FLAGS = [
  `--disable-features=${UNUSED_FEATURES.join(',')}`,
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * No GL at all: the page falls back to its 2D drawing, and no core goes to a graphics card played by the processor, which Chromium 156 still
 * takes with `--disable-gpu` alone.
 */
export const NO_GPU_FLAGS = [...QUIET_FLAGS, '--disable-gpu', '--disable-software-rasterizer'];

/** Software WebGPU and a WebGPU canvas without a graphics card. */
export const BROWSER_FLAGS = [
  ...QUIET_FLAGS,
  '--enable-unsafe-webgpu',
  '--enable-features=Vulkan',
  '--use-vulkan=swiftshader',
  '--use-angle=swiftshader',
];

export const HOW_TO_GET_ONE =
  'No browser found. Set CHROMIUM_PATH to a Chromium or Chrome, or install one: "npx playwright install chromium", or "apt-get install chromium" on Debian.';

function runs(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether a command of this name stands in a folder of PATH. */
export const onPath = (name) => (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && runs(join(folder, name)));

/** Path of a browser, or null. A CHROMIUM_PATH that does not exist is an answer of its own: null, not some other browser. */
export async function findBrowser() {
  const asked = process.env.CHROMIUM_PATH;
  if (asked) return runs(asked) ? asked : null;
  const folders = [...PLACES, ...(process.env.PATH ?? '').split(delimiter)].filter((folder) => folder !== '');
  for (const folder of folders) {
    if (/chrome(\.exe)?$|Chromium$/.test(folder) && !folder.startsWith('/opt') && runs(folder)) return folder;
    for (const name of NAMES) {
      const path = join(folder, name);
      if (runs(path)) return path;
    }
  }
  try {
    const { chromium } = await import('@playwright/test');
    const own = chromium.executablePath();
    if (runs(own)) return own;
  } catch {
    // Playwright has none for this platform.
  }
  return null;
}
