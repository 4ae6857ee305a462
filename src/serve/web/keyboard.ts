/** Keys of every page: `/` filter, `j k` rows, `g` and a letter for a page, `?` help. */
import { signal } from '@preact/signals';
import { go } from './router.ts';

export const isHelpOpen = signal(false);

/** The keyboard shortcuts and their meanings, for the help. */
export const keys: readonly (readonly [key: string, meaning: string])[] = [
  ['/', 'Filter'],
  ['j k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['g r', 'Runs'],
  ['g o', 'Orders'],
  ['g e', 'Events'],
  ['g p', 'Plans to approve'],
  ['g b', 'Playbooks'],
  ['g s', 'Schedules'],
  ['g a', 'Accounts'],
  ['g x', 'Sandbox'],
  ['?', 'These keys'],
];

/** Pages by their letter after `g`. */
const places: Readonly<Record<string, string>> = {
  r: '/',
  o: '/orders',
  e: '/events',
  p: '/plans',
  b: '/playbooks',
  s: '/schedules',
  a: '/accounts',
  x: '/sandbox',
};

export function startKeyboard(): void {
  let isGoing = false;
  addEventListener('keydown', (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
    const place = isGoing ? places[event.key] : undefined;
    isGoing = event.key === 'g';
    if (place !== undefined) return act(event, () => go(place));
    switch (event.key) {
      case '/':
        return act(event, () => document.querySelector<HTMLElement>('[data-filter]')?.focus());
      case 'j':
        return act(event, () => moveTo(1));
      case 'k':
        return act(event, () => moveTo(-1));
      case '?':
        return act(event, () => {
          isHelpOpen.value = true;
        });
      default:
    }
  });
}

function act(event: KeyboardEvent, work: () => void): void {
  event.preventDefault();
  work();
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select');
}

/** Moves the focus. Rows are links marked `data-row`; the focused one is the current one. */
function moveTo(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const current = rows.findIndex((row) => row === document.activeElement);
  const next = current === -1 ? (step > 0 ? 0 : rows.length - 1) : current + step;
  rows[Math.min(Math.max(next, 0), rows.length - 1)]?.focus();
}
