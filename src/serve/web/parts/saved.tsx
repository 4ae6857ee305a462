/** The saved filters of a list as links, and a form that saves the present one under a name. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { hereWith, path } from '../router.ts';
import { pageOf, removeFilter, savedFilters, saveFilter } from '../saved-filters.ts';

export function Saved(): JSX.Element | null {
  const own = savedFilters.value.filter((each) => pageOf(each) === path.value);
  const to = hereWith({ page: '' });
  const isNew = to !== path.value && !own.some((each) => each.to === to);
  if (own.length === 0 && !isNew) return null;
  return (
    <div class="saved">
      {own.length > 0 && (
        <ul class="facts" aria-label="Saved filters">
          {own.map((each) => (
            <li key={each.to}>
              <a href={each.to} aria-current={each.to === to ? 'true' : undefined}>
                {each.name}
              </a>
              <button
                type="button"
                class="copy"
                aria-label={`Remove the filter ${each.name}`}
                onClick={() => removeFilter(each)}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      {isNew && <Save key={to} to={to} />}
    </div>
  );
}

function Save({ to }: { readonly to: string }): JSX.Element {
  const [name, setName] = useState<string>();
  if (name === undefined) {
    return (
      <button type="button" onClick={() => setName('')}>
        Save this filter
      </button>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') saveFilter({ name: name.trim(), to });
      }}
    >
      <input
        type="search"
        aria-label="Name of the filter"
        placeholder="A name"
        maxLength={40}
        required
        ref={(input) => input?.focus()}
        value={name}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <button type="submit">Save</button>
      <button type="button" onClick={() => setName(undefined)}>
        Cancel
      </button>
    </form>
  );
}
