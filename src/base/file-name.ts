/** File names that mean another file, or none, on some operating systems. */

/** Windows devices, with any extension: writing `nul.csv` there writes nothing. */
const device = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9]|conin\$|conout\$)(?:\.|$)/i;

/** Why a name, one part of a path, cannot be used for a file; undefined if it can. */
export function unusableName(name: string): string | undefined {
  if (device.test(name)) return 'it is the name of a device on Windows';
  return name.endsWith('.') ? 'Windows drops the point at its end' : undefined;
}
