/** The version of this program; a test checks it against package.json. */
export const version = '0.1.0';

/** The name of the program in journals and requests. */
export const programName = `deskhand ${version}`;
