import type { Webhook, WebhookDelivery } from '@looptide/contracts/http/webhooks'
import { expect, it } from 'vitest'
import { deliveryState, stateOf, typeLabel } from './webhook-texts.ts'

const webhook = { isActive: true, disabled: null, failingSince: null } as Webhook

it.each<[Partial<Webhook>, string, boolean]>([
  [{}, 'On', false],
  [{ isActive: false }, 'Off', false],
  [{ failingSince: '2026-11-27T00:00:00.000Z' }, 'Deliveries are failing and are sent again', true],
  [
    { isActive: false, disabled: { reason: 'gone', at: '2026-11-27T00:00:00.000Z' } },
    'Switched off: the receiver wants no more deliveries',
    true,
  ],
])('a webhook that is %j is shown as %s', (state, text, isProblem) => {
  expect(stateOf({ ...webhook, ...state })).toEqual({ text, isProblem })
})

it.each([
  ['waiting', 0, 'Waiting'],
  ['waiting', 2, 'Will be sent again'],
  ['delivered', 1, 'Delivered'],
  ['failed', 10, 'Failed'],
] as const)('a delivery that is %s after %i attempts is shown as %s', (state, attempts, text) => {
  expect(deliveryState({ state, attempts } as WebhookDelivery)).toBe(text)
})

it('types of other releases are shown as they are', () => {
  expect([typeLabel('programme.started'), typeLabel('webhook.test'), typeLabel('later.event')]).toEqual([
    ...['A programme starts', 'Test', 'later.event'],
  ])
})
