import { expect, it } from 'vitest'
import { connectionQuality } from './connection-quality.ts'

const good = { connection: 'joined', roundTripMs: 24, isBuffering: false } as const

it.each([
  [good, 'Good'],
  [{ ...good, roundTripMs: 201 }, 'Fair'],
  [{ ...good, roundTripMs: 601 }, 'Poor'],
  [{ ...good, isBuffering: true }, 'Poor'],
  [{ ...good, roundTripMs: undefined }, 'Measuring'],
  [{ ...good, connection: 'joining' }, 'Connecting'],
  [{ ...good, connection: 'down' }, 'Reconnecting'],
] as const)('calls %j %s', (facts, quality) => {
  expect(connectionQuality(facts)).toBe(quality)
})
