import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DatabaseOwner, databaseOwnerNames } from '@looptide/runner/database/owners'
import { withClient } from '@looptide/runner/database/set-up'
import { createDb, migrate } from '@looptide/service-kit/db/db'
import { connect, jetstream } from '@looptide/service-kit/events/nats-client'
import { createLogger } from '@looptide/service-kit/process/logger'
import type { Backing } from '@looptide/testkit/backing'
import { startNats } from '@looptide/testkit/nats'
import { freshDatabase } from '@looptide/testkit/postgres'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DUMP_FILE, digestOf, readArchive, writeArchive } from '../src/backup/archive.ts'
import { type RestoreTarget, restoreBackup } from '../src/backup/restore-backup.ts'
import { takeBackup } from '../src/backup/take-backup.ts'

let folder: string
let backing: Backing
let database: Awaited<ReturnType<typeof freshDatabase>>
let target: RestoreTarget
let file: string
let identity: string
const sealedFile = (): string => join(folder, 'sealed')
const sessions = (): Promise<number> =>
  withClient(database.adminUrl, async (client) => {
    const { rows } = await client.query<{ n: number }>('SELECT count(*)::int AS n FROM auth.sessions')
    return rows[0]?.n ?? 0
  })
const agree = async (): Promise<void> => undefined

const notes = (): Promise<string[]> =>
  withClient(database.adminUrl, async (client) => {
    const { rows } = await client.query<{ text: string }>('SELECT text FROM chat.notes ORDER BY text')
    return rows.map(({ text }) => text)
  })
const write = (text: string): Promise<unknown> =>
  withClient(database.urlFor('chat'), (client) => client.query('INSERT INTO notes VALUES ($1)', [text]))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'looptide-restore-test-'))
  backing = await startNats()
  database = await freshDatabase()
  const noFurther = await mkdtemp(join(folder, 'none-'))
  for (const owner of databaseOwnerNames) {
    const own = createDb<unknown>(database.migrationUrlFor(owner), createLogger('test', 'silent'), 1)
    await migrate(own, noFurther)
    await own.destroy()
  }
  await withClient(database.urlFor('chat'), (client) => client.query('CREATE TABLE notes (text text)'))
  await withClient(database.urlFor('auth'), (client) =>
    client.query('CREATE TABLE sessions (id int); INSERT INTO sessions VALUES (1)'),
  )
  await write('before')
  const passwordOf = (owner: DatabaseOwner): string => new URL(database.urlFor(owner)).password
  target = {
    databaseUrl: database.adminUrl,
    databasePasswords: Object.fromEntries(databaseOwnerNames.map((owner) => [owner, passwordOf(owner)])),
    natsUrl: backing.url,
    natsPassword: undefined,
  }
  file = join(folder, 'backup')
  const nobody = {
    url: undefined,
    token: undefined,
    email: undefined,
    password: undefined,
    authKeySecret: undefined,
  }
  const settings = { ...target, ...nobody, dataDir: folder, isRemote: true }
  await takeBackup(file, settings)
  identity = await generateIdentity()
  await takeBackup(sealedFile(), settings, [await identityToRecipient(identity)])
  await write('after')
})
afterAll(async () => {
  await database.drop()
  await backing.stop()
  await rm(folder, { recursive: true, force: true })
})

it('is refused while a service is connected', async () => {
  const restoring = withClient(database.urlFor('chat'), () => restoreBackup(file, target, agree))
  await expect(restoring).rejects.toThrow('Stop the services first: looptide_chat')
})

it('is refused over existing data without confirmation', async () => {
  const refuse = (what: string) => Promise.reject(new Error(what))
  await expect(restoreBackup(file, target, refuse)).rejects.toThrow('This replaces the data of the database')
  expect(await notes()).toEqual(['after', 'before'])
})

it('keeps existing data when it fails', async () => {
  const unpacked = await mkdtemp(join(folder, 'unpacked-'))
  const manifest = await readArchive(file, unpacked)
  await truncate(join(unpacked, DUMP_FILE), 5000)
  const files = { ...manifest.files, [DUMP_FILE]: await digestOf(join(unpacked, DUMP_FILE)) }
  const broken = join(folder, 'broken')
  await writeArchive(broken, unpacked, { ...manifest, files })
  await expect(restoreBackup(broken, target, agree)).rejects.toThrow('pg_restore')
  expect(await notes()).toEqual(['after', 'before'])
})

it('restores what was saved, and nothing else', async () => {
  await restoreBackup(file, target, agree)
  expect(await notes()).toEqual(['before'])
  await write('as its owner')
})

it('ends all sessions, unless the option keeps them', async () => {
  expect(await sessions()).toBe(0)
  await restoreBackup(file, { ...target, keepSessions: true }, agree)
  expect(await sessions()).toBe(1)
  await write('as its owner')
})

it('opens an encrypted backup with its identity only', async () => {
  expect((await readFile(sealedFile())).toString('latin1')).not.toMatch(/manifest|database\.dump|ustar/)
  await expect(restoreBackup(sealedFile(), target, agree)).rejects.toThrow('--identity')
  const keyFile = async (name: string, text: string) => {
    const path = join(folder, name)
    await writeFile(path, `# created by a test\n${text}\n`)
    return path
  }
  const other = await keyFile('other.key', await generateIdentity())
  await expect(restoreBackup(sealedFile(), { ...target, identityPath: other }, agree)).rejects.toThrow(
    'not encrypted for the identities',
  )
  const identityPath = await keyFile('own.key', identity)
  await expect(restoreBackup(file, { ...target, identityPath }, agree)).rejects.toThrow('is not encrypted')
  expect(await notes()).toEqual(['as its owner', 'before'])
  await restoreBackup(sealedFile(), { ...target, identityPath }, agree)
  expect(await notes()).toEqual(['before'])
  await write('as its owner')
})

it('is refused while NATS contains other events', async () => {
  const nats = await connect({ servers: backing.url })
  await jetstream(nats).publish('auth.user.deleted.v1', '{}')
  await nats.close()
  await expect(restoreBackup(file, target, agree)).rejects.toThrow('empty its store')
  expect(await notes()).toEqual(['as its owner', 'before'])
})
