/** The theme, light or dark: by the system, or as chosen on this browser. */
import { signal } from '@preact/signals';

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const key = 'deskhand-theme';

export const theme = signal<Theme>(stored());

export function startTheme(): void {
  theme.subscribe((value) => {
    document.documentElement.dataset['theme'] = value;
  });
}

export function nextTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'system';
  try {
    localStorage.setItem(key, theme.value);
  } catch {
    // a browser that stores nothing asks the system each time
  }
}

function stored(): Theme {
  try {
    return themes.find((each) => each === localStorage.getItem(key)) ?? 'system';
  } catch {
    return 'system';
  }
}
