const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** All ISO 3166-1 alpha-2 codes for which ICU has a name. */
const allRegions = (): string[] => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  return LETTERS.flatMap((a) => LETTERS.map((b) => a + b)).filter((code) => names.of(code) !== undefined)
}

/** The countries in which a video is blocked. YouTube lists either the allowed or the blocked ones. */
export function blockedRegions(
  restriction: { allowed?: string[]; blocked?: string[] } | undefined,
): string[] {
  if (restriction?.allowed !== undefined) {
    const allowed = new Set(restriction.allowed)
    return allRegions().filter((code) => !allowed.has(code))
  }
  return restriction?.blocked ?? []
}
