import { mkdtemp, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withClient } from '@looptide/backing/database/set-up'
import { connect, jetstream } from '@looptide/service-kit/events/nats-client'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DUMP_FILE, digestOf, readArchive, writeArchive } from '../src/backup/archive.ts'
import type { RestoreTarget } from '../src/backup/restore-backup.ts'
import { takeBackup } from '../src/backup/take-backup.ts'
import { restore, startRestoreTarget, type TestTarget } from './_restore-target.ts'

let test: TestTarget
let target: RestoreTarget
let file: string
let identity: string
const sealedFile = (): string => join(test.folder, 'sealed')
const sessions = (): Promise<number> =>
  withClient(test.database.adminUrl, async (client) => {
    const { rows } = await client.query<{ n: number }>('SELECT count(*)::int AS n FROM auth.sessions')
    return rows[0]?.n ?? 0
  })

const notes = (): Promise<string[]> =>
  withClient(test.database.adminUrl, async (client) => {
    const { rows } = await client.query<{ text: string }>('SELECT text FROM chat.notes ORDER BY text')
    return rows.map(({ text }) => text)
  })
const write = (text: string): Promise<unknown> =>
  withClient(test.database.urlFor('chat'), (client) => client.query('INSERT INTO notes VALUES ($1)', [text]))

beforeAll(async () => {
  test = await startRestoreTarget()
  target = test.target
  await withClient(test.database.urlFor('chat'), (client) => client.query('CREATE TABLE notes (text text)'))
  // A backup of an older release: auth lacks tables that were added since.
  await withClient(test.database.urlFor('auth'), (client) =>
    client.query('CREATE TABLE sessions (id int); INSERT INTO sessions VALUES (1)'),
  )
  await write('before')
  file = join(test.folder, 'backup')
  await takeBackup(file, test.settings)
  identity = await generateIdentity()
  await takeBackup(sealedFile(), test.settings, [await identityToRecipient(identity)])
  await write('after')
})
afterAll(() => test.stop())

it('is refused while a service is connected', async () => {
  const restoring = withClient(test.database.urlFor('chat'), () => restore(file, target))
  await expect(restoring).rejects.toThrow('Stop the services first: looptide_chat')
})

it('is refused over existing data without confirmation', async () => {
  const refuse = (what: string) => Promise.reject(new Error(what))
  await expect(restore(file, target, refuse)).rejects.toThrow('This replaces the data of the database')
  expect(await notes()).toEqual(['after', 'before'])
})

it('keeps existing data when it fails', async () => {
  const unpacked = await mkdtemp(join(test.folder, 'unpacked-'))
  const manifest = await readArchive(file, unpacked)
  await truncate(join(unpacked, DUMP_FILE), 5000)
  const files = { ...manifest.files, [DUMP_FILE]: await digestOf(join(unpacked, DUMP_FILE)) }
  const broken = join(test.folder, 'broken')
  await writeArchive(broken, unpacked, { ...manifest, files })
  await expect(restore(broken, target)).rejects.toThrow('pg_restore')
  expect(await notes()).toEqual(['after', 'before'])
})

it('restores what was saved, and nothing else', async () => {
  await restore(file, target)
  expect(await notes()).toEqual(['before'])
  await write('as its owner')
})

it('ends all sessions, unless the option keeps them', async () => {
  expect(await sessions()).toBe(0)
  await restore(file, { ...target, keepSessions: true })
  expect(await sessions()).toBe(1)
  await write('as its owner')
})

it('opens an encrypted backup with its identity only', async () => {
  expect((await readFile(sealedFile())).toString('latin1')).not.toMatch(/manifest|database\.dump|ustar/)
  await expect(restore(sealedFile(), target)).rejects.toThrow('--identity')
  const keyFile = async (name: string, text: string) => {
    const path = join(test.folder, name)
    await writeFile(path, `# created by a test\n${text}\n`)
    return path
  }
  const other = await keyFile('other.key', await generateIdentity())
  await expect(restore(sealedFile(), { ...target, identityPath: other })).rejects.toThrow(
    'not encrypted for the identities',
  )
  const identityPath = await keyFile('own.key', identity)
  await expect(restore(file, { ...target, identityPath })).rejects.toThrow('is not encrypted')
  expect(await notes()).toEqual(['as its owner', 'before'])
  await restore(sealedFile(), { ...target, identityPath })
  expect(await notes()).toEqual(['before'])
  await write('as its owner')
})

it('is refused while NATS contains other events', async () => {
  const nats = await connect({ servers: test.nats.url })
  await jetstream(nats).publish('auth.user.deleted.v1', '{}')
  await nats.close()
  await expect(restore(file, target)).rejects.toThrow('empty its store')
  expect(await notes()).toEqual(['as its owner', 'before'])
})
