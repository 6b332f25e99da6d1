import { EVENT_SUBSCRIPTIONS } from '@looptide/contracts/event-subscriptions'
import { LIVE_SUBJECTS } from '@looptide/contracts/events'
import { expect, it } from 'vitest'
import { EVENT_ROUTES } from '../src/events/event-routes.ts'

it('the gateway listens to the events that its row of EVENT_SUBSCRIPTIONS names, and to no other', () => {
  const access = ['auth.session.revoked.v1', 'auth.role.changed.v1', 'auth.key.revoked.v1']
  const listened = new Set([...Object.keys(EVENT_ROUTES), ...access])
  const { subscribes, liveSubscribes } = EVENT_SUBSCRIPTIONS.gateway
  expect([...listened].sort()).toEqual([...new Set(subscribes)].sort())
  const { metadataProgress, gatewayHeartbeat, allViewers } = LIVE_SUBJECTS
  expect(liveSubscribes).toEqual(
    expect.arrayContaining([metadataProgress, gatewayHeartbeat, allViewers, 'live.topics.>']),
  )
})
