import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeNote, encodeNote } from './peer-note.ts'

it('carries words as they are, whatever they hold', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.oneof(fc.uint8Array(), fc.json()), (event, words) => {
      const note = { from: 'a', kind: 'spoken', event, isJson: typeof words === 'string' } as const
      const decoded = decodeNote(encodeNote(note, words))
      expect(decoded?.note).toEqual(note)
      expect(decoded?.words).toEqual(Buffer.from(words as Uint8Array))
    }),
  )
})

it('takes any bytes and throws at none', () => {
  const lines = fc
    .tuple(fc.json(), fc.uint8Array())
    .map(([line, rest]) => Buffer.concat([Buffer.from(`${line}\n`), rest]))
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), lines), (bytes) => {
      expect(decodeNote(bytes)).toBeNull()
    }),
  )
})
