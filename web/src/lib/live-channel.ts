import type { Channel } from '@looptide/contracts/http/channels'

/**
 * The channel that Live TV shows: the default channel or, while that is deactivated, the first active one, preferably
 * one on the air. Undefined when no channel is active. Until the channels are loaded it is the default channel.
 */
export function liveChannelId(
  defaultChannelId: string,
  active: readonly Pick<Channel, 'id' | 'status'>[] | undefined,
): string | undefined {
  if (!active || active.some(({ id }) => id === defaultChannelId)) return defaultChannelId
  const next = active.find(({ status }) => status !== 'idle') ?? active[0]
  return next?.id
}
