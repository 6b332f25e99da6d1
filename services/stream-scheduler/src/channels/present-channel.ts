import type { Channel } from '@looptide/contracts/http/channels'
import type { ChannelRow } from '../db/schema.ts'

/** The public part of a channel. */
export function presentChannel(row: ChannelRow): Channel {
  const { id, name, description, position, isActive, shuffleEnabled, status, logoUrl } = row
  const { takesRequests, requestEvery } = row
  const slots = takesRequests ? row.requestSlots : []
  return {
    ...{ id, name, description, position, isActive, shuffleEnabled, status, logoUrl },
    ...{ takesRequests, requestEvery },
    ...(slots !== null && { requestSlots: slots }),
  }
}
