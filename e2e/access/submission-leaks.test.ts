import type { SubmissionPage } from '@looptide/contracts/http/submissions'
import type { Video } from '@looptide/contracts/http/videos'
import type { Station } from '@looptide/runner/station/station'
import { startTestStation } from '@looptide/test-station/station'
import { bearerOf } from '@looptide/testkit/client'
import { startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Accounts, createAccounts, requestOf } from '../support/access/accounts.ts'
import type { Requester } from '../support/access/requesters.ts'
import { BareSocket } from '../support/bare-socket.ts'
import { ALL_RULES, routeOf } from '../support/route-rules.ts'

/** YouTube id of the stranger's submission (see `createAccounts`), and of a second one, created while sockets listen. */
const FIRST = { youtubeId: 'accessnosee', title: 'Unmistakable First' }
const SECOND = { youtubeId: 'accessunsee', title: 'Unmistakable Second' }
const UPLOADER = 'Unmistakable Uploader'

/** Paths on which moderators and admins may see it. */
const FOR_REVIEW = /^\/api\/(?:submissions|videos\/[0-9a-f-]{36}|videos\/lookup)(?:\?|$)/
/** The metadata queue, which also looks submissions up. */
const FOR_LIBRARY_EDITORS = /^\/api\/metadata\/jobs(?:\?|$)/
/** Paths on which submitters may see their own. */
const FOR_SUBMITTERS =
  /^\/api\/(?:submissions\/own|videos\/[0-9a-f-]{36}|videos\/lookup|playlists\/[0-9a-f-]{36}\/items|export\/(?:videos|playlists))(?:\?|$)/

let youtube: Awaited<ReturnType<typeof startFakeYoutube>>
let station: Station
let accounts: Accounts
/** `stranger` is the submitter. */
const people = [
  'anonymous',
  'user',
  'restricted',
  'programmer',
  'curator',
  'moderator',
  'admin',
  'stranger',
] as const
type Person = (typeof people)[number]

const tokenOf = (person: Person): string | undefined =>
  person === 'stranger' ? accounts.stranger.token : accounts.requesters[person]?.token

beforeAll(async () => {
  youtube = await startFakeYoutube()
  for (const { youtubeId, title } of [FIRST, SECOND]) youtube.set(youtubeId, { title, channel: UPLOADER })
  station = await startTestStation({ fakeYoutube: youtube.url, processes: 'one' })
  accounts = await createAccounts(station.url)
  const { submissionId, publicId } = accounts.stranger
  await until('the submission has its title', async () => {
    const { title } = (await must('stranger', 'GET', `/api/videos/${submissionId}`)) as Video
    return title === FIRST.title
  })
  await must('stranger', 'POST', `/api/playlists/${publicId}/items`, { videoId: submissionId })
})
afterAll(async () => {
  await station.stop()
  await youtube.stop()
})

async function ask(person: Person, method: string, path: string, body?: object) {
  const token = tokenOf(person)
  const response = await fetch(`${station.url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      accept: path.startsWith('/api/') ? 'application/json' : 'text/html',
      ...(token === undefined ? {} : bearerOf(token)),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, text: await textOf(response) }
}

/** The body of a response; of an event stream, which does not end, the first message. */
async function textOf(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return response.text()
  let text = ''
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part
    if (text.includes('\n\n')) break
  }
  return text
}

async function must(person: Person, method: string, path: string, body?: object): Promise<unknown> {
  const { status, text } = await ask(person, method, path, body)
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`)
  return JSON.parse(text)
}

/** All GET routes of the access table; those with a video, text or artist get the submission's. */
function readPaths(person: Person): string[] {
  const requester: Requester = person === 'stranger' ? 'user' : person
  const ruled = ALL_RULES.filter(([row]) => row.startsWith('GET /') && !row.includes('websocket')).map(
    ([row, rule]) => requestOf(routeOf(row), rule, requester, accounts).path,
  )
  const { submissionId: id, publicId, id: userId } = accounts.stranger
  return [
    ...ruled,
    `/api/videos/${id}`,
    `/api/videos/lookup?ids=${id}`,
    '/api/videos?q=unmistakable',
    '/api/videos?all=true',
    '/api/videos?all=true&q=unmistakable',
    ...['title', 'artist', 'newest'].map((sort) => `/api/videos?sort=${sort}`),
    '/api/search?q=unmistakable',
    `/api/search?artist=${encodeURIComponent(UPLOADER)}`,
    `/api/home?seed=${id}`,
    `/api/playlists/${publicId}/items`,
    `/api/playlists?userId=${userId}`,
    '/api/channels/default/guide?hours=26',
    '/api/channels/default/playlist',
    `/videos/${id}`,
    `/playlists/${publicId}`,
    '/live',
    '/',
    '/sitemap.xml',
  ]
}

const isAllowed = (person: Person, path: string): boolean => {
  if (person === 'moderator') return FOR_REVIEW.test(path)
  if (person === 'programmer') return FOR_LIBRARY_EDITORS.test(path)
  if (person === 'admin') return FOR_REVIEW.test(path) || FOR_LIBRARY_EDITORS.test(path)
  return person === 'stranger' && FOR_SUBMITTERS.test(path)
}

/** Data of the submission in a response. A video's page contains its own URL, and so the id. */
const needlesIn = (path: string, text: string, id: string): string[] =>
  [id, FIRST.youtubeId, 'Unmistakable', SECOND.youtubeId].filter(
    (needle) => text.includes(needle) && !(path.startsWith('/videos/') && needle === id),
  )

it.each(people)('%s cannot read a submission without permission', async (person) => {
  const leaks: unknown[] = []
  for (const path of new Set(readPaths(person))) {
    const { text } = await ask(person, 'GET', path)
    const found = needlesIn(path, text, accounts.stranger.submissionId)
    if (found.length > 0 && !isAllowed(person, path)) leaks.push({ path, found })
  }
  expect(leaks).toEqual([])
})

it('an export does not contain it, and it does not count in playlists for others', async () => {
  const exported = await ask('admin', 'POST', '/api/videos/export', {})
  expect(exported.text).toContain('accesstable')
  expect(needlesIn('', exported.text, accounts.stranger.submissionId)).toEqual([])
  const countFor = async (person: Person): Promise<number> => {
    const { publicId } = accounts.stranger
    return ((await must(person, 'GET', `/api/playlists/${publicId}`)) as { itemCount: number }).itemCount
  }
  expect([await countFor('stranger'), await countFor('user'), await countFor('anonymous')]).toEqual([2, 1, 1])
})

it('an admin cannot put it on the air or the home page', async () => {
  const videoIds = [accounts.stranger.submissionId]
  for (const path of ['/api/live-playlist', '/api/channels/default/playlist'])
    expect((await ask('admin', 'POST', path, { videoIds })).status).toBe(404)
  const hero = { videoId: videoIds[0], sectionType: 'hero' }
  expect((await ask('admin', 'POST', '/api/curation', hero)).status).toBe(409)
})

it('sockets of viewers receive nothing about a submission, moderators and its submitter are notified', async () => {
  const listen = async (person: Person, topics: string[]): Promise<BareSocket> => {
    const socket = await BareSocket.open(station.url)
    for (const topic of topics) await socket.join(topic, tokenOf(person))
    return socket
  }
  const open = ['stream:default', 'chat:default', 'station', 'guide']
  const visitor = await listen('anonymous', open)
  const user = await listen('user', [...open, `user:${accounts.requesters.user?.id}`])
  const moderator = await listen('moderator', ['moderation'])
  const submitter = await listen('stranger', [`user:${accounts.stranger.id}`])
  const added = (await must('stranger', 'POST', '/api/videos', {
    urls: [`https://youtu.be/${SECOND.youtubeId}`],
  })) as { lines: { video: Video }[] }
  const id = added.lines[0]?.video.id ?? ''
  await until('moderators are notified', () => moderator.received.includes(id))
  await until('it has its title', async () => {
    const { title } = (await must('moderator', 'GET', `/api/videos/${id}`)) as Video
    return title === SECOND.title
  })
  await must('moderator', 'POST', '/api/submissions/reject', { ids: [id], reason: 'Not music' })
  await until('the submitter is notified', () => submitter.received.includes('Not music'))
  for (const socket of [visitor, user]) {
    expect(needlesIn('', socket.received, id)).toEqual([])
    socket.close()
  }
  moderator.close()
  submitter.close()
})

it('once accepted it is visible everywhere and on the chosen channel', async () => {
  const { submissionId: id } = accounts.stranger
  const { items } = (await must('moderator', 'GET', '/api/submissions')) as SubmissionPage
  expect(items.map((entry) => entry.video.id)).toContain(id)
  await must('moderator', 'POST', '/api/submissions/accept', {
    ids: [id],
    category: 'Must Watch',
    channelId: 'default',
  })
  for (const path of ['/api/search?q=unmistakable', '/api/home', `/api/videos/${id}`, `/videos/${id}`]) {
    await until(`visitors find it at ${path}`, async () =>
      (await ask('anonymous', 'GET', path)).text.includes(FIRST.title),
    )
  }
  await until('it is on the channel', async () =>
    (await ask('admin', 'GET', '/api/live-playlist')).text.includes(FIRST.title),
  )
})
