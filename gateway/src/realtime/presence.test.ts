import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Presence, type PresenceChange, type PresenceEntry } from './presence.ts'

const entry: fc.Arbitrary<PresenceEntry> = fc
  .record({ key: fc.constantFrom('ann', 'ben', '__proto__'), ref: fc.nat(5) })
  .map(({ key, ref }) => ({ key, meta: { phx_ref: `r${ref}` } }))
const entries = fc.uniqueArray(entry, { selector: ({ meta }) => meta.phx_ref })
const word = fc.record({
  gatewayId: fc.constantFrom('a', 'b'),
  said: fc.oneof(
    entries.map((state) => ({ state })),
    fc.record({ joins: entries, leaves: entries }),
  ),
})

const refsIn = (presence: Presence): string[] =>
  Object.values(presence.state())
    .flatMap(({ metas }) => metas.map(({ phx_ref }) => phx_ref))
    .sort()

it('tells members of exactly what makes the state they are left with', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 20 }), (words) => {
      const presence = new Presence()
      // What a client has that hears every change. Two gateways never give out the same ref.
      const heard = new Set<string>()
      for (const { gatewayId, said } of words) {
        const own = (all: readonly PresenceEntry[]) =>
          all.map(({ key, meta }) => ({ key, meta: { phx_ref: `${gatewayId}-${meta.phx_ref}` } }))
        const change: PresenceChange | null =
          'state' in said
            ? presence.takeState(gatewayId, own(said.state))
            : presence.takeChange(gatewayId, { joins: own(said.joins), leaves: own(said.leaves) })
        for (const { meta } of change?.leaves ?? []) expect(heard.delete(meta.phx_ref)).toBe(true)
        for (const { meta } of change?.joins ?? []) {
          expect(heard.has(meta.phx_ref)).toBe(false)
          heard.add(meta.phx_ref)
        }
        if (change !== null) expect(change.joins.length + change.leaves.length).toBeGreaterThan(0)
        if ('state' in said)
          expect(refsIn(presence).filter((ref) => ref.startsWith(gatewayId))).toEqual(
            own(said.state)
              .map(({ meta }) => meta.phx_ref)
              .sort(),
          )
      }
      expect(refsIn(presence)).toEqual([...heard].sort())
      for (const gatewayId of ['a', 'b']) presence.takeState(gatewayId, [])
      expect(refsIn(presence)).toEqual([])
    }),
  )
})
