/** Why a rule of a channel forbids a requested video. */
const RULES: Record<string, string> = {
  artistSeparationMinutes: 'This artist was on a short time ago.',
  videoSeparationHours: 'This video was on a short time ago.',
  maxAiringsPerDay: 'This video has been on as often today as it may be.',
  maxDurationMinutes: 'This video is longer than those that the channel plays.',
  excludedFromRequests: 'This video cannot be requested on this channel.',
  hardStart: 'This video would have ended after the start of a fixed programme.',
  notPlayable: 'This video cannot be played any more.',
}

/** One sentence for a rule; rules without one of their own share it. */
export const ruleReason = (rule: string): string =>
  RULES[rule] ?? 'The rules of this channel do not allow this video now.'
