import { ChannelParams } from '../../http/channels.ts'
import { ChannelLog, LogEditBody, LogEditParams, LogEditResult } from '../../http/log.ts'
import { operation } from '../../operation.ts'

export const streamLogGet = operation({
  name: 'stream.log.get',
  summary: 'List the programmes of the next 24 hours, and the edits in effect',
  call: 'GET /api/channels/:id/log',
  audience: 'schedules:edit',
  token: 'read',
  anonymous: 'allowed',
  versioned: ['ETag'],
  input: { params: ChannelParams },
  output: { 200: ChannelLog },
})

export const streamLogEdit = operation({
  name: 'stream.log.edit',
  summary: 'Insert, skip, swap or move a programme',
  call: 'POST /api/channels/:id/log/edits',
  audience: 'schedules:edit',
  token: 'schedules',
  versioned: ['If-Match'],
  input: { params: ChannelParams, body: LogEditBody },
  output: { 200: LogEditResult },
})

export const streamLogUndo = operation({
  name: 'stream.log.undo',
  summary: 'Undo an edit of the log',
  call: 'DELETE /api/channels/:id/log/edits/:editId',
  audience: 'schedules:edit',
  token: 'schedules',
  input: { params: LogEditParams },
  output: { 200: LogEditResult },
})
