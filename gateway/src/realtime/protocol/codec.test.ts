import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  broadcastJson,
  decodeBinary,
  decodeText,
  encodeBinaryBroadcast,
  encodeText,
  isMalformed,
  VERSIONS,
} from './codec.ts'

const short = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
const ref = fc.option(short)
const payload = fc.dictionary(short, fc.jsonValue({ maxDepth: 3 }))

/** Encodes a broadcast (kind 3) as realtime-js does, with freely chosen parts and lengths. */
function push(parts: string[], encoding: number, body: Uint8Array, lengths?: number[]): Buffer {
  const strings = parts.map((part) => Buffer.from(part))
  const sizes = lengths ?? strings.map(({ length }) => length)
  return Buffer.concat([Buffer.from([3, ...sizes, encoding]), ...strings, body])
}

describe('text frames', () => {
  it.each(VERSIONS)('decode to what was encoded, in version %s', (version) => {
    fc.assert(
      fc.property(ref, ref, short, short, payload, (joinRef, frameRef, topic, event, body) => {
        const json = JSON.stringify(body)
        const decoded = decodeText(version, encodeText(version, joinRef, frameRef, topic, event, json))
        expect(decoded).toEqual({ joinRef, ref: frameRef, topic, event, payload: JSON.parse(json) })
      }),
    )
  })

  it.each(VERSIONS)(
    'of any content never throw and never decode to an invalid message, in version %s',
    (version) => {
      fc.assert(
        fc.property(
          fc.oneof(
            fc.string(),
            fc.json(),
            fc.jsonValue().map((v) => JSON.stringify(v)),
          ),
          (text) => {
            const decoded = decodeText(version, text)
            if (isMalformed(decoded)) return
            expect(typeof decoded.topic).toBe('string')
            expect(typeof decoded.event).toBe('string')
            expect(decoded.payload).toBeTypeOf('object')
            expect(decoded.payload).not.toBeNull()
          },
        ),
      )
    },
  )

  it('nested too deeply are malformed', () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
    expect(isMalformed(decodeText('2.0.0', `[null,null,"t","broadcast",${nested(60)}]`))).toBe(false)
    expect(isMalformed(decodeText('2.0.0', `[null,null,"t","broadcast",${nested(100_000)}]`))).toBe(true)
    const payload = Buffer.from(nested(100_000))
    expect(isMalformed(decodeBinary(push(['', '', 't', 'e', ''], 1, payload)))).toBe(true)
  })

  it.each([
    'null',
    '[]',
    '{}',
    '[null,"1","t","e",null]',
    '[null,"1","t","e",[]]',
    '[null,"1","t","e","x"]',
    '[null,"1","t",{},{}]',
    '[null,"1",7,"e",{}]',
    '[1,"1","t","e",{}]',
    '[null,{},"t","e",{}]',
    '[null,"1","","e",{}]',
    '[null,"1","t","e",{},0]',
    `[null,"1","${'ü'.repeat(128)}","e",{}]`,
    `[null,"1","t","${'e'.repeat(256)}",{}]`,
    `[null,"${'1'.repeat(256)}","t","e",{}]`,
    '['.repeat(100_000),
  ])('refuses %.60s', (text) => {
    expect(isMalformed(decodeText('2.0.0', text))).toBe(true)
  })

  it('accepts __proto__ and constructor as plain names', () => {
    const decoded = decodeText(
      '1.0.0',
      '{"topic":"__proto__","event":"constructor","payload":{"__proto__":1},"ref":null}',
    )
    expect(decoded).toMatchObject({ topic: '__proto__', event: 'constructor', joinRef: null })
  })
})

describe('binary frames', () => {
  it('of realtime-js decode to what was sent', () => {
    fc.assert(
      fc.property(
        short,
        short,
        short,
        short,
        fc.jsonValue({ maxDepth: 3 }),
        (joinRef, frameRef, topic, event, body) => {
          const json = JSON.stringify(body)
          const decoded = decodeBinary(push([joinRef, frameRef, topic, event, ''], 1, Buffer.from(json)))
          expect(decoded).toEqual({
            joinRef,
            ref: frameRef,
            topic,
            event: 'broadcast',
            payload: { type: 'broadcast', event, payload: JSON.parse(json) },
            isBinary: true,
          })
        },
      ),
    )
  })

  it('preserve raw payloads byte for byte', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        const decoded = decodeBinary(push(['1', '2', 'realtime:admin', 'raw', ''], 0, bytes))
        expect(decoded).toMatchObject({ payload: { event: 'raw' }, bytes: Buffer.from(bytes) })
      }),
    )
  })

  it('of any bytes never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (bytes, isPush) => {
        const data = Buffer.from(bytes)
        if (isPush && data.length > 0) data[0] = 3
        decodeBinary(data)
      }),
      { numRuns: 2000 },
    )
  })

  it('with lengths that point past the end are refused', () => {
    const lengths = fc.tuple(...Array.from({ length: 5 }, () => fc.integer({ min: 0, max: 255 })))
    fc.assert(
      fc.property(lengths, (sizes) => {
        const data = push(['1', '2', 't', 'e', ''], 1, Buffer.from('{}'), sizes)
        const available = data.length - 7
        if (sizes.reduce((sum, size) => sum + size, 0) > available)
          expect(isMalformed(decodeBinary(data))).toBe(true)
      }),
    )
  })

  it.each([
    ['no bytes', Buffer.alloc(0)],
    ['a header cut short', Buffer.from([3, 0, 0, 0])],
    ['an unknown kind', Buffer.from([9, 0, 0, 0, 0, 0, 1])],
    ['a server kind', Buffer.from([4, 1, 1, 0, 1, 0, 0, 116, 101])],
    ['no topic', push(['1', '2', '', 'e', ''], 1, Buffer.from('{}'))],
    ['no event', push(['1', '2', 't', '', ''], 1, Buffer.from('{}'))],
    ['an unknown encoding', push(['1', '2', 't', 'e', ''], 7, Buffer.from('{}'))],
    ['broken JSON', push(['1', '2', 't', 'e', ''], 1, Buffer.from('{'))],
    ['a name that is not UTF-8', Buffer.from([3, 0, 0, 1, 1, 0, 1, 0xff, 101, 123, 125])],
  ])('refuses %s', (_what, data) => {
    expect(isMalformed(decodeBinary(data))).toBe(true)
  })
})

describe('server broadcasts', () => {
  it('carry type, event and payload', () => {
    expect(JSON.parse(broadcastJson('m"', '{"a":1}'))).toEqual({
      type: 'broadcast',
      event: 'm"',
      payload: { a: 1 },
    })
  })

  it('of raw bytes are encoded as kind 4', () => {
    const frame = encodeBinaryBroadcast('tü', 'ev', Buffer.from([1, 2, 3]))
    expect([...frame]).toEqual([4, 3, 2, 0, 0, ...Buffer.from('tüev'), 1, 2, 3])
    expect(() => encodeBinaryBroadcast('t'.repeat(256), 'e', Buffer.alloc(0))).toThrow(RangeError)
  })
})
