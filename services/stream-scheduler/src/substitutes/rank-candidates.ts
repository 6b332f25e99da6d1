/** A video that may replace another one. */
export interface Candidate {
  videoId: string
  /** The length that is played, in ms. */
  durationMs: number
}

export interface ReplacedProgramme {
  videoId: string
  /** Length of the programme, in ms. */
  lengthMs: number
  /** Videos shortly before and after the programme. */
  nearbyIds: ReadonlySet<string>
}

/** A second without a picture weighs as much as this number of seconds that are missing at the end. */
const SHORTFALL_WEIGHT = 4

/**
 * The ids of the candidates, the best one first: the nearest in length, rather longer than shorter. Videos that are on
 * shortly before or after the programme come last. The order does not depend on that of the candidates, so that all
 * viewers get the same substitute. A candidate may be listed several times.
 */
export function rankCandidates(
  candidates: readonly Candidate[],
  { videoId: replacedId, lengthMs, nearbyIds }: ReplacedProgramme,
): string[] {
  const lengths = new Map(candidates.map(({ videoId, durationMs }) => [videoId, durationMs]))
  lengths.delete(replacedId)
  return [...lengths]
    .map(([id, durationMs]) => ({
      id,
      isNearby: nearbyIds.has(id),
      mismatch: mismatchOf(durationMs - lengthMs),
    }))
    .sort(
      (a, b) => Number(a.isNearby) - Number(b.isNearby) || a.mismatch - b.mismatch || (a.id < b.id ? -1 : 1),
    )
    .map(({ id }) => id)
}

const mismatchOf = (excessMs: number): number => (excessMs >= 0 ? excessMs : -excessMs * SHORTFALL_WEIGHT)
