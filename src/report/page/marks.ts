/** States for people: a color, a symbol and a word, so that color is never the only sign. */
import type { Tone } from '../../base/palette.ts';
import { drawings } from '../drawings.ts';
import { html, type Html } from './html.ts';

/** A state as a rounded label. */
export function badge(tone: Tone, word: string): Html {
  return html`<span class="pill ${tone}">${sign(tone)}${word}</span>`;
}

/** The symbol of a state without its word, hidden from screen readers: a word is always next to it. */
export function sign(tone: Tone): Html {
  return html`<svg class="icon ${tone}" viewBox="0 0 16 16" aria-hidden="true">
    <path d="${drawings[tone]}" />
  </svg>`;
}
