import type { WordEntry } from '@looptide/contracts/http/word-list'
import type { RunningService } from '@looptide/service-kit/process/service-process'
import { clientOf } from '@looptide/testkit/client'
import { contentsOf } from '@looptide/testkit/stream-contents'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ChatClient, type ChatHarness, startChatHarness } from './_harness.ts'

let harness: ChatHarness
let replica1: RunningService
let replica2: RunningService
let ann: [ChatClient, ChatClient]
let moderator: ChatClient
const channel = 'c'

beforeAll(async () => {
  harness = await startChatHarness()
  const annAccount = await harness.identity.createUser()
  const moderatorAccount = await harness.identity.createUser('moderator')
  replica1 = await harness.serve({ rateLimitFactor: 1000 })
  replica2 = await harness.serve({ rateLimitFactor: 1000 })
  ann = [new ChatClient(replica1.url, annAccount), new ChatClient(replica2.url, annAccount)]
  moderator = new ChatClient(replica1.url, moderatorAccount)
  await harness.publish('stream.channel.created.v1', channel, {
    channelId: channel,
    name: 'C',
    isActive: true,
  })
  await replica1.processAll()
})
afterAll(() => harness.stop())
beforeEach(() => save([]))

const entry = (action: WordEntry['action'], text: string, kind: WordEntry['kind'] = 'word'): WordEntry => ({
  action,
  kind,
  text,
})
const api = () => clientOf(replica1.url, moderator.person!.token)
const save = (entries: WordEntry[]) => api().call('PUT /api/chat/word-list', { body: { entries } })

describe('the word list', () => {
  it('applies to the next message at every replica, and to no stored one', async () => {
    const before = await ann[1].post(channel, 'buy spam')
    for (const text of ['spam', 'ham']) {
      await save([entry('refuse', text)])
      const answers = await Promise.all(
        ann.map((client) => client.post(channel, `buy ${text.toUpperCase()}!`)),
      )
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
        [422, 'message_refused'],
        [422, 'message_refused'],
      ])
    }
    expect((await ann[1].post(channel, 'buy spam')).status).toBe(201)
    expect((await ann[0].read(channel)).items.map(({ id }) => id)).toContain(before.body.id)
  })

  it('stores and publishes a masked message without its words', async () => {
    await save([entry('mask', 'darn')])
    const posted = await ann[0].post(channel, 'what the DARN, ann')
    expect(posted.body.message).toBe('what the ****, ann')
    expect((await ann[1].read(channel)).items.at(-1)?.message).toBe('what the ****, ann')
  })

  it('does not apply to moderators', async () => {
    await save([entry('refuse', 'spam')])
    expect((await moderator.post(channel, 'no spam here, please')).status).toBe(201)
  })

  it('takes no token from the sender of a refused message, and refuses a repeated one again', async () => {
    await save([entry('refuse', 'spam')])
    const clientId = crypto.randomUUID()
    for (const client of ann) expect((await client.post(channel, 'spam', clientId)).status).toBe(422)
    expect((await ann[0].post(channel, 'hello', clientId)).status).toBe(201)
  })
})

describe('a stored list with entries that cannot be used', () => {
  it('applies without them, and names them', async () => {
    await save([entry('refuse', 'spam')])
    const stored = [entry('refuse', 'a(b', 'pattern'), entry('refuse', 'spam'), { action: 'burn' }]
    await sql`update word_list set entries = ${JSON.stringify(stored)}::jsonb, version = version + 1`.execute(
      harness.db,
    )
    expect((await ann[0].post(channel, 'hello')).status).toBe(201)
    expect((await ann[1].post(channel, 'spam')).status).toBe(422)
    const { entries, problems } = await api().call('GET /api/chat/word-list', {})
    expect(entries).toHaveLength(2)
    expect(problems.map(({ path }) => path)).toEqual(['/entries/0/text', '/entries'])
    await save(entries.slice(1))
    expect((await api().call('GET /api/chat/word-list', {})).problems).toEqual([])
  })
})

it('the longest list is accepted, and a longer body is refused', async () => {
  const longest = Array.from({ length: 1000 }, (_, i) => entry('mask', `${i}${'𝐱'.repeat(96)}`))
  expect((await save(longest)).entries).toHaveLength(1000)
  const answer = await moderator.request<{ code: string }>('PUT', '/api/chat/word-list', {
    entries: [entry('mask', 'x'.repeat(1_000_000))],
  })
  expect([answer.status, answer.body.code]).toEqual([413, 'payload_too_large'])
})

describe('changing the word list', () => {
  it('needs the version that it is based on, and records what was added and removed', async () => {
    const path = '/api/chat/word-list'
    await save([entry('refuse', 'spam'), entry('mask', 'darn')])
    const { headers } = await moderator.request('GET', path)
    const etag = headers.get('etag') ?? ''
    const put = (text: string) =>
      fetch(`${replica2.url}${path}`, {
        method: 'PUT',
        headers: { ...moderator.person!.headers, 'content-type': 'application/json', 'if-match': etag },
        body: JSON.stringify({ entries: [entry('refuse', 'spam'), entry('mask', text)] }),
      })
    expect((await put('heck')).status).toBe(200)
    expect((await put('drat')).status).toBe(412)
    expect((await api().call('GET /api/chat/word-list', {})).entries.map(({ text }) => text)).toEqual([
      'spam',
      'heck',
    ])
    await replica1.processAll()
    const audits = (await contentsOf(harness.nats, 'AUDIT')).filter(
      ({ type, data }) =>
        type === 'chat.audit.recorded.v1' && (data as { action: string }).action === 'chat_word_list.update',
    )
    expect(audits.at(-1)?.data).toMatchObject({
      before: { entries: [entry('mask', 'darn')] },
      after: { entries: [entry('mask', 'heck')] },
      details: { count: 2 },
    })
  })

  it('refuses wrong entries with their places and changes nothing', async () => {
    await save([entry('refuse', 'spam')])
    for (const entries of [
      [entry('mask', 'ok'), entry('refuse', 'ab(c', 'pattern')],
      [entry('mask', 'ok'), entry('mask', '?!')],
    ]) {
      for (const [method, path, body] of [
        ['PUT', '/api/chat/word-list', { entries }],
        ['POST', '/api/chat/word-list/try', { entries, message: 'x' }],
      ] as const) {
        const answer = await moderator.request<{ code: string; problems: { path: string }[] }>(
          method,
          path,
          body,
        )
        expect(answer.status).toBe(400)
        expect(answer.body.code).toBe('word_list_invalid')
        expect(answer.body.problems.map(({ path }) => path)).toEqual(['/entries/1/text'])
      }
    }
    const tooMany = Array.from({ length: 1001 }, (_, i) => entry('mask', `w${i}`))
    expect((await moderator.request('PUT', '/api/chat/word-list', { entries: tooMany })).status).toBe(400)
    expect((await ann[0].post(channel, 'spam')).status).toBe(422)
  })

  it('is for moderators', async () => {
    for (const [method, path] of [
      ['GET', '/api/chat/word-list'],
      ['PUT', '/api/chat/word-list'],
      ['POST', '/api/chat/word-list/try'],
    ] as const) {
      expect((await ann[0].request(method, path, method === 'GET' ? undefined : {})).status).toBe(403)
    }
  })
})

it('trying a text says what would happen with unsaved entries, and stores nothing', async () => {
  const entries = [entry('mask', 'darn'), entry('refuse', 'spam+', 'pattern')]
  const trial = (message: string) =>
    api().call('POST /api/chat/word-list/try', { body: { entries, message } })
  expect(await trial('hello')).toEqual({ outcome: 'post', message: 'hello', matches: [] })
  expect(await trial('darn it')).toEqual({ outcome: 'mask', message: '**** it', matches: [0] })
  expect(await trial('darn SPAMMM')).toMatchObject({ outcome: 'refuse', matches: [0, 1] })
  expect((await api().call('GET /api/chat/word-list', {})).entries).toEqual([])
})
