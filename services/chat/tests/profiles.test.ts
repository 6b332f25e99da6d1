import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { ProfileLoader } from '../src/features/users/profile-loader.ts'
import { projectProfile } from '../src/features/users/user-repository.ts'
import { type ChatHarness, startChatHarness } from './_harness.ts'

let harness: ChatHarness
let auth: Server
let fetched: string[]
let answer: (userId: string) => { status: number; body: unknown }
let loader: ProfileLoader

beforeAll(async () => {
  harness = await startChatHarness()
  auth = createServer((request, response) => {
    const path = request.url ?? ''
    fetched.push(path)
    const { status, body } = answer(path.slice('/api/profiles/'.length))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => auth.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  auth.closeAllConnections()
  auth.close()
  await harness.stop()
})
beforeEach(() => {
  fetched = []
  answer = (userId) => ({
    status: 200,
    body: { userId, handle: 'fetched', artistName: null, avatarUrl: null },
  })
  loader = new ProfileLoader({
    db: harness.db,
    authUrl: `http://127.0.0.1:${(auth.address() as AddressInfo).port}`,
    logger: createLogger('test', 'silent'),
  })
})

const handleOf = async (userId: string): Promise<string | null | undefined> =>
  (await harness.db.selectFrom('profiles').select('handle').where('userId', '=', userId).executeTakeFirst())
    ?.handle

it('fetches a profile from auth once if no event has brought it', async () => {
  const userId = randomUUID()
  await loader.ensureProfile(userId)
  await loader.ensureProfile(userId)
  expect(fetched).toEqual([`/api/profiles/${userId}`])
  expect(await handleOf(userId)).toBe('fetched')
})

it('fetches nothing if an event has brought the profile', async () => {
  const userId = randomUUID()
  await projectProfile(harness.db, {
    userId,
    handle: 'from an event',
    artistName: null,
    registeredAt: null,
    version: 3,
  })
  await loader.ensureProfile(userId)
  expect(fetched).toEqual([])
})

it('prefers an event to a fetched profile, and a newer event to an older one', async () => {
  const userId = randomUUID()
  await loader.ensureProfile(userId)
  await projectProfile(harness.db, {
    userId,
    handle: 'new',
    artistName: null,
    registeredAt: null,
    version: 9,
  })
  await projectProfile(harness.db, {
    userId,
    handle: 'old',
    artistName: null,
    registeredAt: null,
    version: 8,
  })
  expect(await handleOf(userId)).toBe('new')
})

it.each([
  ['auth fails', () => ({ status: 503, body: {} })],
  ['auth does not know the user', () => ({ status: 404, body: {} })],
  ['auth answers something that is not a profile', () => ({ status: 200, body: { keys: [] } })],
  [
    'auth returns the profile of another user',
    () => ({
      status: 200,
      body: { userId: randomUUID(), handle: 'x', artistName: null, avatarUrl: null },
    }),
  ],
])('continues without a name when %s', async (_why, given) => {
  answer = given
  const userId = randomUUID()
  await loader.ensureProfile(userId)
  await loader.ensureProfile(userId)
  expect(fetched).toHaveLength(1)
  expect(await handleOf(userId)).toBeUndefined()
})
