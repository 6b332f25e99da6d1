import { baseEnv } from '@looptide/backing/base-env'
import { ownerUrl } from '@looptide/backing/database/set-up'
import { runOnce } from '@looptide/runner/processes/run-once'
import { serviceFolder, stationServices } from '@looptide/runner/processes/services'
import { required, type Settings } from './settings.ts'

interface ServiceProgram {
  /** Its file below the service's `src`, without the extension. */
  name: string
  env: Record<string, string>
  /** Receives the lines of its output instead of the caller. */
  onLine?: (line: string) => void
}

/**
 * Runs a program of a service with the service's own database role and returns its output. Throws a Failure with its
 * last lines when it fails.
 */
export async function runServiceProgram(
  settings: Settings,
  serviceName: 'auth' | 'catalogue' | 'chat' | 'audience',
  { name, env, ...output }: ServiceProgram,
): Promise<string> {
  const service = stationServices.find((one) => one.name === serviceName)
  if (service === undefined) throw new Error(`the station has no service ${serviceName}`)
  const admin = required(settings.databaseUrl, 'DATABASE_URL')
  const variable = `DATABASE_PASSWORD_${serviceName.toUpperCase()}`
  const password = required(settings.databasePasswords[serviceName], variable)
  const database = decodeURIComponent(new URL(admin).pathname.slice(1)) || 'looptide'
  return runOnce({
    what: `${serviceName}, ${name}`,
    command: process.execPath,
    args: [`src/${name}.ts`],
    env: { ...baseEnv(), DATABASE_URL: ownerUrl(admin, database, serviceName, password), ...env },
    cwd: serviceFolder(service),
    signal: new AbortController().signal,
    ...output,
  })
}
