/** Draws a Vega-Lite spec and its rows as SVG: locally, without requests or generated code. */
import { parse, View, type Loader } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { compile, type TopLevelSpec } from 'vega-lite';
import { messageOf } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import { ChartError } from './chart-error.ts';
import { isHarmless } from './safe.ts';
import { themeFor } from './theme.ts';

export interface Drawing {
  /** A Vega-Lite spec without data. */
  readonly spec: Readonly<Record<string, unknown>>;
  /** The rows, with JavaScript numbers: a drawing needs no exact ones. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** The width in pixels, unless the spec sets a size. */
  readonly width: number;
}

const textMax = 512 * 1024; // characters of a drawing; it is recorded in the journal
const sizeMax = 4_000; // pixels of each side

/** @throws ChartError when the spec is invalid, or the drawing would be too large */
export async function draw(drawing: Drawing): Promise<string> {
  const problems: string[] = [];
  const svg = await svgOf(drawing, problems);
  const [, width = '0', height = '0'] = /width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? [];
  if (Number(width) > sizeMax || Number(height) > sizeMax) {
    const size = `${Math.round(Number(width))} × ${Math.round(Number(height))}`;
    throw new ChartError(
      `the chart would be ${size} pixels`,
      `keep width and height under ${sizeMax}`,
    );
  }
  if (svg.length > textMax) {
    throw new ChartError(
      `the drawing would have ${Math.round(svg.length / 1024)} KiB; 512 are kept`,
      'draw fewer marks: group the rows in a report/table first',
    );
  }
  if (!isHarmless(svg)) {
    throw new ChartError(
      'the drawing holds more than shapes and text',
      'leave images and links out',
    );
  }
  const [problem] = problems;
  if (problem !== undefined)
    throw new ChartError(`the spec is not drawn as it says: ${problem}`, hint);
  return svg;
}

const hint = 'compare the spec with the Vega-Lite documentation: mark, encoding, field, type';

async function svgOf({ spec, rows, width }: Drawing, problems: string[]): Promise<string> {
  try {
    const { $schema: _schema, config, ...own } = spec;
    const whole = {
      width: whenPlain(own, width),
      ...own,
      config: themeFor(config, width),
      data: { values: rows.map((row) => ({ ...row })) },
    };
    checkSpec(whole);
    const { spec: compiled } = compile(whole, { logger: listening(problems) });
    const runtime = parse(compiled, undefined, { ast: true });
    const view = new View(runtime, {
      renderer: 'none',
      expr: expressionInterpreter,
      loader: deafLoader(problems),
      logger: listening([]), // messages about rows, such as empty data
    });
    return described(numbered(await view.toSVG()));
  } catch (error) {
    if (error instanceof ChartError) throw error;
    // Most mistakes in a spec cause a missing property deep in the compiler.
    const what = error instanceof TypeError ? 'its spec is not Vega-Lite' : messageOf(error);
    throw new ChartError(`the chart cannot be drawn: ${plainText(what, 200)}`, hint, error);
  }
}

/** The drawing without empty groups, so that screen readers do not announce them as pictures. */
function described(svg: string): string {
  return svg.replace(
    /(<g class="[^"]*") role="graphics-symbol" aria-roledescription="[^"]*">/g,
    '$1>',
  );
}

/** The drawing with shape names numbered from 1: the library numbers them through the whole process. */
function numbered(svg: string): string {
  const names = new Map<string, string>();
  return svg.replace(/(id="|url\(#)([a-z_]+\d+)/g, (_whole, before: string, name: string) => {
    const number = names.get(name) ?? `shape-${names.size + 1}`;
    names.set(name, number);
    return before + number;
  });
}

/** The width for the chart, if it is a single one: charts next to or below each other set separate widths. */
function whenPlain(spec: Readonly<Record<string, unknown>>, width: number): number | undefined {
  return 'mark' in spec || 'layer' in spec ? width : undefined;
}

/** The compiler reports an invalid spec; here only the mark is checked. */
function checkSpec(spec: object): asserts spec is TopLevelSpec {
  const says = ['mark', 'layer', 'hconcat', 'vconcat', 'concat', 'facet', 'repeat', 'spec'];
  if (says.some((word) => word in spec)) return;
  throw new ChartError('the spec does not say what is drawn', 'add mark: bar, line, area or point');
}

/** A loader that never fetches anything. */
function deafLoader(problems: string[]): Loader {
  const refuse = async (): Promise<never> => {
    problems.push('a chart fetches nothing');
    throw new ChartError('a chart fetches nothing', 'the rows come from the step that from names');
  };
  return { load: refuse, sanitize: refuse, http: refuse, file: refuse };
}

interface Listener {
  level(): number;
  level(level: number): Listener;
  warn(...words: readonly unknown[]): Listener;
  error(...words: readonly unknown[]): Listener;
  info(): Listener;
  debug(): Listener;
}

/**
 * A logger that collects warnings of the drawing library. Each is a mistake in the spec, because the library
 * would draw something else.
 */
function listening(problems: string[]): Listener {
  const collect = (...words: readonly unknown[]): Listener => {
    problems.push(plainText(words.map(String).join(' '), 200));
    return listener;
  };
  const quiet = (): Listener => listener;
  function level(): number;
  function level(level: number): Listener;
  function level(given?: number): number | Listener {
    return given === undefined ? 0 : listener;
  }
  const listener: Listener = { level, warn: collect, error: collect, info: quiet, debug: quiet };
  return listener;
}
