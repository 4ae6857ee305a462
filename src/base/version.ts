/** The version of this program, and its name in journals and requests. */

/** The version of deskhand. A test checks it against package.json. */
export const version = '0.1.0';

/** The name of the program in journals. */
export const programName = `deskhand ${version}`;

/** The `User-Agent` of every HTTP request: product and version (RFC 9110, section 10.1.5). */
export const userAgent = `deskhand/${version}`;
