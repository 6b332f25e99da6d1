import type { NowState, Programme } from '@looptide/contracts/http/channels'

/** The known part of a channel's timeline. */
export interface Timeline {
  channelId: string
  status: NowState['status']
  timelineVersion: number
  programmes: Programme[]
  /** Server time of the state (epoch ms), to order states of the same version. */
  serverNowMs: number
}

/** The newer of two states of a channel: HTTP responses and pushes may arrive out of order. */
export function newerTimeline(known: Timeline | undefined, state: NowState): Timeline {
  if (!known || known.channelId !== state.channelId) return { ...state }
  if (state.timelineVersion !== known.timelineVersion) {
    return state.timelineVersion > known.timelineVersion ? { ...state } : known
  }
  return state.serverNowMs >= known.serverNowMs ? { ...state } : known
}
