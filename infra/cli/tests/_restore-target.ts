import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DatabaseOwner, databaseOwnerNames } from '@looptide/backing/database/owners'
import { createDb, migrate } from '@looptide/service-kit/db/db'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import type { Backing } from '@looptide/testkit/backing'
import { startNats } from '@looptide/testkit/nats'
import { freshDatabase, startPostgres } from '@looptide/testkit/postgres'
import { withBackup } from '../src/backup/archive.ts'
import { type RestoreTarget, restoreBackup } from '../src/backup/restore-backup.ts'
import type { Settings } from '../src/settings.ts'

/** A database and NATS that backups are taken of and restored into. */
export interface TestTarget {
  /** Folder for backups. */
  folder: string
  nats: Backing
  database: Awaited<ReturnType<typeof freshDatabase>>
  target: RestoreTarget
  /** For `takeBackup`. */
  settings: Settings
  stop(): Promise<void>
}

/** Restores the backup at `path`; by default it replaces what exists. */
export const restore = (
  path: string,
  { identityPath, ...target }: RestoreTarget & { identityPath?: string },
  confirm: (what: string) => Promise<void> = async () => undefined,
): Promise<void> => withBackup(path, identityPath, (backup) => restoreBackup(backup, target, confirm))

/**
 * Creates all schemas. Those of an owner without a folder of migrations in `migrations` have no tables of a service. The
 * server is its own: a restore sets up the roles, which all databases of a server share.
 */
export async function startRestoreTarget(
  migrations: Partial<Record<DatabaseOwner, string>> = {},
): Promise<TestTarget> {
  const folder = await mkdtemp(join(tmpdir(), 'looptide-restore-test-'))
  const [nats, postgres] = await Promise.all([startNats(), startPostgres()])
  const database = await freshDatabase(postgres.url)
  const none = await mkdtemp(join(folder, 'none-'))
  for (const owner of databaseOwnerNames) {
    const own = createDb<unknown>(database.migrationUrlFor(owner), createLogger('test', 'silent'), 1)
    await migrate(own, migrations[owner] ?? none)
    await own.destroy()
  }
  const passwordOf = (owner: DatabaseOwner): string => new URL(database.urlFor(owner)).password
  const target = {
    databaseUrl: database.adminUrl,
    databasePasswords: Object.fromEntries(databaseOwnerNames.map((owner) => [owner, passwordOf(owner)])),
    natsUrl: nats.url,
    natsPassword: undefined,
  }
  const nobody = {
    url: undefined,
    token: undefined,
    email: undefined,
    password: undefined,
    authKeySecret: undefined,
  }
  return {
    folder,
    nats,
    database,
    target,
    settings: { ...target, ...nobody, dataDir: folder, isRemote: true },
    stop: async () => {
      await database.drop()
      await postgres.stop()
      await nats.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
