import { baseEnv } from '@looptide/runner/base-env'
import { ownerUrl } from '@looptide/runner/database/set-up'
import { runOnce } from '@looptide/runner/run-once'
import { serviceFolder, stationServices } from '@looptide/runner/services'
import { newEventKeys } from './event-keys.ts'
import { required, type Settings } from './settings.ts'

/**
 * Runs one of auth's own programs, which hold the rules, with auth's own right to the database; answers the JSON that
 * it prints. Throws a Failure with its last words when it ends badly.
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
      // It reads the service's settings, but neither calls another service nor verifies an event.
      INTERNAL_TOKEN: 'not needed here, but no shorter than a real one',
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
  // What it logs stands before what it answers.
  return JSON.parse(output.trim().split('\n').at(-1) ?? 'null') as T
}
