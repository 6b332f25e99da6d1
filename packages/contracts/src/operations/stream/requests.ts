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
