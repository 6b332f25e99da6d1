import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Presence, type PresenceChange, type PresenceEntry } from './presence.ts'

const entry: fc.Arbitrary<PresenceEntry> = fc
  .record({ key: fc.constantFrom('ann', 'ben', '__proto__'), ref: fc.nat(5) })
  .map(({ key, ref }) => ({ key, meta: { phx_ref: `r${ref}` } }))
const entries = fc.uniqueArray(entry, { selector: ({ meta }) => meta.phx_ref })
const report = fc.record({
  gatewayId: fc.constantFrom('a', 'b'),
  content: fc.oneof(
    entries.map((state) => ({ state })),
    fc.record({ joins: entries, leaves: entries }),
  ),
})

const refsIn = (presence: Presence): string[] =>
  Object.values(presence.state())
    .flatMap(({ metas }) => metas.map(({ phx_ref }) => phx_ref))
    .sort()

it('returns changes that add up to the state', () => {
  fc.assert(
    fc.property(fc.array(report, { maxLength: 20 }), (reports) => {
      const presence = new Presence()
      // The state of a client that applies every change. No two gateways assign the same ref.
      const applied = new Set<string>()
      for (const { gatewayId, content } of reports) {
        const own = (all: readonly PresenceEntry[]) =>
          all.map(({ key, meta }) => ({ key, meta: { phx_ref: `${gatewayId}-${meta.phx_ref}` } }))
        const change: PresenceChange | null =
          'state' in content
            ? presence.applyState(gatewayId, own(content.state))
            : presence.applyChange(gatewayId, { joins: own(content.joins), leaves: own(content.leaves) })
        for (const { meta } of change?.leaves ?? []) expect(applied.delete(meta.phx_ref)).toBe(true)
        for (const { meta } of change?.joins ?? []) {
          expect(applied.has(meta.phx_ref)).toBe(false)
          applied.add(meta.phx_ref)
        }
        if (change !== null) expect(change.joins.length + change.leaves.length).toBeGreaterThan(0)
        if ('state' in content)
          expect(refsIn(presence).filter((ref) => ref.startsWith(gatewayId))).toEqual(
            own(content.state)
              .map(({ meta }) => meta.phx_ref)
              .sort(),
          )
      }
      expect(refsIn(presence)).toEqual([...applied].sort())
      for (const gatewayId of ['a', 'b']) presence.applyState(gatewayId, [])
      expect(refsIn(presence)).toEqual([])
    }),
  )
})
