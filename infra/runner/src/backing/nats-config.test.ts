import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { repositoryRoot } from '../paths.ts'
import { containerNatsConfig } from './nats-config.ts'
import { natsUsers, permissionsOf } from './nats-permissions.ts'

it('is what containers run with', () => {
  for (const [file, text] of Object.entries(containerNatsConfig())) {
    expect(readFileSync(join(repositoryRoot, 'infra/nats', file), 'utf8'), file).toBe(text)
  }
})

it('gives a service its own consumers alone, and the gateway no stream', () => {
  const chat = permissionsOf('chat').publish
  expect(chat).toContain('$JS.API.CONSUMER.MSG.NEXT.AUTH.chat--auth')
  for (const subject of chat.filter((name) => name.startsWith('$JS.ACK.')))
    expect(subject).toMatch(/^\$JS\.ACK\.[A-Z]+\.chat--[a-z]+\.>$/)
  expect(permissionsOf('gateway').publish).toEqual([
    'live.gateways.heartbeat',
    'live.viewers.*',
    'live.topics.>',
  ])
})

it('lets nobody publish to an inbox, and everybody read only the own one', () => {
  for (const user of natsUsers) {
    const { publish, subscribe } = permissionsOf(user)
    expect(publish.filter((subject) => subject.startsWith('_INBOX'))).toEqual([])
    expect(subscribe.filter((subject) => subject.startsWith('_INBOX'))).toEqual([`_INBOX.${user}.>`])
  }
})
