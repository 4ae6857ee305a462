/** The address of the page: when it changes, another page is shown without loading anything. */
import { computed, signal } from '@preact/signals';
import { atMost, later } from './clock.ts';
import { isLive } from './live.ts';
import { isLoading } from './loaded.ts';

const address = signal(new URL(location.href));

export const path = computed(() => address.value.pathname);
export const query = computed(() => address.value.searchParams);

/**
 * Goes to an address.
 * @param isReplaced the address changes without an entry in the history
 */
export function go(to: string, isReplaced = false): void {
  const next = new URL(to, location.href);
  rememberPlace();
  returning.abort();
  if (isReplaced) history.replaceState(null, '', next);
  else history.pushState(null, '', next);
  const isOther =
    next.pathname !== address.value.pathname ||
    (!isReplaced && pageIn(next) !== pageIn(address.value));
  address.value = next;
  if (isOther) scrollTo(0, 0);
}

/** Which part of a list an address shows. */
function pageIn({ searchParams }: URL): string {
  return ['page', 'from', 'at'].map((name) => searchParams.get(name) ?? '').join('\n');
}

/**
 * Follows links of our own pages here; others, and those with a modifier, are followed by the
 * browser.
 */
export function startRouter(): void {
  history.scrollRestoration = 'manual'; // the browser scrolls before the page has its answer
  addEventListener('popstate', ({ state }) => {
    address.value = new URL(location.href);
    returnTo(state);
  });
  // The place is not stored when the page is left: by then a browser has the entry of the page that
  // follows.
  addEventListener(
    'scroll',
    atMost(scrollInterval, new AbortController().signal, rememberScrolled),
  );
  returnTo(history.state);
  addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || link.origin !== location.origin || link.target !== '') return;
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) {
      return;
    }
    const isHere = link.pathname === location.pathname && link.search === location.search;
    if (isHere && link.hash !== '') return; // the browser scrolls there
    event.preventDefault();
    go(link.href);
  });
}

/** Keeps how far the page is scrolled in its entry of the history. */
function rememberPlace(): void {
  history.replaceState({ scrolled: scrollY }, '');
}

const scrollInterval = 400; // ms: browsers ignore more than 100 changes of an entry in half a minute

/** Keeps the place also for a reload; while the page is being filled, where it is tells nothing. */
function rememberScrolled(): void {
  if (returning.signal.aborted) rememberPlace();
}

/** Returns to the place of an entry of the history; a new entry for a part of a page is shown by the browser. */
function returnTo(state: unknown): void {
  if (state !== null || location.hash === '') stayAt(placeIn(state));
  else returning.abort();
}

function placeIn(state: unknown): number {
  if (typeof state !== 'object' || state === null || !('scrolled' in state)) return 0;
  return typeof state.scrolled === 'number' ? state.scrolled : 0;
}

const settledWithin = 10_000; // ms until what arrived is shown

let returning = new AbortController();

/**
 * Keeps the page at a place while its answers arrive, without which it is short or has notices above
 * its content, unless the person does something else.
 */
function stayAt(top: number): void {
  returning.abort();
  const over = new AbortController();
  returning = over;
  const watched = new ResizeObserver(() => {
    if (scrollY !== top) scrollTo(0, top);
  });
  const { style } = document.documentElement;
  style.overflowAnchor = 'none'; // else the browser moves the page as its content arrives
  over.signal.addEventListener('abort', () => {
    watched.disconnect();
    style.overflowAnchor = '';
  });
  const stop = (): void => over.abort();
  for (const name of ['wheel', 'touchmove', 'keydown', 'pointerdown']) {
    addEventListener(name, stop, { once: true, passive: true, signal: over.signal });
  }
  const stopOnceSettled = (): void => {
    if (isLoading.value || !isLive.value) later(settledWithin, stopOnceSettled);
    else stop();
  };
  later(settledWithin, stopOnceSettled);
  watched.observe(document.body);
}

/** The address of this page with other parts of its query; '' removes a part. */
export function hereWith(changes: Readonly<Record<string, string>>): string {
  const next = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return text === '' ? path.value : `${path.value}?${text}`;
}

/** The address of the orders that match a filter. */
export function ordersPath(wanted: Readonly<Record<string, string>>): string {
  const given = Object.entries(wanted).filter(([, value]) => value !== '');
  return `/orders?${new URLSearchParams(given).toString()}`;
}

/** The address of a run's page. */
export function runPath(run: string, desk: string, tab = ''): string {
  const parts = new URLSearchParams([
    ...(desk === '' ? [] : [['desk', desk]]),
    ...(tab === '' ? [] : [['tab', tab]]),
  ]).toString();
  return `/runs/${encodeURIComponent(run)}${parts === '' ? '' : `?${parts}`}`;
}

/** The address of a step or an item of a run. */
export function stepPath(run: string, desk: string, address: string): string {
  return `${runPath(run, desk, 'step')}&at=${encodeURIComponent(address)}`;
}

/** The address of a plan's page. */
export function planPath(plan: string, desk: string): string {
  return `/plans/${encodeURIComponent(plan)}?${new URLSearchParams({ desk }).toString()}`;
}

/** The address of a playbook's page. */
export function playbookPath(file: string, desk: string): string {
  return `/playbook?${new URLSearchParams([
    ['file', file],
    ['desk', desk],
  ]).toString()}`;
}

/** The address of a playbook's form, filled with the inputs of a run. */
export function againPath(file: string, desk: string, run: string): string {
  return `${playbookPath(file, desk)}&${new URLSearchParams({ of: run }).toString()}`;
}

/** The address of the runs that match a filter. */
export function runsPath(wanted: Readonly<Record<string, string>>): string {
  const given = Object.entries(wanted).filter(([, value]) => value !== '');
  return `/?${new URLSearchParams(given).toString()}`;
}
