/** The look of states: the sign of each tone, and every color, in light, in dark and in a terminal. */
import type { styleText } from 'node:util';

/** The meaning of a state. A color and a sign follow from it, so that color is never the only sign. */
export type Tone = 'good' | 'bad' | 'doubt' | 'warn' | 'idle';

/** The meaning of a text, which has a color in a terminal. */
export type Ink = Tone | 'strong' | 'faint' | 'command' | 'sandbox' | 'demo' | 'live';

/** The sign of a tone as text. `typed`: where a terminal draws only ASCII. */
export const signs: Readonly<Record<Tone, { readonly drawn: string; readonly typed: string }>> = {
  good: { drawn: '✔', typed: 'ok' },
  bad: { drawn: '✖', typed: 'x' },
  doubt: { drawn: '?', typed: '?' },
  warn: { drawn: '!', typed: '!' },
  idle: { drawn: '○', typed: '-' },
};

type Colour = readonly [light: string, dark: string];

/** The colors of pages. Text in the color of a tone has a contrast of 4.5:1 on its tint. */
const ofPages: Readonly<Record<string, Colour>> = {
  paper: ['#f4f5f8', '#0b0f15'],
  sheet: ['#ffffff', '#131922'],
  well: ['#f3f5f9', '#0d131b'],
  grid: ['#edf0f4', '#1d2632'],
  work: ['#1d5fd1', '#7fb0ff'],
  'work-tint': ['#e6effc', '#14253f'],
  good: ['#0a7648', '#56d69d'],
  'good-tint': ['#e3f5ec', '#11301f'],
  bad: ['#bb2129', '#ff9190'],
  'bad-tint': ['#fdebeb', '#3b1618'],
  doubt: ['#7327ad', '#d2a4ff'],
  'doubt-tint': ['#f4ebfc', '#2c1a3d'],
  warn: ['#845500', '#f2bd58'],
  'warn-tint': ['#fdf3de', '#33270e'],
  idle: ['#566377', '#9ba9bb'],
  'idle-tint': ['#edf0f4', '#202935'],
  sandbox: ['#0b6b7f', '#0b6b7f'],
  demo: ['#5b3a9e', '#5b3a9e'],
  live: ['#b0151d', '#b0151d'],
  button: ['#1d5fd1', '#2b5fb3'],
  inverse: ['#ffffff', '#ffffff'],
  shade: ['#00000066', '#00000066'],
  'line-in-print': ['#cccccc', '#cccccc'],
};

/** The colors of charts, which are also files: eight for series, each with a contrast of 3:1. */
const ofCharts: Readonly<Record<string, Colour>> = {
  ink: ['#141c28', '#e8edf4'],
  soft: ['#566377', '#9ba9bb'],
  line: ['#dfe4eb', '#27313f'],
  c1: ['#2d68e0', '#7fb0ff'],
  c2: ['#0f8f6a', '#4fcf9a'],
  c3: ['#b7791f', '#f2bd58'],
  c4: ['#8b44c7', '#cfa2ff'],
  c5: ['#c83a66', '#ff93b4'],
  c6: ['#0b7d99', '#5fd0e6'],
  c7: ['#6b7688', '#a9b4c2'],
  c8: ['#a3541a', '#f0a06a'],
};

/** The style of each ink in a terminal; the terminal chooses the colors. */
export const inks: Readonly<Record<Ink, Parameters<typeof styleText>[0]>> = {
  good: 'green',
  bad: 'red',
  doubt: ['bold', 'magenta'],
  warn: 'yellow',
  idle: 'dim',
  strong: 'bold',
  faint: 'dim',
  command: 'cyan',
  sandbox: ['bgCyan', 'black'],
  demo: ['bgMagenta', 'white'],
  live: ['bgRed', 'white', 'bold'],
};

/** The fonts and colors of a chart, as CSS. */
export function chartColours(): string {
  return `
:root {
  color-scheme: light dark;
  --sans: Inter, ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
${propertiesOf(ofCharts)}
}
`;
}

/** The fonts and colors of a page as CSS, and the classes that give a part of it the colors of a tone. */
export function pageColours(): string {
  return `${chartColours()}
:root {
  --mono: "JetBrains Mono", ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono",
    monospace;
${propertiesOf(ofPages)}
}
${['good', 'bad', 'doubt', 'warn', 'idle'].map(classOf).join('\n')}
`;
}

/** A drawing as a separate file: its properties become the colors of light. */
export function colouredSvg(svg: string): string {
  return svg.replace(/var\(--([\w-]+)\)/g, (property, name: string) => {
    return ofPages[name]?.[0] ?? ofCharts[name]?.[0] ?? property;
  });
}

function propertiesOf(colours: Readonly<Record<string, Colour>>): string {
  return Object.entries(colours)
    .map(([name, [light, dark]]) => {
      return `  --${name}: ${light === dark ? light : `light-dark(${light}, ${dark})`};`;
    })
    .join('\n');
}

function classOf(tone: string): string {
  return `.${tone} { --tone: var(--${tone}); --tint: var(--${tone}-tint); }`;
}
