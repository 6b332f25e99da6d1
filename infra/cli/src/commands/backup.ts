import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { STREAM_ADMIN } from '@looptide/backing/nats/nats-permissions'
import { obtain } from '@looptide/backing/programs/obtain'
import { forgetFirstStart } from '@looptide/runner/station/first-start'
import { readSecrets } from '@looptide/runner/station/secrets'
import { Station } from '@looptide/runner/station/station'
import { type UnpackedBackup, withBackup } from '../backup/archive.ts'
import { requireSecret } from '../backup/require-secret.ts'
import { type RestoreTarget, restoreBackup } from '../backup/restore-backup.ts'
import { takeBackup } from '../backup/take-backup.ts'
import { count } from '../count.ts'
import { usageError } from '../exit-codes.ts'
import type { Session } from '../session.ts'
import { required, type Settings } from '../settings.ts'
import type { AddCommands } from './add-commands.ts'

/** Adds `backup` and `restore`. */
export const addBackupCommands: AddCommands = (program, act) => {
  program
    .command('backup')
    .description('write the running station to one file')
    .argument('<file>')
    .addHelpText(
      'after',
      '\nThe file contains every account: protect it like the database. It does not contain AUTH_KEY_SECRET (of a local\nstation: secrets.json), which is needed to use its sessions: store that elsewhere.',
    )
    .option('--recipient <age1…>', 'encrypt for this age recipient; may be repeated', collect, [])
    .action(
      act((session, file: string, options: { recipient: string[] }) =>
        backup(session, file, options.recipient),
      ),
    )
  program
    .command('restore')
    .description('restore a stopped station from a backup')
    .argument('<file>')
    .addHelpText(
      'after',
      '\nThe services must be stopped; Postgres and NATS must run. A local station must be stopped completely.',
    )
    .option('--identity <file>', 'file with the age identity of an encrypted backup')
    .option(
      '--keep-sessions',
      'keep sessions, access tokens and mailed links of the backup, including those that were ended since',
    )
    .option(
      '--new-secret',
      'the secret of the backup is lost: delete what it encrypted, and use that of this station',
    )
    .action(act((session, file: string, options: RestoreOptions) => restore(session, file, options)))
}

const collect = (value: string, before: string[]): string[] => [...before, value]

async function backup(session: Session, file: string, recipients: readonly string[]): Promise<void> {
  const taken = await takeBackup(file, await session.settings(), recipients)
  const { path, bytes, takenAt, events } = taken
  session.report(
    taken,
    `${path} contains the station as of ${takenAt}: ${count(bytes, 'byte')}, ${count(events, 'unconsumed event')}.`,
  )
}

interface RestoreOptions {
  identity?: string
  keepSessions?: boolean
  newSecret?: boolean
}

async function restore(session: Session, file: string, options: RestoreOptions): Promise<void> {
  const settings = await session.settings()
  const { keepSessions = false, newSecret: hasNewSecret = false } = options
  if (keepSessions && hasNewSecret) throw usageError('--keep-sessions needs the secret of the backup.')
  const confirm = (what: string) => session.confirm(what)
  const manifest = await withBackup(file, options.identity, async (backup) => {
    const into = (target: RestoreTarget) =>
      restoreBackup(backup, { ...target, keepSessions, hasNewSecret }, confirm)
    if (settings.isRemote) await restoreRemote(backup, settings, hasNewSecret, into)
    else await restoreLocal(session, backup, hasNewSecret, into)
    return backup.manifest
  })
  session.report(
    manifest,
    `The station is restored as of ${manifest.takenAt}. Start it, then run: looptide metadata refresh --pending`,
  )
}

type Restore = (target: RestoreTarget) => Promise<void>

async function restoreRemote(
  backup: UnpackedBackup,
  settings: Settings,
  hasNewSecret: boolean,
  restoreInto: Restore,
): Promise<void> {
  const databaseUrl = required(settings.databaseUrl, 'DATABASE_URL')
  if (!hasNewSecret) {
    const { authKeySecret: current, previousAuthKeySecret: previous } = settings
    await requireSecret(backup, { current, previous, hint: 'set AUTH_KEY_SECRET to it' })
  }
  await restoreInto({ ...settings, databaseUrl })
}

/** A local station's stores run only with it: they are started without the services, and stopped again. */
async function restoreLocal(
  session: Session,
  backup: UnpackedBackup,
  hasNewSecret: boolean,
  restoreInto: Restore,
): Promise<void> {
  const { dataDir } = await session.settings()
  const secretsFile = join(dataDir, 'secrets.json')
  if (!hasNewSecret) {
    // Its tools read the backup.
    await obtain('postgres', (text) => session.note(text))
    const { authKey: current, previousAuthKey: previous } = await readSecrets(secretsFile)
    await requireSecret(backup, { current, previous, hint: `copy its secrets.json to ${secretsFile}` })
  }
  const station = new Station({ dataDir, env: session.terminal.env, services: [], quiet: true, tether: true })
  await station.start()
  try {
    const { databaseRoles, nats } = await readSecrets(secretsFile)
    await restoreInto({
      databaseUrl: station.databaseUrl,
      databasePasswords: databaseRoles ?? {},
      natsUrl: station.natsUrl,
      natsPassword: nats?.[STREAM_ADMIN],
      emptyNats: async () => {
        await station.halt('nats')
        await rm(join(dataDir, 'nats/store'), { recursive: true, force: true })
        await station.restart('nats')
      },
    })
    forgetFirstStart(dataDir)
  } finally {
    await station.stop()
  }
}
