/** Text without colors, for programs. */
import { themeOf } from '../../report/terminal/theme.ts';

export const plainTheme = themeOf({}, {}, false);
