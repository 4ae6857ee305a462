/** The theme for programs: text without colors. */
import { themeOf } from '../../report/terminal/theme.ts';

export const plainTheme = themeOf({}, {}, false);
