/** Meaning of player error codes: YouTube IFrame API `onError`, HTML `MediaError`. */
const PLAYER_ERRORS: Record<string, string> = {
  '2': 'The video ID is invalid',
  '3': 'The file cannot be decoded',
  '4': 'The file was not found or its format is not supported',
  '5': 'The YouTube player cannot play it',
  '100': 'It was removed or made private',
  '101': 'The owner does not allow embedding',
  '150': 'The owner does not allow embedding',
}

/** Readable text for a quarantine reason (`player error <code>`), with the code. */
export function reasonLabel(reason: string): string {
  const code = /^player error (\d+)$/.exec(reason)?.[1]
  const text = code === undefined ? undefined : PLAYER_ERRORS[code]
  return text === undefined ? reason || 'Unknown reason' : `${text} (error ${code}).`
}
