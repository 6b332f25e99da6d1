import fc from 'fast-check'
import { hostileJson } from './hostile-texts.ts'

const [CONTINUED, TEXT, BINARY, CLOSE, PING, PONG] = [0x0, 0x1, 0x2, 0x8, 0x9, 0xa]
const FIN = 0x80

/**
 * Encodes a client frame (RFC 6455 §5.2), valid or not. `first` is its first byte, `announced` the length in its header.
 * The mask is zero, which leaves the payload unchanged.
 */
export function clientFrame(first: number, payload: Uint8Array, announced = payload.length): Buffer {
  const mask = Buffer.alloc(4)
  if (announced < 126) return Buffer.concat([Buffer.from([first, 0x80 | announced]), mask, payload])
  const length = Buffer.alloc(announced < 65_536 ? 2 : 8)
  if (announced < 65_536) length.writeUInt16BE(announced)
  else length.writeBigUInt64BE(BigInt(announced))
  return Buffer.concat([Buffer.from([first, 0x80 | (announced < 65_536 ? 126 : 127)]), length, mask, payload])
}

export const textFrame = (text: string): Buffer => clientFrame(FIN | TEXT, Buffer.from(text))

/** The same message in several fragments, with a ping between the first two. */
function inPieces(text: string, number: number): Buffer {
  const bytes = Buffer.from(text)
  const size = Math.max(1, Math.ceil(bytes.length / number))
  const pieces: Buffer[] = []
  for (let at = 0; at === 0 || at < bytes.length; at += size) {
    const isLast = at + size >= bytes.length
    const opcode = (at === 0 ? TEXT : CONTINUED) | (isLast ? FIN : 0)
    pieces.push(clientFrame(opcode, bytes.subarray(at, at + size)))
    if (at === 0 && !isLast) pieces.push(clientFrame(FIN | PING, Buffer.from('still there?')))
  }
  return Buffer.concat(pieces)
}

/** The values that frames contain. */
export interface SocketWords {
  /** Valid access tokens, one of them an admin's. */
  tokens: readonly string[]
  /** The owner of the first token. */
  userId: string
  bait: string
}

const EVENTS = [
  'phx_join',
  'phx_join',
  'phx_leave',
  'broadcast',
  'presence',
  'access_token',
  'heartbeat',
  'phx_close',
  'phx_reply',
  '__proto__',
  'toString',
  '',
] as const

const topicsOf = (userId: string): string[] => [
  'realtime:stream:test-card',
  'realtime:stream:default',
  'realtime:chat:test-card',
  'realtime:station',
  'realtime:guide',
  'realtime:admin',
  `realtime:user:${userId}`,
  'realtime:user:00000000-0000-0000-0000-000000000000',
  'realtime:user:*',
  'realtime:stream:>',
  'realtime:stream:nowhere',
  'realtime:stream:__proto__',
  'realtime:chat:../admin',
  'realtime:chat:test-card\0',
  `realtime:chat:${'x'.repeat(300)}`,
  'realtime:',
  'phoenix',
  '',
]

/** Payloads of the protocol, valid or nearly valid, as JSON text. */
function payloads({ tokens, bait }: SocketWords): fc.Arbitrary<string> {
  const hostile = hostileJson(bait)
  const token = fc.oneof(fc.constantFrom(...tokens.map((text) => JSON.stringify(text))), hostile)
  const deep = fc
    // The deepest is just below the limit of 16 KiB for a viewer's message. VIOLATIONS has larger ones.
    .constantFrom(10, 1000, 2000)
    .map((depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
  const word = fc.oneof({ arbitrary: hostile, weight: 6 }, { arbitrary: deep, weight: 1 })
  const event = fc.oneof(fc.constantFrom('"clock"', '"poll"', '"track"', '"untrack"', '"x"', '""'), hostile)
  return fc.oneof(
    fc.constant('{}'),
    word,
    fc.tuple(word, token, hostile, fc.boolean(), hostile).map(([config, access, presence, ack, changes]) => {
      const known = `"broadcast":{"ack":${ack},"self":${ack}},"presence":{"enabled":${ack},"key":${presence}},"postgres_changes":${changes}`
      return `{"config":${ack ? `{${known}}` : config},"access_token":${access}}`
    }),
    token.map(
      (access) =>
        `{"config":{"broadcast":{"self":true,"ack":true},"presence":{"enabled":true}},"access_token":${access}}`,
    ),
    fc
      .tuple(event, word)
      .map(([name, payload]) => `{"type":"broadcast","event":${name},"payload":${payload}}`),
    fc
      .constantFrom('{"sentAtMs":1e999}', '{"timelineVersion":1.5}')
      .map((it) => `{"type":"broadcast","event":"clock","payload":${it}}`),
  )
}

/** Messages in both versions of the protocol, most of them nearly valid. */
function messages(words: SocketWords): fc.Arbitrary<string> {
  const hostile = hostileJson(words.bait)
  const ref = fc.oneof(
    { arbitrary: fc.constantFrom('null', '"1"', '"2"'), weight: 5 },
    { arbitrary: hostile, weight: 1 },
  )
  const topic = fc.oneof(
    { arbitrary: fc.constantFrom(...topicsOf(words.userId)).map((text) => JSON.stringify(text)), weight: 9 },
    { arbitrary: hostile, weight: 1 },
  )
  const event = fc.oneof(
    { arbitrary: fc.constantFrom(...EVENTS).map((text) => JSON.stringify(text)), weight: 9 },
    { arbitrary: hostile, weight: 1 },
  )
  const parts = fc.tuple(ref, ref, topic, event, payloads(words))
  return fc.oneof(
    { arbitrary: parts.map((five) => `[${five.join(',')}]`), weight: 8 },
    {
      arbitrary: parts.map(
        ([join, own, to, what, payload]) =>
          `{"join_ref":${join},"ref":${own},"topic":${to},"event":${what},"payload":${payload}}`,
      ),
      weight: 2,
    },
    { arbitrary: fc.array(hostile, { maxLength: 7 }).map((some) => `[${some.join(',')}]`), weight: 1 },
    { arbitrary: hostile, weight: 1 },
    { arbitrary: fc.string({ unit: 'binary', maxLength: 60 }), weight: 1 },
  )
}

/** Binary broadcasts, some with wrong length fields. */
const pushes = ({ userId }: SocketWords): fc.Arbitrary<Buffer> =>
  fc
    .tuple(
      fc.constantFrom(3, 3, 3, 4, 0, 255),
      fc.array(fc.oneof(fc.constantFrom('', '1', ...topicsOf(userId)), fc.string({ maxLength: 20 })), {
        minLength: 5,
        maxLength: 5,
      }),
      fc.option(fc.uint8Array({ minLength: 5, maxLength: 5 })),
      fc.constantFrom(0, 1, 7),
      fc.oneof(
        fc.uint8Array({ maxLength: 40 }),
        fc.json().map((text) => Buffer.from(text)),
      ),
    )
    .map(([kind, names, lies, encoding, payload]) => {
      const strings = names.map((name) => Buffer.from(name).subarray(0, 255))
      const lengths = lies ?? strings.map(({ length }) => length)
      return Buffer.concat([Buffer.from([kind, ...lengths, encoding]), ...strings, payload])
    })

/** One message as bytes on the wire, valid by RFC 6455. */
export function lawfulFrames(words: SocketWords): fc.Arbitrary<Buffer> {
  return fc.oneof(
    { arbitrary: messages(words).map(textFrame), weight: 8 },
    {
      arbitrary: fc
        .tuple(messages(words), fc.integer({ min: 2, max: 40 }))
        .map(([text, number]) => inPieces(text, number)),
      weight: 1,
    },
    { arbitrary: pushes(words).map((bytes) => clientFrame(FIN | BINARY, bytes)), weight: 3 },
    {
      arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => clientFrame(FIN | BINARY, bytes)),
      weight: 1,
    },
    {
      arbitrary: fc.uint8Array({ maxLength: 125 }).map((bytes) => clientFrame(FIN | PONG, bytes)),
      weight: 1,
    },
  )
}

/** Violations of RFC 6455 and of our limits. Each must close the socket with one of these codes. */
export const VIOLATIONS: readonly { what: string; bytes: Buffer; codes: readonly number[] }[] = [
  { what: 'a reserved opcode', bytes: clientFrame(FIN | 0x3, Buffer.alloc(0)), codes: [1002] },
  { what: 'reserved bits', bytes: clientFrame(FIN | 0x70 | TEXT, Buffer.from('x')), codes: [1002] },
  { what: 'no mask', bytes: Buffer.from([FIN | TEXT, 1, 0x61]), codes: [1002] },
  {
    what: 'text that is not UTF-8',
    bytes: clientFrame(FIN | TEXT, Buffer.from([0xff, 0xfe])),
    codes: [1007],
  },
  {
    what: 'text that ends within a character',
    bytes: clientFrame(FIN | TEXT, Buffer.from([0xe2, 0x82])),
    codes: [1007],
  },
  {
    what: 'a surrogate as UTF-8',
    bytes: clientFrame(FIN | TEXT, Buffer.from([0xed, 0xa0, 0x80])),
    codes: [1007],
  },
  { what: 'a fragmented ping', bytes: clientFrame(PING, Buffer.from('x')), codes: [1002] },
  { what: 'a ping that is too long', bytes: clientFrame(FIN | PING, Buffer.alloc(126)), codes: [1002] },
  {
    what: 'a continuation frame without a first frame',
    bytes: clientFrame(FIN | CONTINUED, Buffer.from('x')),
    codes: [1002],
  },
  {
    what: 'a new message within a fragmented message',
    bytes: Buffer.concat([clientFrame(TEXT, Buffer.from('x')), clientFrame(FIN | TEXT, Buffer.from('y'))]),
    codes: [1002],
  },
  { what: 'a close frame of one byte', bytes: clientFrame(FIN | CLOSE, Buffer.from([1])), codes: [1002] },
  {
    what: 'a close frame with an invalid code',
    bytes: clientFrame(FIN | CLOSE, Buffer.from([3, 0xed])),
    codes: [1002],
  },
  {
    what: 'a length above 2^63',
    bytes: clientFrame(FIN | BINARY, Buffer.alloc(0), 2 ** 62),
    codes: [1009],
  },
  {
    what: 'a message that is too long for any socket',
    bytes: clientFrame(FIN | BINARY, Buffer.alloc(0), 262_145),
    codes: [1009],
  },
  {
    what: 'a message that is too long for a viewer',
    bytes: textFrame(`[null,"1","phoenix","heartbeat",{"a":"${'x'.repeat(16_384)}"}]`),
    codes: [1009],
  },
  {
    what: 'an unfinished message that is too long for a viewer',
    bytes: clientFrame(FIN | TEXT, Buffer.alloc(20_000, 0x5b), 200_000),
    codes: [1009],
  },
  {
    what: 'arrays nested a hundred thousand deep',
    bytes: textFrame('['.repeat(100_000)),
    codes: [1009],
  },
  {
    what: 'fragments that are too long together',
    bytes: Buffer.concat([
      clientFrame(BINARY, Buffer.alloc(900_000)),
      clientFrame(CONTINUED, Buffer.alloc(900_000)),
    ]),
    codes: [1009],
  },
]
