import { randomUUID } from 'node:crypto'
import type { Video, VideoPage } from '@looptide/contracts/http/videos'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf, type TestClient } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { startChannel } from '../support/channels.ts'
import { signIn, signUp, type Viewer } from '../support/people.ts'
import type { StationData } from './scene.ts'

const DEFAULT_CHANNEL = 'default'
/** Id of a video that the fake YouTube reports as removed. */
export const GONE_VIDEO = 'gonevideo01'

const CHAT: readonly [who: string, text: string][] = [
  ['otis', 'Good evening from Lisbon'],
  ['priya', 'Is everyone at the same second?'],
  ['admin', 'Within a tenth of a second, yes.'],
  ['jonas', 'that intro, every single time'],
  ['jonas', 'volume up'],
  [
    'marlene',
    'My father had this on a cassette he taped off the radio. The DJ talked over the first eight bars.',
  ],
  ['otis', 'they always did'],
  ['ines', 'What comes after this one?'],
  ['priya', 'It says so at the bottom right'],
  ['marlene', 'Staying for two more, then really to bed'],
]

type People = Record<string, Viewer>

async function invite(url: string, names: readonly [handle: string, artistName: string | null][]) {
  const people: People = {}
  for (const [handle, artistName] of names) {
    const viewer = await signUp(url, handle)
    await clientOf(url, viewer.accessToken).call('PATCH /api/profiles/:id', {
      params: { id: viewer.id },
      body: { handle, artistName },
    })
    people[handle] = viewer
  }
  return people
}

async function library(url: string, token: string): Promise<(title: string) => Video> {
  const { items }: VideoPage = await clientOf(url, token).call('GET /api/videos', { query: { limit: 100 } })
  return (title) => {
    const found = items.find((video) => video.title === title)
    if (!found) throw new Error(`There is no ${title} in the demo library.`)
    return found
  }
}

/** Creates a playlist and returns its id. */
async function makePlaylist(
  url: string,
  token: string,
  list: { name: string; description: string; isPublic: boolean; videos: readonly Video[] },
): Promise<string> {
  const { name, description, isPublic, videos } = list
  const { id } = await clientOf(url, token).call('POST /api/playlists', { body: { name, description } })
  for (const video of videos) {
    await clientOf(url, token).call('POST /api/playlists/:id/items', {
      params: { id },
      body: { videoId: video.id },
    })
  }
  await clientOf(url, token).call('PATCH /api/playlists/:id', {
    params: { id },
    body: { isPublic, loopMode: 'playlist' },
  })
  return id
}

async function curate(url: string, token: string, of: (title: string) => Video): Promise<void> {
  const put = (
    title: string,
    sectionType: 'hero' | 'featured' | 'category',
    sectionName: string | null = null,
  ) =>
    clientOf(url, token).call('POST /api/curation', {
      body: { videoId: of(title).id, sectionType, sectionName },
    })
  await put('Take On Me', 'hero')
  for (const title of ['Bohemian Rhapsody', 'Uptown Funk', 'Blinding Lights']) await put(title, 'featured')
  for (const title of ['Billie Jean', 'Thriller', 'Never Gonna Give You Up', "Sweet Child O' Mine"]) {
    await put(title, 'category', 'Back to the Eighties')
  }
}

async function talk(url: string, people: People, adminToken: string): Promise<void> {
  for (const [who, message] of CHAT) {
    const token = people[who]?.accessToken ?? adminToken
    await clientOf(url, token).call('POST /api/chat/channels/:id/messages', {
      params: { id: DEFAULT_CHANNEL },
      body: { message, clientId: randomUUID() },
    })
  }
}

const nothingIsPending = (url: string, token: string): Promise<boolean> =>
  until('the new videos have their metadata', async () => {
    const { items }: VideoPage = await clientOf(url, token).call('GET /api/videos', {
      query: { limit: 100, all: true },
    })
    return items.every(({ metadataStatus }) => metadataStatus !== 'pending')
  })

/** Adds a video that YouTube has removed, so that the admin pages show a failed lookup. */
export async function addGoneVideo(url: string): Promise<void> {
  const token = await signIn(url, testAdmin.email, testAdmin.password)
  await clientOf(url, token).call('POST /api/videos', { body: { urls: [`https://youtu.be/${GONE_VIDEO}`] } })
  await nothingIsPending(url, token)
}

async function moderate(
  admin: TestClient,
  { spammer, jonas, priya }: Record<'spammer' | 'jonas' | 'priya', Viewer>,
): Promise<void> {
  await admin.call('POST /api/users/:id/restrictions', {
    params: { id: spammer.id },
    body: { restrictionType: 'chat_banned', reason: 'The same link forty times' },
  })
  await admin.call('POST /api/users/:id/restrictions', {
    params: { id: jonas.id },
    body: { restrictionType: 'restricted', reason: 'A profile picture that is not his' },
  })
  await admin.call('PUT /api/users/:id/role', { params: { id: priya.id }, body: { role: 'moderator' } })
}

/** Creates users, chat messages, playlists, channels, a home page and restrictions. */
export async function beginEvening(url: string): Promise<{ data: StationData; member: Viewer }> {
  const token = await signIn(url, testAdmin.email, testAdmin.password)
  const admin = clientOf(url, token)
  const people = await invite(url, [
    ['marlene', null],
    ['otis', null],
    ['priya', 'Priya & the Parade'],
    ['jonas', null],
    ['ines', 'Inês do Rio'],
    ['spam_4711', null],
  ])
  const { marlene, jonas, priya, spam_4711: spammer } = people
  if (!marlene || !jonas || !priya || !spammer) throw new Error('A user is missing.')
  const of = await library(url, token)

  await admin.call('POST /api/videos', {
    body: {
      urls: ['newvideo001', 'newvideo002', 'newvideo003'].map((id) => `https://youtu.be/${id}`),
      category: 'New Video Submissions',
    },
  })
  const night = ['Blinding Lights', 'Faded', 'Billie Jean', 'Numb', 'Hello', 'Take On Me'].map(of)
  const playlistId = await makePlaylist(url, marlene.accessToken, {
    name: 'Night Drive',
    description: 'Slow roads, long tunnels',
    isPublic: true,
    videos: night,
  })
  await makePlaylist(url, marlene.accessToken, {
    name: 'Sunday Kitchen',
    description: 'While the bread is in the oven',
    isPublic: false,
    videos: ['Uptown Funk', 'Shake It Off', 'All Star'].map(of),
  })
  const channelId = await startChannel(
    url,
    token,
    'Night Drive',
    night.map(({ id }) => id),
  )
  await admin.call('PATCH /api/channels/:id', {
    params: { id: channelId },
    body: { description: 'After midnight, all night' },
  })
  const retro = await admin.call('POST /api/channels', { body: { name: 'Retro Hour' } })
  await admin.call('PATCH /api/channels/:id', {
    params: { id: retro.id },
    body: { isActive: false },
  })
  await clientOf(url, jonas.accessToken).call('POST /api/videos', {
    body: { urls: ['submission1', 'submission2'].map((id) => `https://youtu.be/${id}`) },
  })
  await curate(url, token, of)
  await talk(url, people, token)
  await moderate(admin, { spammer, jonas, priya })
  await nothingIsPending(url, token)
  return { data: { url, playlistId, channelId }, member: marlene }
}
