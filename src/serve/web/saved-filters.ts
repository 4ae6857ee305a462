/** Filters that a person saved under a name, kept on this browser: each is the address of a list. */
import { signal } from '@preact/signals';

export interface SavedFilter {
  readonly name: string;
  /** Path and query of the page. */
  readonly to: string;
}

const key = 'deskhand-filters';
const savedMax = 100;

export const savedFilters = signal<readonly SavedFilter[]>([]);
savedFilters.value = stored();

/** Saves the filter; one of the same page with this name is replaced. */
export function saveFilter({ name, to }: SavedFilter): void {
  const others = stored().filter((each) => each.name !== name || pageOf(each) !== pageOf({ to }));
  keep([...others, { name, to }].slice(-savedMax));
}

export function removeFilter({ name, to }: SavedFilter): void {
  keep(stored().filter((each) => each.name !== name || each.to !== to));
}

/** The page that a filter is of. */
export function pageOf({ to }: Pick<SavedFilter, 'to'>): string {
  return to.split('?')[0] ?? '';
}

/** Reads the saved filters again each time: another tab may have saved one. */
function stored(): readonly SavedFilter[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(found) ? found.filter(isSaved) : [];
  } catch {
    return savedFilters.value; // a browser that stores nothing keeps them while the page is open
  }
}

function isSaved(value: unknown): value is SavedFilter {
  if (typeof value !== 'object' || value === null) return false;
  const { name, to } = value as Partial<Record<string, unknown>>;
  return typeof name === 'string' && typeof to === 'string' && /^\/(?![/\\])/.test(to);
}

function keep(filters: readonly SavedFilter[]): void {
  savedFilters.value = filters;
  try {
    localStorage.setItem(key, JSON.stringify(filters));
  } catch {
    // see above
  }
}
