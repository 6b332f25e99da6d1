import { type Permission, rolesWith } from '@looptide/contracts/permissions'
import type { TopicKind } from '../../../gateway/src/realtime/topic/topic-name.ts'
import { type Cells, NOT_REQUESTED, REQUESTERS, type Requester } from './requesters.ts'

/** The reply on a topic: `ok`, or the reason of the refusal (docs/protocols/realtime.md §4). */
export interface TopicAccess {
  join: Cells
  broadcast: Cells
  presence: Cells
}

const NOT_JOINED = 'unmatched topic'
const NO_TOKEN = 'Unauthorized: this topic needs an access token'
const ENDED = 'Unauthorized: the access token has expired or its session has ended'
const NOT_YOURS = 'Unauthorized: you may not join this topic'
const ONLY_REQUESTS = 'Unauthorized: only clock, poll and react are accepted on this topic'
const NO_BROADCASTS = 'Unauthorized: clients cannot broadcast on this topic'
const NO_PRESENCE = 'Unauthorized: presence is disabled on this topic'

const cells = (answer: string, but: Partial<Cells>): Cells =>
  Object.fromEntries(REQUESTERS.map((requester) => [requester, but[requester] ?? answer])) as Record<
    Requester,
    string
  >

/** A topic that everyone may join, with or without a session. */
const watched = (broadcast: string): TopicAccess => ({
  join: cells('ok', { other: NOT_REQUESTED }),
  broadcast: cells(broadcast, { other: NOT_REQUESTED }),
  presence: cells(NO_PRESENCE, { other: NOT_REQUESTED }),
})

/** The replies on a topic to those who could not join it. */
const awayFrom = (refused: Partial<Cells>): Partial<Cells> =>
  Object.fromEntries(
    Object.entries(refused).map(([requester, reason]) => [
      requester,
      reason === NOT_REQUESTED ? NOT_REQUESTED : NOT_JOINED,
    ]),
  )

/** A topic on which members may broadcast, with those who are refused. */
function spokenOn(refused: Partial<Cells>): TopicAccess {
  const away = awayFrom(refused)
  return { join: cells('ok', refused), broadcast: cells('ok', away), presence: cells('ok', away) }
}

/** Those who are refused on a topic that requires this permission. */
function refusedWithout(permission: Permission): Partial<Cells> {
  const admitted = rolesWith(permission) as readonly string[]
  const refused = REQUESTERS.filter((requester) => !admitted.includes(requester)).map((requester) => [
    requester,
    NOT_YOURS,
  ])
  return { ...Object.fromEntries(refused), anonymous: NO_TOKEN, banned: ENDED, other: NOT_REQUESTED }
}

/** A topic that only the server writes to, with those who are refused. */
function readBy(refused: Partial<Cells>): TopicAccess {
  const away = awayFrom(refused)
  return {
    join: cells('ok', refused),
    broadcast: cells(NO_BROADCASTS, away),
    presence: cells(NO_PRESENCE, away),
  }
}

/** Every kind of topic. `user` is the requester's own; for `other` it belongs to another user. */
export const TOPIC_ACCESS: Record<TopicKind, TopicAccess> = {
  stream: watched(ONLY_REQUESTS),
  chat: watched(NO_BROADCASTS),
  station: watched(NO_BROADCASTS),
  guide: watched(NO_BROADCASTS),
  user: spokenOn({ anonymous: NO_TOKEN, banned: ENDED, other: NOT_YOURS }),
  admin: spokenOn(refusedWithout('dashboard:watch')),
  audit: readBy(refusedWithout('audit:read')),
  moderation: readBy(refusedWithout('submissions:review')),
}
