/** Keys of every page: rows, pages of a list, parts of a page, its actions, and `g` with a letter for another page. */
import { signal } from '@preact/signals';
import { go } from './router.ts';

export const isHelpOpen = signal(false);

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
      case 'n':
        return act(event, () => press('[rel=next]'));
      case 'p':
        return act(event, () => press('[rel=prev]'));
      case 'a':
        return act(event, () => document.querySelector<HTMLElement>(actions)?.focus());
      case '?':
        return act(event, () => {
          isHelpOpen.value = true;
        });
      default:
        if (/^[1-9]$/.test(event.key)) press(`.tabs a:nth-child(${event.key})`);
    }
  });
}

function act(event: KeyboardEvent, work: () => void): void {
  event.preventDefault();
  work();
}

/** Buttons of `main` that do something about its subject, without those that copy. */
const actions = 'main :is(.main, .grave):not(:disabled), main .action > button';

function press(link: string): void {
  document.querySelector<HTMLElement>(`main ${link}`)?.click();
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select');
}

/**
 * Moves the focus. Rows are links marked `data-row`, and without any the first links and buttons of the panels;
 * the focused one is the current one.
 */
function moveTo(step: number): void {
  const all = (what: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(what)];
  const links = all('[data-row]');
  const panels = all('main .panel').flatMap((panel) => {
    const first = panel.querySelector<HTMLElement>('a, button:not(.copy), [tabindex]');
    return first === null ? [] : [first];
  });
  const rows = links.length > 0 ? links : panels;
  const current = rows.findIndex((row) => row === document.activeElement);
  const next = current === -1 ? (step > 0 ? 0 : rows.length - 1) : current + step;
  rows[Math.min(Math.max(next, 0), rows.length - 1)]?.focus();
}
