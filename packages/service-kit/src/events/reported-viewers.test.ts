import { expect, it } from 'vitest'
import { ReportedViewers } from './reported-viewers.ts'

it('adds up the newest counts of every gateway', () => {
  const viewers = new ReportedViewers()
  expect(viewers.isEmpty).toBe(true)
  viewers.receive({ gatewayId: 'a', counts: { pop: 3, jazz: 1 } }, 0)
  viewers.receive({ gatewayId: 'b', counts: { pop: 4 } }, 0)
  viewers.receive({ gatewayId: 'a', counts: { jazz: 2 }, isPartial: true }, 1)
  expect([viewers.of('pop'), viewers.of('jazz'), viewers.of('rock')]).toEqual([7, 2, 0])
  viewers.receive({ gatewayId: 'a', counts: { jazz: 0 }, isPartial: true }, 2)
  expect(Object.fromEntries(viewers.addTo(new Map([['pop', 1]])))).toEqual({ pop: 8 })
  viewers.receive({ gatewayId: 'a', counts: {} }, 3)
  expect(viewers.of('pop')).toBe(4)
})

it('forgets gateways that ended, and those that no longer report', () => {
  const viewers = new ReportedViewers()
  for (const [index, gatewayId] of ['a', 'b', 'c'].entries())
    viewers.receive({ gatewayId, counts: { pop: 1 } }, index * 1000)
  expect([viewers.forget('c'), viewers.forget('c')]).toEqual([true, false])
  viewers.forgetSilent(1000)
  expect(viewers.of('pop')).toBe(1)
  viewers.forgetSilent(1001)
  expect(viewers.isEmpty).toBe(true)
})
