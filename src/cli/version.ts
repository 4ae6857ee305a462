/** The version of this program; a test checks it against package.json. */
export const version = '0.1.0';

/** How the program names itself in journals and requests. */
export const programName = `deskhand ${version}`;
