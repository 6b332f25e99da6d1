import { join } from 'node:path'
import { baseEnv } from '@looptide/backing/base-env'
import { runOnce } from '@looptide/runner/processes/run-once'
import { serviceFolder, stationServices } from '@looptide/runner/processes/services'
import { fault } from '../exit-codes.ts'
import { DUMP_FILE, type UnpackedBackup } from './archive.ts'
import { readTable } from './postgres-tools.ts'

/** The secret with which a restored station will run. */
export interface KeySecret {
  current: string | undefined
  /** Set while the secret is being changed. */
  previous: string | undefined
  /** Where the operator sets it, for the message. */
  hint: string
}

/**
 * Throws unless the secret decrypts the check value of the backup: with another one auth would not start, and nothing would
 * say so before the data is replaced. A backup of a release without a check value passes.
 */
export async function requireSecret({ folder }: UnpackedBackup, secret: KeySecret): Promise<void> {
  const sealed = /^t\t\\\\x([0-9a-f]+)$/m.exec(
    await readTable(join(folder, DUMP_FILE), 'auth', 'secret_check'),
  )?.[1]
  if (sealed === undefined || (await decrypts(secret, sealed))) return
  throw fault(
    `The backup belongs to a station with another secret: ${secret.hint}. If that is lost, pass --new-secret (docs/operations.md, "Backup and restore").`,
  )
}

async function decrypts({ current, previous }: KeySecret, sealed: string): Promise<boolean> {
  const auth = stationServices.find(({ name }) => name === 'auth')
  if (current === undefined || auth === undefined) return false
  const output = await runOnce({
    what: 'auth, check-secret',
    command: process.execPath,
    args: ['src/check-secret.ts', sealed],
    env: {
      ...baseEnv(),
      AUTH_KEY_SECRET: current,
      ...(previous === undefined ? {} : { AUTH_KEY_SECRET_PREVIOUS: previous }),
    },
    cwd: serviceFolder(auth),
    signal: new AbortController().signal,
  })
  return (JSON.parse(output) as { matches: boolean }).matches
}
