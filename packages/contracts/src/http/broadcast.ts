import { type Static, Type } from 'typebox'
import { strict } from '../common.ts'
import { Opaque } from '../text-fields.ts'

/** Largest message of a socket and largest body of a broadcast over HTTP, in bytes. Supabase Realtime has the same limit. */
export const MAX_MESSAGE_BYTES = 262_144

/** A topic's name without the protocol's prefix `realtime:`. */
const TopicText = Opaque({ minLength: 1, maxLength: 255 })
const EventText = Opaque({ minLength: 1, maxLength: 255 })

const BroadcastMessage = Type.Object(
  {
    topic: TopicText,
    event: EventText,
    /** Any JSON; default `{}`. */
    payload: Type.Optional(Type.Unknown()),
    /** Accepted and ignored: the topic's name decides whether it is private. */
    private: Type.Optional(Type.Boolean()),
  },
  strict,
)

/** Body of `POST /realtime/v1/api/broadcast`. All messages are sent, or none. */
export const BroadcastBody = Type.Object(
  { messages: Type.Array(BroadcastMessage, { minItems: 1, maxItems: 100 }) },
  strict,
)
export type BroadcastBody = Static<typeof BroadcastBody>

/** `POST /realtime/v1/api/broadcast/{topic}/events/{event}`: one message, whose payload is the whole body. */
export const BroadcastParams = Type.Object({ topic: TopicText, event: EventText }, strict)
/** Clients add their WebSocket's query parameters. Messages are not stored, so `persist` is refused. */
export const BroadcastQuery = Type.Object(
  {
    private: Type.Optional(Type.Boolean()),
    apikey: Type.Optional(Opaque()),
    vsn: Type.Optional(Opaque()),
    log_level: Type.Optional(Opaque()),
  },
  strict,
)
