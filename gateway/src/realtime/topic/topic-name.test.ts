import { expect, it } from 'vitest'
import { parseTopic } from './topic-name.ts'

it.each([
  ['realtime:stream:default', { kind: 'stream', id: 'default' }],
  ['realtime:chat:test-card', { kind: 'chat', id: 'test-card' }],
  ['realtime:station', { kind: 'station', id: '' }],
  ['realtime:guide', { kind: 'guide', id: '' }],
  ['realtime:admin', { kind: 'admin', id: '' }],
  ['realtime:moderation', { kind: 'moderation', id: '' }],
  [
    'realtime:user:0191a2b3-0000-7000-8000-000000000000',
    { kind: 'user', id: '0191a2b3-0000-7000-8000-000000000000' },
  ],
])('parses %s', (topicKey, name) => {
  expect(parseTopic(topicKey)).toEqual(name)
})

it.each([
  'stream:default',
  'realtime:',
  'realtime:stream:',
  'realtime:stream',
  'realtime:stream:../x',
  'realtime:stream:a:b',
  'realtime:chat:-a',
  'realtime:user:me',
  'realtime:admin:x',
  'realtime:__proto__',
  'phoenix',
])('rejects %s', (topicKey) => {
  expect(parseTopic(topicKey)).toBeNull()
})
