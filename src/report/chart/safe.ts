/** Checks that a drawing contains only shapes and text: no script, no link, no external resource. */

const elements = new Set([
  'svg',
  'g',
  'path',
  'line',
  'rect',
  'circle',
  'text',
  'tspan',
  'title',
  'defs',
  'clipPath',
  'linearGradient',
  'stop',
]);

/** Attributes for shapes and descriptions; `style`, `href` and `on…` are not among them. */
const attribute =
  /^(?:xmlns(?:-xlink)?|version|class|id|width|height|viewBox|role|aria-[a-z]+|d|[xy][12]?|[cdr]?[xyr]|transform|offset|stop-[a-z]+|opacity|display|pointer-events|text-anchor|dominant-baseline|clip-path|fill(?:-[a-z]+)?|stroke(?:-[a-z]+)?|font-[a-z]+|gradient[A-Za-z]+|[fs][xy12]|preserveAspectRatio)$/;

const tag = /<(\/?)([A-Za-z]+)((?:\s+[A-Za-z][A-Za-z0-9:-]*="[^"<>]*")*)\s*(\/?)>/y;

export function isHarmless(svg: string): boolean {
  let at = 0;
  while (at < svg.length) {
    const next = svg.indexOf('<', at);
    if (next === -1) return true;
    tag.lastIndex = next;
    const [whole, , name = '', attributes = ''] = tag.exec(svg) ?? [];
    if (whole === undefined || !elements.has(name)) return false;
    for (const [, word = '', value = ''] of attributes.matchAll(
      /([A-Za-z][A-Za-z0-9:-]*)="([^"]*)"/g,
    )) {
      if (!attribute.test(word.replace(':', '-'))) return false;
      if (/url\((?!#)/i.test(value)) return false;
    }
    at = next + whole.length;
  }
  return true;
}
