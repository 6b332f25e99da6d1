/** The worker's reasons; anything else it says is a passing fault in words of its own. */
const REASONS: Record<string, string> = {
  removed: 'Removed from YouTube',
  private: 'Private',
  not_embeddable: 'Not allowed outside YouTube',
  age_restricted: 'Age restricted',
  region_blocked: 'Blocked in this region',
  bad_id: 'YouTube does not know this id',
}

/** Why a look-up failed, in words. */
export const jobReason = (reason: string | null): string =>
  REASONS[reason ?? ''] ?? reason ?? 'Reason unknown'
