import { isWithinJsonBounds, type JsonBounds } from './json-bounds.ts'

/**
 * The Phoenix Channels wire format: JSON arrays in version 2.0.0, JSON objects in 1.0.0, and the binary broadcasts
 * (kinds 3 and 4) of realtime-js. Decoding accepts any input and never throws.
 */
export const VERSIONS = ['1.0.0', '2.0.0'] as const
export type Version = (typeof VERSIONS)[number]

export type JsonObject = Record<string, unknown>

/** Longest topic, event and ref. The binary format cannot express longer ones. */
export const MAX_NAME_BYTES = 255

/** The bounds for sockets with a private topic, which are the widest. */
const DEFAULT_BOUNDS: JsonBounds = { levels: 64, values: 10_000 }

/** One message of a client. */
export interface ClientFrame {
  joinRef: string | null
  ref: string | null
  topic: string
  event: string
  payload: JsonObject
  /** Set when a broadcast's payload is raw bytes; `payload.payload` is absent then. */
  bytes?: Buffer
  /** Received as a binary frame. Its sender also accepts binary frames. */
  isBinary?: true
}

/** Why a frame was dropped. Never sent to the client. */
export interface Malformed {
  malformed: string
}

/** Whether a frame was refused; `malformed` is the reason. */
export const isMalformed = (frame: ClientFrame | Malformed): frame is Malformed => 'malformed' in frame

const reject = (malformed: string): Malformed => ({ malformed })

/** Whether a parsed JSON value is an object, not null or a list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && Buffer.byteLength(value) <= MAX_NAME_BYTES

const isRef = (value: unknown): value is string | null =>
  value === null || (typeof value === 'string' && Buffer.byteLength(value) <= MAX_NAME_BYTES)

/** Decodes a text frame. */
export function decodeText(
  version: Version,
  text: string,
  bounds: JsonBounds = DEFAULT_BOUNDS,
): ClientFrame | Malformed {
  if (!isWithinJsonBounds(text, bounds)) return reject('nested too deeply or too many values')
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return reject('not JSON')
  }
  if (version === '2.0.0') {
    if (!Array.isArray(parsed) || parsed.length !== 5) return reject('not an array of five')
    return toFrame(parsed[0], parsed[1], parsed[2], parsed[3], parsed[4])
  }
  if (!isObject(parsed)) return reject('not an object')
  return toFrame(parsed.join_ref ?? null, parsed.ref ?? null, parsed.topic, parsed.event, parsed.payload)
}

function toFrame(
  joinRef: unknown,
  ref: unknown,
  topic: unknown,
  event: unknown,
  payload: unknown,
): ClientFrame | Malformed {
  if (!isRef(joinRef) || !isRef(ref)) return reject('a ref is neither a short string nor null')
  if (!isName(topic)) return reject('the topic is not a short string')
  if (!isName(event)) return reject('the event is not a short string')
  if (!isObject(payload)) return reject('the payload is not an object')
  return { joinRef, ref, topic, event, payload }
}

/** Binary kind 3 is a client's broadcast, kind 4 a broadcast to clients. */
const USER_PUSH = 3
const USER_BROADCAST = 4
/** Encodings of a binary payload. */
const RAW = 0
const JSON_ENCODED = 1
/** Length of the header of kind 3: the kind, five lengths and the encoding. */
const PUSH_HEADER = 7

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes a binary frame (version 2.0.0 only). */
export function decodeBinary(data: Buffer, bounds: JsonBounds = DEFAULT_BOUNDS): ClientFrame | Malformed {
  if (data.length < PUSH_HEADER) return reject('shorter than its header')
  if (data[0] !== USER_PUSH) return reject('unknown kind')
  const lengths = data.subarray(1, 6)
  const strings: string[] = []
  let offset = PUSH_HEADER
  for (const length of lengths) {
    if (offset + length > data.length) return reject('a length points past the end')
    const text = decodeUtf8(data.subarray(offset, offset + length))
    if (text === null) return reject('a string is not UTF-8')
    strings.push(text)
    offset += length
  }
  const [joinRef = '', ref = '', topic = '', event = ''] = strings
  if (topic === '' || event === '') return reject('a name is empty')
  const isBinary = true as const
  const frame = { joinRef: joinRef || null, ref: ref || null, topic, event: 'broadcast', isBinary }
  const body = data.subarray(offset)
  if (data[6] === RAW) return { ...frame, payload: { type: 'broadcast', event }, bytes: Buffer.from(body) }
  if (data[6] !== JSON_ENCODED) return reject('unknown encoding')
  const text = decodeUtf8(body)
  if (text === null) return reject('the payload is not UTF-8')
  if (!isWithinJsonBounds(text, bounds)) return reject('nested too deeply or too many values')
  const payload = parseJson(text)
  if (payload === undefined) return reject('the payload is not JSON')
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

/** Encodes a server message as text. `payloadJson` is a serialised object, so that a topic serialises it once. */
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

/** The payload of a `broadcast` push. */
export const broadcastJson = (event: string, payloadJson: string): string =>
  `{"type":"broadcast","event":${JSON.stringify(event)},"payload":${payloadJson}}`

/** Encodes binary kind 4: a broadcast with raw bytes or JSON. Topic and event have at most 255 bytes. */
export function encodeBinaryBroadcast(topic: string, event: string, payload: Uint8Array | string): Buffer {
  const topicBytes = Buffer.from(topic)
  const eventBytes = Buffer.from(event)
  if (topicBytes.length > MAX_NAME_BYTES || eventBytes.length > MAX_NAME_BYTES)
    throw new RangeError('topic or event of a binary broadcast is longer than 255 bytes')
  const isJson = typeof payload === 'string'
  const encoding = isJson ? JSON_ENCODED : RAW
  const head = Buffer.from([USER_BROADCAST, topicBytes.length, eventBytes.length, 0, encoding])
  return Buffer.concat([head, topicBytes, eventBytes, isJson ? Buffer.from(payload) : payload])
}
