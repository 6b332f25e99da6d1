/** What the players' error numbers mean: YouTube IFrame API, onError; HTML, MediaError. */
const PLAYER_ERRORS: Record<string, string> = {
  '2': 'YouTube does not know this video.',
  '3': 'The file cannot be decoded.',
  '4': 'The file cannot be found or is of a kind browsers do not play.',
  '5': 'YouTube’s player cannot play it.',
  '100': 'It was removed or made private.',
  '101': 'Its owner does not allow it to be shown here.',
  '150': 'Its owner does not allow it to be shown here.',
}

/** Why a video was taken off the air (`player error <number>`), in words, with the number. */
export function reasonText(reason: string): string {
  const code = /^player error (\d+)$/.exec(reason)?.[1]
  const words = code === undefined ? undefined : PLAYER_ERRORS[code]
  return words === undefined ? reason || 'Reason unknown' : `${words} (error ${code})`
}
