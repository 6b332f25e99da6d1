/** The names of the first few, and how many there are in all; each name counts once. */
export function summarizeArtists(
  artists: Iterable<string>,
  most = 3,
): { artists: string[]; artistCount: number } {
  const names = [...new Set(artists)]
  return { artists: names.slice(0, most), artistCount: names.length }
}

/** Whom a stretch of programmes is made of, in a few words: 'Adele, Queen and 12 more'. */
export function formatArtistSummary({
  artists,
  artistCount,
}: {
  artists: readonly string[]
  artistCount: number
}): string {
  const more = artistCount - artists.length
  return more > 0 ? `${artists.join(', ')} and ${more} more` : artists.join(', ')
}
