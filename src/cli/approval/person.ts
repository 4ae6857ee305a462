/** Who runs this, by the name the machine knows. */
import { userInfo } from 'node:os';

export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`; // some machines know no name
  }
}
