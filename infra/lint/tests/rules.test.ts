import { describe, expect, it } from 'vitest'
import { findDiscouragedWords } from '../discouraged-words.ts'
import {
  findLongHandlers,
  findMisplacedSql,
  findMissingDocstrings,
  findNameFaults,
  findReadmeFaults,
  findReExports,
  findRepositoryFaults,
} from '../rules.ts'

describe('SQL', () => {
  const service = 'services/chat/src/features/messages/message-service.ts'

  it.each([
    "await db.selectFrom('messages').execute()",
    "  .deleteFrom('messages')",
    "      .insertInto('messages')",
    'await sql`select 1`.execute(db)',
    'const { rows } = await sql<{ id: string }>`select id from messages`.execute(db)',
    'const batch = sql.raw(text)',
  ])('is found outside of a repository: %s', (line) => {
    expect(findMisplacedSql(service, `\n${line}\n`)).toEqual([expect.stringContaining(`${service}:2: `)])
  })

  it.each([
    'services/chat/src/features/messages/message-repository.ts',
    'services/chat/src/db/migrations/20261127000000-baseline.ts',
    'services/chat/src/features/messages/rate-limit.test.ts',
    'packages/service-kit/src/events/outbox.ts',
  ])('is permitted in %s', (path) => {
    expect(findMisplacedSql(path, "db.selectFrom('messages')")).toEqual([])
  })
})

describe('docstrings', () => {
  const path = 'web/src/lib/time/clock.ts'

  it.each([
    'export function now(): number {',
    'export async function read(): Promise<void> {',
    'export class Clock {',
    'export const now = (): number => Date.now()',
    'export const read: Reader = async (key) => {',
    'export const first = <T>(items: readonly T[]): T | undefined => items[0]',
  ])('are missed: %s', (line) => {
    expect(findMissingDocstrings(path, `\n${line}`)).toHaveLength(1)
    expect(findMissingDocstrings(path, `/** Why. */\n${line}`)).toEqual([])
  })

  it.each(['export const LIMIT = 3', 'export interface Clock {', 'function now(): number {'])(
    'are not required: %s',
    (line) => expect(findMissingDocstrings(path, `\n${line}`)).toEqual([]),
  )
})

describe('the README of a package', () => {
  it('has at most 25 lines', () => {
    const lines = (count: number): string => 'line\n'.repeat(count)
    expect(findReadmeFaults('services/chat/README.md', lines(25))).toEqual([])
    expect(findReadmeFaults('services/chat/README.md', lines(26))).toHaveLength(1)
    expect(findReadmeFaults('bench/README.md', lines(300))).toEqual([])
  })

  it('must exist', () => {
    expect(findReadmeFaults('services/chat/package.json', '{}')).toEqual([])
    expect(findReadmeFaults('services/missing/package.json', '{}')).toHaveLength(1)
  })
})

it('discouraged words are found, also as parts of names', () => {
  expect(findDiscouragedWords('a.ts', `const listWish = 1\nconst fine = 2`)).toHaveLength(1)
})

it.each(['export class Videos {', 'export const videos = {'])('a repository is no object: %s', (line) => {
  expect(findRepositoryFaults('services/chat/src/video-repository.ts', `\n${line}`)).toHaveLength(1)
  expect(findRepositoryFaults('services/chat/src/video-service.ts', `\n${line}`)).toEqual([])
})

it('a handler has at most 15 lines', () => {
  const handler = (lines: number) =>
    `  route(post, async ({ body }) => {\n${'    work()\n'.repeat(lines)}  }),\n`
  expect(findLongHandlers('services/chat/src/routes.ts', handler(15))).toEqual([])
  expect(findLongHandlers('services/chat/src/routes.ts', handler(16))).toHaveLength(1)
})

it.each(['web/src/ui/SelectField.tsx', 'web/src/ui/select_field.tsx'])('%s is not in kebab-case', (path) => {
  expect(findNameFaults(path)).toHaveLength(1)
})

it.each(['web/src/ui/select-field.test.tsx', 'services/chat/tests/_harness.ts', '.dependency-cruiser.mjs'])(
  '%s is a name of a file',
  (path) => expect(findNameFaults(path)).toEqual([]),
)

it.each(["export * from './a.ts'", "export { a } from './a.ts'", "export type { A } from '../a.ts'"])(
  'is no export of its own: %s',
  (line) => expect(findReExports('web/src/ui/b.ts', line)).toHaveLength(1),
)
