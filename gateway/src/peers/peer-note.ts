import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { parseJson } from './parse-json.ts'

const PresenceEntry = Type.Object({ key: Type.String(), meta: Type.Object({ phx_ref: Type.String() }) })
const from = Type.String()

/** What one gateway tells the others that have members on the same topic. */
export const PeerNote = Type.Union([
  /** A member spoke; the words follow as they are, JSON text or bytes. */
  Type.Object({
    from,
    kind: Type.Literal('spoken'),
    event: Type.String({ minLength: 1 }),
    isJson: Type.Boolean(),
  }),
  /** Who is there? Each answers with its `state`. */
  Type.Object({ from, kind: Type.Literal('ask') }),
  /** All who are there with this gateway. */
  Type.Object({ from, kind: Type.Literal('state'), entries: Type.Array(PresenceEntry) }),
  Type.Object({
    from,
    kind: Type.Literal('change'),
    joins: Type.Array(PresenceEntry),
    leaves: Type.Array(PresenceEntry),
  }),
])
export type PeerNote = Static<typeof PeerNote>

const NEWLINE = 0x0a
const NOTHING = new Uint8Array()

/** A line of JSON, then the words. */
export function encodeNote(note: PeerNote, words: string | Uint8Array = NOTHING): Uint8Array {
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(note)}\n`),
    typeof words === 'string' ? Buffer.from(words) : words,
  ])
}

/** Null when it makes no sense. */
export function decodeNote(bytes: Uint8Array): { note: PeerNote; words: Buffer } | null {
  const end = bytes.indexOf(NEWLINE)
  if (end < 0) return null
  const note = parseJson(bytes.subarray(0, end))
  if (!Check(PeerNote, note)) return null
  return { note, words: Buffer.from(bytes.subarray(end + 1)) }
}
