import { parseJson } from '@looptide/service-kit/events/parse-json'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'

const PresenceEntry = Type.Object({ key: Type.String(), meta: Type.Object({ phx_ref: Type.String() }) })
const from = Type.String()

/** What a gateway sends to the other gateways that have members on the same topic. `from`: the sender's gateway id. */
export const PeerMessage = Type.Union([
  /** A member's broadcast. The payload follows the header: JSON text, or raw bytes. */
  Type.Object({
    from,
    kind: Type.Literal('broadcast'),
    event: Type.String({ minLength: 1 }),
    isJson: Type.Boolean(),
  }),
  /** Requests a `state` message from every gateway. */
  Type.Object({ from, kind: Type.Literal('state_request') }),
  /** The presence entries of all members at the sender. */
  Type.Object({ from, kind: Type.Literal('state'), entries: Type.Array(PresenceEntry) }),
  /** Presence changes of members at the sender. */
  Type.Object({
    from,
    kind: Type.Literal('change'),
    joins: Type.Array(PresenceEntry),
    leaves: Type.Array(PresenceEntry),
  }),
])
export type PeerMessage = Static<typeof PeerMessage>

const NEWLINE = 0x0a
const NO_PAYLOAD = new Uint8Array()

/** Encodes a message as one line of JSON, followed by the payload. */
export function encodePeerMessage(
  message: PeerMessage,
  payload: string | Uint8Array = NO_PAYLOAD,
): Uint8Array {
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(message)}\n`),
    typeof payload === 'string' ? Buffer.from(payload) : payload,
  ])
}

/** Null for a malformed message. */
export function decodePeerMessage(bytes: Uint8Array): { message: PeerMessage; payload: Buffer } | null {
  const end = bytes.indexOf(NEWLINE)
  if (end < 0) return null
  const message = parseJson(bytes.subarray(0, end))
  if (!Check(PeerMessage, message)) return null
  return { message, payload: Buffer.from(bytes.subarray(end + 1)) }
}
