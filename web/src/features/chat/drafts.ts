/** Unsent messages by channel and user. Kept outside the panel, because that closes on entering fullscreen. */
const drafts = new Map<string, string>()

const keyOf = (channelId: string, userId: string): string => `${channelId} ${userId}`

export const draftOf = (channelId: string, userId: string): string =>
  drafts.get(keyOf(channelId, userId)) ?? ''

export function keepDraft(channelId: string, userId: string, text: string): void {
  if (text === '') drafts.delete(keyOf(channelId, userId))
  else drafts.set(keyOf(channelId, userId), text)
}
