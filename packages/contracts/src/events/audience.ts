import { Type } from 'typebox'
import { ChannelId, Uuid } from '../common.ts'
import { auditEvent, event, push } from '../event.ts'
import { RequestState } from '../http/requests.ts'
import { topics } from '../realtime.ts'

/** The events of the audience. */
export const audienceEvents = [
  /** A viewer's request was made, withdrawn, refused, pinned or unpinned. Votes are not published one by one. */
  event('audience.request.changed.v1', {
    data: Type.Object({ channelId: ChannelId, requestId: Uuid, state: RequestState }),
    push: ({ channelId, requestId, state }) => [
      push('stream', topics.stream(channelId), 'request', { requestId, state }),
    ],
  }),
  auditEvent('audience'),
] as const
