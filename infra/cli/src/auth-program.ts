import { ownerUrl } from '@looptide/runner/database/set-up'
import { baseEnv } from '@looptide/runner/processes/base-env'
import { runOnce } from '@looptide/runner/processes/run-once'
import { serviceFolder, stationServices } from '@looptide/runner/processes/services'
import { newEventKeys } from './event-keys.ts'
import { required, type Settings } from './settings.ts'

/**
 * Runs a program of auth with auth's own database role and returns the JSON that it prints. Throws a Failure with
 * its last lines when it fails.
 */
export async function runAuthProgram<T>(
  settings: Settings,
  name: 'create-admin' | 'rotate-keys' | 'revoke-key',
  env: Record<string, string> = {},
): Promise<T> {
  const auth = stationServices.find((service) => service.name === 'auth')
  if (auth === undefined) throw new Error('the station has no auth service')
  const admin = required(settings.databaseUrl, 'DATABASE_URL')
  const password = required(settings.databasePasswords.auth, 'DATABASE_PASSWORD_AUTH')
  const database = decodeURIComponent(new URL(admin).pathname.slice(1)) || 'looptide'
  const output = await runOnce({
    what: `auth, ${name}`,
    command: process.execPath,
    args: [`src/${name}.ts`],
    env: {
      ...baseEnv(),
      DATABASE_URL: ownerUrl(admin, database, 'auth', password),
      // The program reads the service's settings but neither calls another service nor verifies an event.
      INTERNAL_TOKEN: 'not used, but as long as a real token',
      EVENT_PUBLIC_KEYS: newEventKeys().EVENT_PUBLIC_KEYS,
      ...(settings.authKeySecret === undefined ? {} : { AUTH_KEY_SECRET: settings.authKeySecret }),
      ...(settings.previousAuthKeySecret === undefined
        ? {}
        : { AUTH_KEY_SECRET_PREVIOUS: settings.previousAuthKeySecret }),
      ...env,
    },
    cwd: serviceFolder(auth),
    signal: new AbortController().signal,
  })
  // Log lines precede the answer.
  return JSON.parse(output.trim().split('\n').at(-1) ?? 'null') as T
}
