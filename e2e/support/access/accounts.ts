import { testAdmin } from '@looptide/test-station/station'
import { bearerOf, clientOf } from '@looptide/testkit/client'
import { say } from '@looptide/testkit/say'
import { until } from '@looptide/testkit/until'
import { signIn, signUp } from '../people.ts'
import type { Requester, Rule } from './requesters.ts'
import { UNKNOWN_ID } from './rules.ts'

/** A user with resources of their own. */
interface Member {
  id: string
  token: string
  sessionId: string
  /** Private, with one entry. */
  playlistId: string
  itemId: string
  /** A second playlist, private and empty, that may be changed and deleted. */
  spareId: string
}

export interface Accounts {
  /** The account of each requester; none for `anonymous`. `other` is the user, requesting the stranger's resources. */
  requesters: Record<Requester, Member | undefined>
  /** The owner of the resources that `other` and visitors request. */
  stranger: Member & { publicId: string; publicItemId: string; messageId: string; submissionId: string }
  videoId: string
  /** Two users timed out of the chat by an admin: one for the admin to readmit, one for all other requesters. */
  timedOut: readonly [TimedOut, TimedOut]
}

interface TimedOut {
  id: string
  restrictionId: string
}

/** One endpoint per service that requires a session: it returns 401 once the session has ended. */
const ONE_ADDRESS_OF_EACH_SERVICE = [
  '/api/me',
  '/api/playlists',
  '/api/channels/default/guide.ics',
  '/api/chat/channels/default/settings',
  '/api/theme/history',
  '/api/metadata/status',
] as const

/** The status of each service for a token, by its URL. */
export const statusesFor = (url: string, token: string): Promise<number[]> =>
  Promise.all(
    ONE_ADDRESS_OF_EACH_SERVICE.map(async (path) => {
      const response = await fetch(`${url}${path}`, { headers: bearerOf(token) })
      await response.body?.cancel()
      return response.status
    }),
  )

/** Signs all users up, sets roles and restrictions, and waits until every service has applied them. */
export async function createAccounts(url: string): Promise<Accounts> {
  const admin = await signIn(url, testAdmin.email, testAdmin.password)
  const { lines } = await clientOf(url, admin).call('POST /api/videos', {
    body: {
      urls: ['https://youtu.be/accesstable'],
    },
  })
  const videoId = lines[0]?.video?.id ?? ''
  const member = (token: string): Promise<Member> => furnish(url, token, videoId)
  const newcomer = async (name: string): Promise<Member> => member((await signUp(url, name)).accessToken)
  const names = ['user', 'restricted', 'banned', 'programmer', 'curator', 'moderator', 'stranger'] as const
  const [chief, ...members] = await Promise.all([member(admin), ...names.map(newcomer)])
  const all = Object.fromEntries(members.map((one, at) => [names[at], one])) as Record<
    (typeof names)[number],
    Member
  >
  const accounts = await furnishStranger(url, all.stranger, videoId)
  const requesters = {
    anonymous: undefined,
    user: all.user,
    restricted: all.restricted,
    banned: all.banned,
    programmer: all.programmer,
    curator: all.curator,
    moderator: all.moderator,
    admin: chief,
    other: all.user,
  }
  await giveStanding(url, admin, requesters)
  const timedOut = await Promise.all([timeOut(url, admin), timeOut(url, admin)])
  return { requesters, stranger: accounts, videoId, timedOut }
}

async function timeOut(url: string, admin: string): Promise<TimedOut> {
  const { id } = await clientOf(url, (await signUp(url, 'loud')).accessToken).call('GET /api/me')
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  const restriction = await clientOf(url, admin).call('POST /api/users/:id/restrictions', {
    params: { id },
    body: { restrictionType: 'chat_banned', reason: 'a test', expiresAt },
  })
  return { id, restrictionId: restriction.id }
}

async function furnish(url: string, token: string, videoId: string): Promise<Member> {
  const me = await clientOf(url, token).call('GET /api/me')
  const sessions = await clientOf(url, token).call('GET /api/me/sessions')
  const playlist = () => clientOf(url, token).call('POST /api/playlists', { body: { name: 'Mine' } })
  const [kept, spare] = [await playlist(), await playlist()]
  const item = await clientOf(url, token).call('POST /api/playlists/:id/items', {
    params: { id: kept.id },
    body: { videoId },
  })
  return {
    id: me.id,
    token,
    sessionId: sessions.items.find(({ current }) => current)?.id ?? '',
    playlistId: kept.id,
    itemId: item.id,
    spareId: spare.id,
  }
}

async function furnishStranger(
  url: string,
  stranger: Member,
  videoId: string,
): Promise<Accounts['stranger']> {
  const { token } = stranger
  const { id: publicId } = await clientOf(url, token).call('POST /api/playlists', { body: { name: 'Ours' } })
  const item = await clientOf(url, token).call('POST /api/playlists/:id/items', {
    params: { id: publicId },
    body: { videoId },
  })
  await clientOf(url, token).call('PATCH /api/playlists/:id', {
    params: { id: publicId },
    body: { isPublic: true },
  })
  const said = await say(url, token, { channelId: 'default', message: 'I was here first' })
  const { lines } = await clientOf(url, token).call('POST /api/videos', {
    body: {
      urls: ['https://youtu.be/accessnosee'],
    },
  })
  const submissionId = lines[0]?.video?.id ?? ''
  return { ...stranger, publicId, publicItemId: item.id, messageId: said.id, submissionId }
}

async function giveStanding(url: string, admin: string, requesters: Accounts['requesters']): Promise<void> {
  const { moderator, restricted, banned } = requesters
  if (moderator === undefined || restricted === undefined || banned === undefined) return
  for (const role of ['programmer', 'curator', 'moderator'] as const) {
    await clientOf(url, admin).call('PUT /api/users/:id/role', {
      params: { id: requesters[role]?.id ?? '' },
      body: { role },
    })
  }
  for (const [person, restrictionType] of [
    [restricted, 'restricted'],
    [banned, 'site_banned'],
  ] as const) {
    await clientOf(url, admin).call('POST /api/users/:id/restrictions', {
      params: { id: person.id },
      body: {
        restrictionType,
        reason: 'a test',
      },
    })
  }
  await until('chat has applied the role of the moderator', async () => {
    const input = { params: { id: 'default' }, body: { slowModeS: 0 } }
    const answer = await clientOf(url, moderator.token).send('PATCH /api/chat/channels/:id/settings', input)
    return answer.status === 200
  })
  await until('chat has applied the restrictions', async () => {
    const permissions = await clientOf(url, restricted.token).call('GET /api/chat/channels/:id/permissions', {
      params: { id: 'default' },
    })
    return permissions.restrictions.length === 1
  })
  await until('the catalogue has applied the restrictions', async () => {
    const input = { params: { id: restricted.spareId }, body: { isPublic: true } }
    return (await clientOf(url, restricted.token).send('PATCH /api/playlists/:id', input)).status === 403
  })
  await until('every service has applied the ban', async () =>
    (await statusesFor(url, banned.token)).every((answer) => answer === 401),
  )
}

const PLACES: Record<string, string> = {
  channelId: 'default',
  event: 'note',
  handle: 'nobody_of_that_name',
  version: 'A'.repeat(22),
  youtubeId: 'aaaaaaaaaa1',
  programmeId: 'default.1.1',
  airingId: 'default.0.1',
  playlistId: 'PLaaaaaaaaa1',
  restrictionId: UNKNOWN_ID,
}

/** The value of a route's path parameter for a requester. */
function placeOf(name: string, path: string, requester: Requester, rule: Rule, accounts: Accounts): string {
  const { playlist, channel, video, person } = rule
  const { stranger, requesters, timedOut } = accounts
  if (person !== undefined) {
    const { id, restrictionId } = timedOut[requester === 'admin' ? 0 : 1]
    return name === 'restrictionId' ? restrictionId : id
  }
  const videoId = video === undefined ? accounts.videoId : stranger.submissionId
  const owner = requester === 'other' ? stranger : (requesters[requester] ?? stranger)
  const isPublicOne = playlist === "a stranger's public one"
  if (name === 'ownerId') return owner.id
  if (name === 'topic') return `user:${owner.id}`
  if (name === 'videoId') return videoId
  if (name === 'messageId') return stranger.messageId
  if (name === 'sessionId') return requester === 'other' ? stranger.sessionId : UNKNOWN_ID
  if (name === 'itemId' && path.startsWith('/api/playlists/'))
    return isPublicOne ? stranger.publicItemId : owner.itemId
  if (name !== 'id') return PLACES[name] ?? UNKNOWN_ID
  if (path.startsWith('/api/channels/') || path.startsWith('/api/chat/')) return channel ?? 'default'
  if (path.startsWith('/api/dead-letters/')) return '1'
  if (path.startsWith('/api/profiles/')) return owner.id
  if (path.startsWith('/api/videos/')) return videoId
  if (!path.startsWith('/api/playlists/')) return UNKNOWN_ID
  if (isPublicOne) return stranger.publicId
  return playlist === 'spare' ? owner.spareId : owner.playlistId
}

/** The request of a rule for one requester. */
export function requestOf(
  route: string,
  rule: Rule,
  requester: Requester,
  accounts: Accounts,
): { method: string; path: string; body: string | undefined } {
  const [method = '', path = ''] = route.split(' ')
  const fill = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (_place, name: string) => placeOf(name, path, requester, rule, accounts))
  const body: unknown = typeof rule.body === 'function' ? rule.body() : rule.body
  return {
    method,
    path: fill(path.replace('*', 'no-such-thing.js')) + (rule.query === undefined ? '' : `?${rule.query}`),
    body: body === undefined ? undefined : fill(JSON.stringify(body)),
  }
}
