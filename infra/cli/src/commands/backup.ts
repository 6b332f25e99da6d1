import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { STREAM_ADMIN } from '@looptide/runner/backing/nats-permissions'
import { readSecrets } from '@looptide/runner/station/secrets'
import { Station } from '@looptide/runner/station/station'
import { type RestoreTarget, restoreBackup } from '../backup/restore-backup.ts'
import { takeBackup } from '../backup/take-backup.ts'
import { count } from '../count.ts'
import type { Session } from '../session.ts'
import { required } from '../settings.ts'
import type { AddCommands } from './add-commands.ts'

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
    .action(
      act((session, file: string, options: { keepSessions?: boolean; identity?: string }) =>
        restore(session, file, {
          keepSessions: options.keepSessions === true,
          identityPath: options.identity,
        }),
      ),
    )
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

type RestoreOptions = Pick<RestoreTarget, 'keepSessions' | 'identityPath'>

async function restore(session: Session, file: string, options: RestoreOptions): Promise<void> {
  const settings = await session.settings()
  const confirm = (what: string) => session.confirm(what)
  const manifest = settings.isRemote
    ? await restoreBackup(
        file,
        { ...settings, ...options, databaseUrl: required(settings.databaseUrl, 'DATABASE_URL') },
        confirm,
      )
    : await withLocalBacking(session, (target) => restoreBackup(file, { ...target, ...options }, confirm))
  session.report(
    manifest,
    `The station is restored as of ${manifest.takenAt}. Start it, then run: looptide metadata refresh --pending`,
  )
}

/** A local station's stores run only with it: they are started without the services, and stopped again. */
async function withLocalBacking<T>(
  session: Session,
  work: (target: RestoreTarget) => Promise<T>,
): Promise<T> {
  const { dataDir } = await session.settings()
  const station = new Station({ dataDir, env: session.terminal.env, services: [], quiet: true, tether: true })
  await station.start()
  try {
    const { databaseRoles, nats } = await readSecrets(join(dataDir, 'secrets.json'))
    return await work({
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
  } finally {
    await station.stop()
  }
}
