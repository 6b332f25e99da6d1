import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { repositoryRoot } from '../paths.ts'
import { containerNatsConfig, publishRights } from './nats-config.ts'

it('is what containers run with', () => {
  for (const [file, text] of Object.entries(containerNatsConfig())) {
    expect(readFileSync(join(repositoryRoot, 'infra/nats', file), 'utf8'), file).toBe(text)
  }
})

it('lets a service acknowledge only for its own consumers, and the gateway own nothing', () => {
  const acknowledgements = publishRights('chat').filter((subject) => subject.startsWith('$JS.ACK.'))
  expect(acknowledgements.length).toBeGreaterThan(0)
  for (const subject of acknowledgements) expect(subject).toMatch(/^\$JS\.ACK\.[A-Z]+\.chat--[a-z0-9_-]+\.>$/)
  // What listens to one event alone has a consumer of that event's name.
  expect(publishRights('metadata-worker')).toContain(
    '$JS.ACK.CATALOGUE.metadata-worker--catalogue-metadata-requested-v1.>',
  )
  expect(publishRights('gateway')).toEqual(['live.gateways.>', 'live.viewers.>', 'live.topics.>', '_INBOX.>'])
  expect(publishRights('chat').filter((subject) => subject.startsWith('live.'))).toEqual([])
})
