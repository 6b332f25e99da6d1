import { isWithinJsonBounds, type JsonBounds } from './json-bounds.ts'

/**
 * The Phoenix Channels wire format (docs/protocols/realtime.md §2): JSON arrays in version 2.0.0, JSON objects in
 * 1.0.0, and the binary broadcasts (kinds 3 and 4) of realtime-js. Decoding takes anything a stranger
 * may send and never throws.
 */
export const VERSIONS = ['1.0.0', '2.0.0'] as const
export type Version = (typeof VERSIONS)[number]

export type JsonObject = Record<string, unknown>

/** Names and refs longer than this are nobody's: the binary format cannot even express them. */
export const MAX_NAME_BYTES = 255

/** The widest bounds of a message, those of sockets with a private topic. */
const DEFAULT_BOUNDS: JsonBounds = { levels: 64, values: 10_000 }

/** One message from a client. */
export interface ClientFrame {
  joinRef: string | null
  ref: string | null
  topic: string
  event: string
  payload: JsonObject
  /** Set when a broadcast's payload is raw bytes; `payload.payload` is absent then. */
  bytes?: Buffer
  /** It came as a binary frame: its sender reads such frames too. */
  isBinary?: true
}

/** Why a frame was thrown away. Never shown to the sender. */
export interface Malformed {
  malformed: string
}

export const isMalformed = (frame: ClientFrame | Malformed): frame is Malformed => 'malformed' in frame

const bad = (malformed: string): Malformed => ({ malformed })

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && Buffer.byteLength(value) <= MAX_NAME_BYTES

const isRef = (value: unknown): value is string | null =>
  value === null || (typeof value === 'string' && Buffer.byteLength(value) <= MAX_NAME_BYTES)

/** A text frame of either version. */
export function decodeText(
  version: Version,
  text: string,
  bounds: JsonBounds = DEFAULT_BOUNDS,
): ClientFrame | Malformed {
  if (!isWithinJsonBounds(text, bounds)) return bad('nested too deep, or too many values')
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return bad('not JSON')
  }
  if (version === '2.0.0') {
    if (!Array.isArray(parsed) || parsed.length !== 5) return bad('not an array of five')
    return checked(parsed[0], parsed[1], parsed[2], parsed[3], parsed[4])
  }
  if (!isObject(parsed)) return bad('not an object')
  return checked(parsed.join_ref ?? null, parsed.ref ?? null, parsed.topic, parsed.event, parsed.payload)
}

function checked(
  joinRef: unknown,
  ref: unknown,
  topic: unknown,
  event: unknown,
  payload: unknown,
): ClientFrame | Malformed {
  if (!isRef(joinRef) || !isRef(ref)) return bad('a ref is neither a short string nor null')
  if (!isName(topic)) return bad('the topic is not a short string')
  if (!isName(event)) return bad('the event is not a short string')
  if (!isObject(payload)) return bad('the payload is not an object')
  return { joinRef, ref, topic, event, payload }
}

/** Binary kind 3, a client's broadcast: six lengths, five strings, payload. */
const USER_PUSH = 3
const USER_BROADCAST = 4
const RAW = 0
const JSON_ENCODED = 1
const PUSH_HEADER = 7

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A binary frame (version 2.0.0 only). */
export function decodeBinary(data: Buffer, bounds: JsonBounds = DEFAULT_BOUNDS): ClientFrame | Malformed {
  if (data.length < PUSH_HEADER) return bad('shorter than its header')
  if (data[0] !== USER_PUSH) return bad('unknown kind')
  const lengths = data.subarray(1, 6)
  const strings: string[] = []
  let offset = PUSH_HEADER
  for (const length of lengths) {
    if (offset + length > data.length) return bad('a length points past the end')
    const text = decodeUtf8(data.subarray(offset, offset + length))
    if (text === null) return bad('a string is not UTF-8')
    strings.push(text)
    offset += length
  }
  const [joinRef = '', ref = '', topic = '', event = ''] = strings
  if (topic === '' || event === '') return bad('a name is empty')
  const isBinary = true as const
  const frame = { joinRef: joinRef || null, ref: ref || null, topic, event: 'broadcast', isBinary }
  const body = data.subarray(offset)
  if (data[6] === RAW) return { ...frame, payload: { type: 'broadcast', event }, bytes: Buffer.from(body) }
  if (data[6] !== JSON_ENCODED) return bad('unknown encoding')
  const text = decodeUtf8(body)
  if (text === null) return bad('the payload is not UTF-8')
  if (!isWithinJsonBounds(text, bounds)) return bad('nested too deep, or too many values')
  const payload = parseJson(text)
  if (payload === undefined) return bad('the payload is not JSON')
  return { ...frame, payload: { type: 'broadcast', event, payload } }
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A server message as text. `payloadJson` is an object, already serialised, so that a topic does it once. */
export function encodeText(
  version: Version,
  joinRef: string | null,
  ref: string | null,
  topic: string,
  event: string,
  payloadJson: string,
): string {
  const head = [joinRef, ref, topic, event].map((part) => JSON.stringify(part))
  if (version === '2.0.0') return `[${head.join(',')},${payloadJson}]`
  return `{"join_ref":${head[0]},"ref":${head[1]},"topic":${head[2]},"event":${head[3]},"payload":${payloadJson}}`
}

/** The payload of a broadcast as clients expect it. */
export const broadcastJson = (event: string, payloadJson: string): string =>
  `{"type":"broadcast","event":${JSON.stringify(event)},"payload":${payloadJson}}`

/** Binary kind 4: a broadcast with a payload that is raw bytes or JSON. Names must be at most 255 bytes. */
export function encodeBinaryBroadcast(topic: string, event: string, payload: Uint8Array | string): Buffer {
  const topicBytes = Buffer.from(topic)
  const eventBytes = Buffer.from(event)
  if (topicBytes.length > MAX_NAME_BYTES || eventBytes.length > MAX_NAME_BYTES)
    throw new RangeError('a name of a binary broadcast is longer than 255 bytes')
  const isJson = typeof payload === 'string'
  const encoding = isJson ? JSON_ENCODED : RAW
  const head = Buffer.from([USER_BROADCAST, topicBytes.length, eventBytes.length, 0, encoding])
  return Buffer.concat([head, topicBytes, eventBytes, isJson ? Buffer.from(payload) : payload])
}
