/** A separate chart: an SVG file with the colors of both themes. */
import { chartColours } from '../../base/palette.ts';
import type { Chart } from '../../engine/export/document-parts.ts';

export function picture({ wide, description }: Chart): string {
  const style = `<style>${chartColours()}</style><title>${escaped(description)}</title>`;
  return `${wide.replace(/^(<svg[^>]*)>/, `$1 role="img">${style}`)}\n`;
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
