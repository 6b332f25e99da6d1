import { newEventKeys } from './event-keys.ts'
import { runServiceProgram } from './service-program.ts'
import type { Settings } from './settings.ts'

/**
 * Runs a program of auth with auth's own database role and returns the JSON that it prints. Throws a Failure with
 * its last lines when it fails.
 */
export async function runAuthProgram<T>(
  settings: Settings,
  name: 'create-admin' | 'rotate-keys' | 'revoke-key',
  env: Record<string, string> = {},
): Promise<T> {
  const output = await runServiceProgram(settings, 'auth', {
    name,
    env: {
      // The program reads the service's settings but neither calls another service nor verifies an event.
      INTERNAL_TOKEN: 'not used, but as long as a real token',
      EVENT_PUBLIC_KEYS: newEventKeys().EVENT_PUBLIC_KEYS,
      ...(settings.authKeySecret === undefined ? {} : { AUTH_KEY_SECRET: settings.authKeySecret }),
      ...(settings.previousAuthKeySecret === undefined
        ? {}
        : { AUTH_KEY_SECRET_PREVIOUS: settings.previousAuthKeySecret }),
      ...env,
    },
  })
  // Log lines precede the answer.
  return JSON.parse(output.trim().split('\n').at(-1) ?? 'null') as T
}
