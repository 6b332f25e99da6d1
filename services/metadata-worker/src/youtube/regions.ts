const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Every country code that has a name (ISO 3166-1 alpha-2, as ICU knows it). */
const allRegions = (): string[] => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  return LETTERS.flatMap((a) => LETTERS.map((b) => a + b)).filter((code) => names.of(code) !== undefined)
}

/** The countries a video is not shown in; YouTube says either these or the others. */
export function blockedRegions(
  restriction: { allowed?: string[]; blocked?: string[] } | undefined,
): string[] {
  if (restriction?.allowed !== undefined) {
    const allowed = new Set(restriction.allowed)
    return allRegions().filter((code) => !allowed.has(code))
  }
  return restriction?.blocked ?? []
}
