/** The name of the person who runs this command. */
import { userInfo } from 'node:os';

export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`; // not every system has a user name
  }
}
