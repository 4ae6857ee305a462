/** States for people: a color, a symbol and a word, so that color is never the only sign. */
import type { Tone } from '../blocks/block.ts';
import { html, type Html } from './html.ts';

/** A state as a rounded label. */
export function badge(tone: Tone, word: string): Html {
  return html`<span class="badge ${tone}">${sign(tone)}${word}</span>`;
}

/** The symbol of a state without its word, hidden from screen readers: a word is always next to it. */
export function sign(tone: Tone): Html {
  return html`<svg class="sign ${tone}" viewBox="0 0 16 16" aria-hidden="true">
    ${drawings[tone]}
  </svg>`;
}

const drawings: Readonly<Record<Tone, Html>> = {
  good: html`<path d="M3.2 8.6l3.1 3.1 6.5-7" />`,
  bad: html`<path d="M4 4l8 8M12 4l-8 8" />`,
  doubt: html`<path d="M5.3 5.9a2.8 2.8 0 1 1 4 2.5c-.9.45-1.3 1-1.3 1.9" /><path
      d="M8 13.1v.1"
    />`,
  warn: html`<path d="M8 3v6.4" /><path d="M8 12.9v.1" />`,
  idle: html`<circle cx="8" cy="8" r="4.6" />`,
};
