import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FrameScanner } from './frame-scanner.ts'

const TEXT = 0x01
const CONTINUATION = 0x00
const PING = 0x09
const FIN = 0x80

/** A masked frame of any bytes. */
function frame(opcode: number, isLast: boolean, length: number): Buffer {
  const first = opcode | (isLast ? FIN : 0)
  const mask = Buffer.from([1, 2, 3, 4])
  const body = Buffer.alloc(length, 0xff)
  if (length < 126) return Buffer.concat([Buffer.from([first, 0x80 | length]), mask, body])
  const head = Buffer.from(
    length < 65_536 ? [first, 0x80 | 126, 0, 0] : [first, 0x80 | 127, ...Array(8).fill(0)],
  )
  if (length < 65_536) head.writeUInt16BE(length, 2)
  else head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, mask, body])
}

const lengths = fc.oneof(fc.integer({ min: 0, max: 130 }), fc.constantFrom(126, 65_535, 65_536, 70_000))
const fragmented = fc
  .array(fc.tuple(lengths, fc.boolean()), { minLength: 1, maxLength: 4 })
  .map((parts) =>
    Buffer.concat(
      parts.flatMap(([length, hasPing], index) => [
        frame(index === 0 ? TEXT : CONTINUATION, index === parts.length - 1, length),
        ...(hasPing && index < parts.length - 1 ? [frame(PING, true, 5)] : []),
      ]),
    ),
  )
const message = fc.oneof(fragmented, fc.constant(frame(PING, true, 0)))

it('counts the bytes since the last complete message, for any messages in chunks of any size', () => {
  fc.assert(
    fc.property(
      fc.array(message, { minLength: 1, maxLength: 6 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 40_000 })),
      (messages, sizes) => {
        const bytes = Buffer.concat(messages)
        const ends = messages.map((_, index) => Buffer.concat(messages.slice(0, index + 1)).length)
        const scanner = new FrameScanner()
        let [read, beganIn] = [0, 0]
        while (read < bytes.length) {
          const chunk = bytes.subarray(read, read + sizes.next().value)
          const hasBegun = scanner.scan(chunk)
          const previous = read
          read += chunk.length
          const begin = Math.max(0, ...ends.filter((end) => end <= read))
          expect(scanner.incompleteBytes).toBe(read - begin)
          expect(hasBegun).toBe(begin < read && begin >= previous)
          if (hasBegun) beganIn = previous
          expect(scanner.heldBytes).toBe(begin < read ? read - beganIn : 0)
        }
      },
    ),
    { numRuns: 200 },
  )
})
