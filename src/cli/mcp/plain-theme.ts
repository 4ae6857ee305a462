/** Text without colors, for programs. */
import { themeOf } from '../screens/theme.ts';

export const plainTheme = themeOf({}, {}, false);
