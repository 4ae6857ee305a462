// Which exports of a part never change: whoever uses those need not ask for them again each time.

/**
 * A part that has run, with its functions and classes as plain values. As esbuild writes them, all
 * exports are two getters deep, because an export may change; a call across parts costs more by that
 * than many a function does. What may change is inherited, and asked for as before.
 * @param text of the part as an ES module, as esbuild prints it
 * @returns code to run at its end, as CommonJS
 */
export function settling(text) {
  const settled = exportsOf(text).filter(([local]) => isSettled(local, text));
  if (settled.length === 0) return '';
  const fields = settled.map(([local, name]) => `${JSON.stringify(name)}:${local}`);
  return `module.exports={__proto__:module.exports,${fields.join()}};`;
}

/** Pairs of the name inside and the name outside. */
function exportsOf(text) {
  const list = /\nexport \{([^}]*)\};\s*$/.exec(text)?.[1] ?? '';
  return list
    .split(',')
    .map((entry) => entry.trim().split(' as '))
    .filter(([local]) => local !== '')
    .map(([local, name = local]) => [local, name]);
}

/** Declared as a function or a class at the top, and given no other value anywhere. */
function isSettled(local, text) {
  const name = local.replaceAll('$', String.raw`\$`);
  const declared = new RegExp(
    String.raw`^(?:(?:async )?function\*? ?${name}\(|var ${name} = class\b)`,
    'm',
  );
  const given = new RegExp(String.raw`(?<![\w$.])${name} ?[^\w\s=!<>]{0,3}=(?![=>])`, 'g');
  const isClass = new RegExp(String.raw`^var ${name} = class\b`, 'm').test(text);
  return declared.test(text) && (text.match(given)?.length ?? 0) === (isClass ? 1 : 0);
}
