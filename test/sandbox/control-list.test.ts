/** The list of the control interface is what it accepts. */
import { describe, expect, test } from 'vitest';
import { controlPaths, controlRoutes } from '../../src/sandbox/control.ts';
import { controlMethods, type ControlMethod } from '../../src/sandbox/control/control-context.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { systemClock } from '../../src/base/clock.ts';

/** The words of a refusal; '' without one. */
async function refusal(method: ControlMethod, path: string, fields: object): Promise<string> {
  const sandbox = await openSandbox({ clock: systemClock });
  try {
    sandbox.control(method, path, fields);
    return '';
  } catch (error) {
    return String(error);
  } finally {
    await sandbox.close();
  }
}

describe.each(controlPaths)('%s', (path) => {
  const listed = controlRoutes().filter((route) => route.path === path);

  test('accepts the methods that are listed', async () => {
    const methods = [];
    for (const method of controlMethods) {
      const words = await refusal(method, path, {});
      if (!words.includes('accepts only')) methods.push(method);
    }
    expect(listed.map(({ method }) => method)).toEqual(methods);
  });

  test.each(listed)('$method requires and accepts the fields that are listed', async (route) => {
    const { method, fields } = route;
    if (fields.length === 0) {
      expect(await refusal(method, path, { unlisted: 'x' })).toBe('');
      return;
    }
    const outer = fields.filter(({ name }) => !/[.[]/.test(name));
    const given = Object.fromEntries(outer.map(({ name }) => [name, {}]));
    const words = await refusal(method, path, { ...given, unlisted: 'x' });
    expect(words.match(/(\w+) is not known/g)).toEqual(['unlisted is not known']);
    const missing = (await refusal(method, path, { unlisted: 'x' })).match(/\w+(?= is missing)/g);
    expect(missing ?? []).toEqual(
      outer.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    );
  });
});
