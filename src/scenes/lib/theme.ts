/**
 * Colours of a scene: the page's CSS variables resolved to sRGB (whatever notation they use), plus fixed material colours
 * for light and dark. Scenes are rebuilt when these change.
 */
export type Rgb = readonly [r: number, g: number, b: number]; // 0..255

export interface Palette {
  readonly dark: boolean;
  readonly text: Rgb;
  readonly muted: Rgb;
  readonly accent: Rgb;
  readonly series: readonly Rgb[];
  readonly tile: Rgb;
  readonly tileAlternate: Rgb;
  readonly plate: Rgb; // wide floors: lighter than the night around them
  readonly base: Rgb;
  readonly wall: Rgb;
  readonly structure: Rgb;
  readonly metal: Rgb;
  readonly thing: Rgb; // what belongs to no agent: landmarks, pillars, crates
  readonly goal: Rgb;
  readonly hazard: Rgb;
  readonly adds: Rgb; // values above 0
  readonly takes: Rgb; // values below 0
  readonly lavaCrust: Rgb;
  readonly ice: Rgb;
  readonly water: Rgb;
  readonly pit: Rgb;
  readonly ink: Rgb; // signs drawn on the floor
  readonly paper: Rgb; // their outline
  readonly shadow: number; // strength of the shadow on the ground
  readonly named: { readonly [name: string]: Rgb };
}

function hex(text: string): Rgb {
  const n = Number.parseInt(text.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

/** What means the same in both themes looks the same in both; --stage-goal, --stage-hazard and --stage-thing of the page have one value too. */
const MEANING = {
  metal: hex('#7d8696'),
  lavaCrust: hex('#8f2f1c'),
  water: hex('#3f7fb5'),
};

/** A hole is darker than any floor: what is dark in the light theme would not be in the other. */
const LIGHT = {
  pit: hex('#4a5568'),
  ink: hex('#1b2230'),
  paper: hex('#ffffff'),
  shadow: 0.22,
};

const DARK: typeof LIGHT = {
  pit: hex('#0b0f17'),
  ink: hex('#f2f5fa'),
  paper: hex('#0c1017'),
  shadow: 0.5,
};

/** Colour names of grid vocabularies. Chosen to differ in lightness as well as hue. */
const NAMED = {
  red: hex('#d1483e'),
  green: hex('#3d9a62'),
  blue: hex('#3c78d8'),
  purple: hex('#9059c8'),
  yellow: hex('#e6b422'),
  grey: hex('#8b93a1'),
  orange: hex('#e58a2e'),
  white: hex('#eef1f5'),
  black: hex('#2b303a'),
  brown: hex('#96694a'),
  cyan: hex('#35a7c4'),
  pink: hex('#d878b0'),
};

const OKABE_ITO = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#56b4e9', '#cc79a7', '#8a7a00', '#6b7280'];

/** Reads the palette from `element`'s computed style. */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const probe = document.createElement('span');
  probe.style.display = 'none';
  element.append(probe);
  // A used colour, not the variable's text: light-dark(), oklch() and nested variables are then resolved by the browser.
  const read = (variable: string, fallback: string): Rgb => {
    if (style.getPropertyValue(variable).trim() === '' || context === null) return hex(fallback);
    probe.style.color = '';
    probe.style.color = `var(${variable})`;
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = fallback;
    context.fillStyle = getComputedStyle(probe).color;
    context.fillRect(0, 0, 1, 1);
    const d = context.getImageData(0, 0, 1, 1).data;
    return [d[0]!, d[1]!, d[2]!];
  };
  const background = read('--bg', '#f7f8fa');
  const dark = luminance(background) < 0.3;
  const fixed = dark ? DARK : LIGHT;
  const floor = read('--stage-floor', dark ? '#2b303a' : '#eef0f4');
  const line = read('--stage-line', dark ? '#3a404d' : '#d5dae2');
  // Floors and boards are lighter than the night around them.
  const lifted = (rgb: Rgb): Rgb => (dark ? mix(rgb, [170, 190, 225], 0.1) : rgb);
  const tile = lifted(mix(floor, line, 0.2));
  const palette: Palette = {
    dark,
    ...MEANING,
    ...fixed,
    text: read('--text', dark ? '#e8ebf0' : '#1a1f29'),
    muted: read('--muted', '#7a8291'),
    accent: read('--stage-accent', '#4c6fff'),
    series: OKABE_ITO.map((fallback, i) => read(`--series-${i}`, fallback)),
    tile,
    plate: tile,
    tileAlternate: lifted(mix(floor, line, dark ? 0.8 : 0.55)),
    base: mix(line, floor, dark ? -0.6 : 0),
    wall: read('--stage-wall', '#8e98a9'),
    structure: read('--stage-structure', '#7b8599'),
    goal: read('--stage-goal', '#2fae72'),
    hazard: read('--stage-hazard', '#e2562b'),
    thing: read('--stage-thing', '#7a8292'),
    adds: read('--div-pos', '#2f6db3'),
    takes: read('--div-neg', '#c9762b'),
    ice: read('--stage-ice', '#cfe6f3'),
    named: NAMED,
  };
  probe.remove();
  return palette;
}

/** Relative luminance 0..1 (WCAG). */
export function luminance(rgb: Rgb): number {
  const [r = 0, g = 0, b = 0] = rgb.map((v) => {
    const u = v / 255;
    return u <= 0.04045 ? u / 12.92 : ((u + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function mix(a: Rgb, b: Rgb, share: number): Rgb {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share];
}
