import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EVENT_SUBSCRIPTIONS } from '@looptide/contracts/event-subscriptions'
import type { EventType } from '@looptide/contracts/events'
import { expect, it } from 'vitest'
import { repositoryRoot } from '../paths.ts'
import { containerNatsConfig } from './nats-config.ts'
import { natsUsers, permissionsOf, type Subscriptions } from './nats-permissions.ts'

it('equals the files of infra/nats; run `pnpm nats:config` after a change', () => {
  for (const [file, text] of Object.entries(containerNatsConfig())) {
    expect(readFileSync(join(repositoryRoot, 'infra/nats', file), 'utf8'), file).toBe(text)
  }
})

it('gives a service only its own consumers, and the gateway no stream', () => {
  const chat = permissionsOf('chat').publish
  expect(chat).toContain('$JS.API.CONSUMER.MSG.NEXT.AUTH.chat--auth')
  for (const subject of chat.filter((name) => name.startsWith('$JS.ACK.')))
    expect(subject).toMatch(/^\$JS\.ACK\.[A-Z]+\.chat--[a-z]+\.>$/)
  expect(permissionsOf('gateway').publish).toEqual([
    'live.gateways.heartbeat',
    'live.viewers.*',
    'live.reactions.*',
    'live.topics.>',
  ])
})

it('lets no user publish to an inbox, and each read only its own', () => {
  for (const user of natsUsers) {
    const { publish, subscribe } = permissionsOf(user)
    expect(publish.filter((subject) => subject.startsWith('_INBOX'))).toEqual([])
    expect(subscribe.filter((subject) => subject.startsWith('_INBOX'))).toEqual([`_INBOX.${user}.>`])
  }
})

it('a new event changes the permissions of its consumers and subscribers alone, not even its publisher’s', () => {
  const pinned = 'chat.message.pinned.v1' as EventType
  const { gateway, 'admin-audit': audit } = EVENT_SUBSCRIPTIONS
  const extended: Subscriptions = {
    ...EVENT_SUBSCRIPTIONS,
    gateway: { ...gateway, subscribes: [...gateway.subscribes, pinned] },
    'admin-audit': { ...audit, consumes: [...audit.consumes, pinned] },
  }
  const isChanged = (user: (typeof natsUsers)[number]) =>
    JSON.stringify(permissionsOf(user, extended)) !== JSON.stringify(permissionsOf(user))
  expect(natsUsers.filter(isChanged)).toEqual(['admin-audit', 'gateway'])
  expect(permissionsOf('gateway', extended).subscribe).toContain(pinned)
  expect(permissionsOf('admin-audit', extended).publish).toContain(
    '$JS.API.CONSUMER.MSG.NEXT.CHAT.admin-audit--chat',
  )
})
