import type { TopicKind } from '../../../gateway/src/realtime/topic-name.ts'
import { ASKERS, type Asker, type Cells, NOT_ASKED } from './askers.ts'

/** What is answered on a topic: `ok`, or the reason of the refusal (wire contract §3). */
export interface TopicAccess {
  join: Cells
  broadcast: Cells
  presence: Cells
}

const NOT_JOINED = 'unmatched topic'
const NO_TOKEN = 'Unauthorized: this topic needs an access token'
const ENDED = 'Unauthorized: the access token has expired or its session has ended'
const NOT_YOURS = 'Unauthorized: you may not join this topic'
const ONLY_QUESTIONS = 'Unauthorized: viewers only ask for clock and poll'
const NOBODY_SPEAKS = 'Unauthorized: nobody speaks on this topic'
const NO_PRESENCE = 'Unauthorized: presence is not kept on this topic'

const cells = (answer: string, but: Partial<Cells>): Cells =>
  Object.fromEntries(ASKERS.map((asker) => [asker, but[asker] ?? answer])) as Record<Asker, string>

/** A topic that everybody may watch, with or without a session. */
const watched = (broadcast: string): TopicAccess => ({
  join: cells('ok', { other: NOT_ASKED }),
  broadcast: cells(broadcast, { other: NOT_ASKED }),
  presence: cells(NO_PRESENCE, { other: NOT_ASKED }),
})

/** A topic on which members speak, and who is turned away from it. */
function spokenOn(refused: Partial<Cells>): TopicAccess {
  const away = Object.fromEntries(
    Object.entries(refused).map(([asker, reason]) => [asker, reason === NOT_ASKED ? NOT_ASKED : NOT_JOINED]),
  )
  return { join: cells('ok', refused), broadcast: cells('ok', away), presence: cells('ok', away) }
}

const REFUSED_TO_VIEWERS: Partial<Cells> = {
  anonymous: NO_TOKEN,
  user: NOT_YOURS,
  restricted: NOT_YOURS,
  banned: ENDED,
  other: NOT_ASKED,
}
const NOT_JOINED_BY_VIEWERS: Partial<Cells> = {
  anonymous: NOT_JOINED,
  user: NOT_JOINED,
  restricted: NOT_JOINED,
  banned: NOT_JOINED,
  other: NOT_ASKED,
}

/** Every kind of topic. `user` is the asker's own; for `other` it belongs to another user. */
export const TOPIC_ACCESS: Record<TopicKind, TopicAccess> = {
  stream: watched(ONLY_QUESTIONS),
  chat: watched(NOBODY_SPEAKS),
  station: watched(NOBODY_SPEAKS),
  guide: watched(NOBODY_SPEAKS),
  user: spokenOn({ anonymous: NO_TOKEN, banned: ENDED, other: NOT_YOURS }),
  admin: spokenOn({
    anonymous: NO_TOKEN,
    user: NOT_YOURS,
    restricted: NOT_YOURS,
    banned: ENDED,
    moderator: NOT_YOURS,
    other: NOT_ASKED,
  }),
  moderation: {
    join: cells('ok', REFUSED_TO_VIEWERS),
    broadcast: cells(NOBODY_SPEAKS, NOT_JOINED_BY_VIEWERS),
    presence: cells(NO_PRESENCE, NOT_JOINED_BY_VIEWERS),
  },
}
