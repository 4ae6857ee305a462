/** Names of files that mean the same file, or none, on some system people have. */

/** Devices of Windows, whatever ending follows: to write `nul.csv` there is to write nowhere. */
const device = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9]|conin\$|conout\$)(?:\.|$)/i;

/** Why no file may have a name, which is one part of a path; undefined when it may. */
export function unusableName(name: string): string | undefined {
  if (device.test(name)) return 'it is the name of a device on Windows';
  return name.endsWith('.') ? 'Windows drops the point at its end' : undefined;
}
