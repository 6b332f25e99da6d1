import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodePeerMessage, encodePeerMessage } from './peer-message.ts'

it('preserves any payload byte for byte', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.oneof(fc.uint8Array(), fc.json()), (event, payload) => {
      const message = { from: 'a', kind: 'broadcast', event, isJson: typeof payload === 'string' } as const
      const decoded = decodePeerMessage(encodePeerMessage(message, payload))
      expect(decoded?.message).toEqual(message)
      expect(decoded?.payload).toEqual(Buffer.from(payload as Uint8Array))
    }),
  )
})

it('returns null for malformed bytes and never throws', () => {
  const lines = fc
    .tuple(fc.json(), fc.uint8Array())
    .map(([line, rest]) => Buffer.concat([Buffer.from(`${line}\n`), rest]))
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), lines), (bytes) => {
      expect(decodePeerMessage(bytes)).toBeNull()
    }),
  )
})
