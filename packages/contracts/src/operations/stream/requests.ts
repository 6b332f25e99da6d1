import { Announced } from '../../http/announced.ts'
import { ChannelParams } from '../../http/channels.ts'
import { RequestCheck, RequestCheckQuery } from '../../http/requests.ts'
import { operation } from '../../operation.ts'

export const streamRequestCheck = operation({
  name: 'stream.request.check',
  summary: 'Check whether a channel would air a requested video now',
  call: 'GET /internal/channels/:id/request-check',
  audience: 'internal',
  token: 'session-only',
  input: { params: ChannelParams, query: RequestCheckQuery },
  output: { 200: RequestCheck },
})

export const streamAnnouncedGet = operation({
  name: 'stream.announced.get',
  summary: 'Get what the guide of a channel announces, for reminders',
  call: 'GET /internal/channels/:id/announced',
  audience: 'internal',
  token: 'session-only',
  input: { params: ChannelParams },
  output: { 200: Announced },
})
