import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { repositoryRoot } from '../../../packages/backing/src/paths.ts'
import { createMigration } from './create-migration.ts'

const FOLDER = 'services/chat/src/db/migrations'
let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'looptide-migration-'))
  mkdirSync(join(root, FOLDER), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const create = (service?: string, name?: string) =>
  createMigration({ root, service, name, now: new Date('2030-02-03T04:05:06.789Z') })

it('writes a migration that runs after all others of the service', () => {
  const path = create('chat', 'pinned-messages')
  expect(path).toBe(`${FOLDER}/20300203040506-pinned-messages.ts`)
  const existing = readdirSync(join(repositoryRoot, FOLDER))
  expect([...existing, '20300203040506-pinned-messages.ts'].sort().at(-1)).toBe(
    '20300203040506-pinned-messages.ts',
  )
  expect(readdirSync(join(root, FOLDER))).toEqual(['20300203040506-pinned-messages.ts'])
})

it('writes a migration that fails until it is filled in, in the form of the others', () => {
  const text = readFileSync(join(root, create('chat', 'pinned-messages')), 'utf8')
  expect(text).toMatch(
    /^import .* from 'kysely'\n\n\/\*\* .* \*\/\nexport async function up\(db: Kysely<unknown>\)/,
  )
  // Postgres has no such function.
  expect(text).toContain('select fill_in_this_migration()')
})

it('does not overwrite an existing file', () => {
  create('chat', 'pinned-messages')
  expect(() => create('chat', 'pinned-messages')).toThrow('exists already')
})

it('names the services with a database, and the form of a name', () => {
  expect(() => create('gateway', 'x')).toThrow(
    'Name a service with a database: auth, catalogue, stream-scheduler, chat, audience, admin-audit.',
  )
  expect(() => create()).toThrow('Name a service')
  for (const name of [undefined, 'Pinned', 'a b', '../x'])
    expect(() => create('chat', name)).toThrow('Name the migration')
})
