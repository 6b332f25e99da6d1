import { expect, expectTypeOf, it } from 'vitest'
import {
  type AnswerOf,
  type Call,
  type CallInput,
  type ItemOf,
  requestOf,
  type VersionedCall,
} from './client.ts'
import type { ChatMessage, HeldMessage } from './http/chat.ts'
import type { OwnReport } from './http/chat-cases.ts'
import type { PublishResult } from './http/schedules.ts'
import type { Video } from './http/videos.ts'

it('fills the params of the path', () => {
  const params = { id: 'a/b ä', messageId: 7 }
  expect(requestOf('DELETE /api/chat/channels/:id/messages/:messageId', { params })).toEqual({
    method: 'DELETE',
    url: '/api/chat/channels/a%2Fb%20%C3%A4/messages/7',
  })
  expect(requestOf('GET /api/channels/:id/guide.ics', { params }).url).toBe(
    '/api/channels/a%2Fb%20%C3%A4/guide.ics',
  )
})

it('omits undefined parameters of the query', () => {
  const query = { limit: 1, cursor: undefined, q: 'ä b', all: false }
  expect(requestOf('GET /api/videos', { query }).url).toBe('/api/videos?limit=1&q=%C3%A4+b&all=false')
  expect(requestOf('GET /api/videos', { query: { q: undefined } }).url).toBe('/api/videos')
})

it('has the types of the definitions', () => {
  expectTypeOf<AnswerOf<'POST /api/channels/:id/schedule/publish'>>().toEqualTypeOf<PublishResult>()
  // 200 and 201, and 202.
  expectTypeOf<AnswerOf<'POST /api/chat/channels/:id/messages'>>().toEqualTypeOf<ChatMessage | HeldMessage>()
  // 200 and 201.
  expectTypeOf<
    AnswerOf<'POST /api/chat/channels/:id/messages/:messageId/report'>
  >().toEqualTypeOf<OwnReport>()
  expectTypeOf<AnswerOf<'DELETE /api/me/tokens'>>().toEqualTypeOf<undefined>()
  expectTypeOf<ItemOf<'GET /api/videos'>>().toEqualTypeOf<Video>()
  expectTypeOf<CallInput<'PUT /api/me/avatar'>['body']>().toEqualTypeOf<Blob>()
  expectTypeOf<CallInput<'GET /api/channels/:id/now'>['params']>().toEqualTypeOf<{ id: string }>()
  expectTypeOf<object>().not.toExtend<CallInput<'GET /api/channels/:id/now'>>()
  expectTypeOf<object>().toExtend<CallInput<'GET /api/videos'>>()
  expectTypeOf<{ body: 1 }>().not.toExtend<CallInput<'GET /api/videos'>>()
  expectTypeOf<'GET /api/theme'>().toExtend<VersionedCall>()
  expectTypeOf<'GET /api/videos'>().not.toExtend<VersionedCall>()
  // Only services call it.
  expectTypeOf<'POST /internal/guard'>().not.toExtend<Call>()
})
