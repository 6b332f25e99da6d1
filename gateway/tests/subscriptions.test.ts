import { EVENT_SUBSCRIPTIONS } from '@looptide/contracts/event-subscriptions'
import { LIVE_SUBJECTS } from '@looptide/contracts/events'
import { expect, it } from 'vitest'
import { PUSHED_EVENTS } from '../src/events/event-feed.ts'

it('the gateway subscribes to exactly the events in its row of EVENT_SUBSCRIPTIONS', () => {
  const access = ['auth.session.revoked.v1', 'auth.role.changed.v1', 'auth.key.revoked.v1']
  const listened = new Set([...PUSHED_EVENTS, ...access])
  const { subscribes, liveSubscribes } = EVENT_SUBSCRIPTIONS.gateway
  expect([...listened].sort()).toEqual([...new Set(subscribes)].sort())
  const { metadataProgress, gatewayHeartbeat, allViewers } = LIVE_SUBJECTS
  expect(liveSubscribes).toEqual(
    expect.arrayContaining([metadataProgress, gatewayHeartbeat, allViewers, 'live.topics.>']),
  )
})
