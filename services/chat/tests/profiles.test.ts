import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLogger } from '@looptide/service-kit/logger'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { projectProfile } from '../src/features/people/people-repository.ts'
import { ProfileDirectory } from '../src/features/people/profile-directory.ts'
import { type ChatStage, setStage } from './fixtures.ts'

let stage: ChatStage
let auth: Server
let asked: string[]
let answer: (userId: string) => { status: number; body: unknown }
let directory: ProfileDirectory

beforeAll(async () => {
  stage = await setStage()
  auth = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const { status, body } = answer(path.slice('/api/profiles/'.length))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => auth.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  auth.closeAllConnections()
  auth.close()
  await stage.stop()
})
beforeEach(() => {
  asked = []
  answer = (userId) => ({
    status: 200,
    body: { userId, handle: 'asked', artistName: null, avatarUrl: null },
  })
  directory = new ProfileDirectory({
    db: stage.db,
    authUrl: `http://127.0.0.1:${(auth.address() as AddressInfo).port}`,
    logger: createLogger('test', 'silent'),
  })
})

const handleOf = async (userId: string): Promise<string | null | undefined> =>
  (await stage.db.selectFrom('profiles').select('handle').where('userId', '=', userId).executeTakeFirst())
    ?.handle

it('asks auth once for somebody no event has told of', async () => {
  const userId = randomUUID()
  await directory.introduce(userId)
  await directory.introduce(userId)
  expect(asked).toEqual([`/api/profiles/${userId}`])
  expect(await handleOf(userId)).toBe('asked')
})

it('asks nobody for somebody an event has told of', async () => {
  const userId = randomUUID()
  await projectProfile(stage.db, { userId, handle: 'told', artistName: null, version: 3 })
  await directory.introduce(userId)
  expect(asked).toEqual([])
})

it('takes an event’s word over what it asked, and a newer event’s over an older’s', async () => {
  const userId = randomUUID()
  await directory.introduce(userId)
  await projectProfile(stage.db, { userId, handle: 'new', artistName: null, version: 9 })
  await projectProfile(stage.db, { userId, handle: 'old', artistName: null, version: 8 })
  expect(await handleOf(userId)).toBe('new')
})

it.each([
  ['auth fails', () => ({ status: 503, body: {} })],
  ['auth knows nobody', () => ({ status: 404, body: {} })],
  ['auth answers something else', () => ({ status: 200, body: { keys: [] } })],
  [
    'auth answers somebody else',
    () => ({
      status: 200,
      body: { userId: randomUUID(), handle: 'x', artistName: null, avatarUrl: null },
    }),
  ],
])('holds nobody up when %s', async (_why, given) => {
  answer = given
  const userId = randomUUID()
  await directory.introduce(userId)
  await directory.introduce(userId)
  expect(asked).toHaveLength(1)
  expect(await handleOf(userId)).toBeUndefined()
})
