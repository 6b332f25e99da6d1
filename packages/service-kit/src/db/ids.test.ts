import fc from 'fast-check'
import { expect, it } from 'vitest'
import { idFromName, minIdAt, newId } from './ids.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-([78])[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const instants = fc.integer({ min: 0, max: 2 ** 48 - 2 })

it('new ids are version 7 and sort by their time', () => {
  fc.assert(
    fc.property(instants, (ms) => {
      const id = newId(ms)
      expect(UUID.exec(id)?.[1]).toBe('7')
      expect(id >= minIdAt(ms) && id < minIdAt(ms + 1)).toBe(true)
    }),
  )
})

it('equal names give equal ids, other names others', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      expect(UUID.exec(idFromName(one))?.[1]).toBe('8')
      expect(idFromName(one) === idFromName(other)).toBe(one === other)
    }),
  )
})
