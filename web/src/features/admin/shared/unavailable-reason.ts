const REASONS: Record<string, string> = {
  removed: 'removed from YouTube',
  private: 'private on YouTube',
  not_embeddable: 'embedding not allowed',
  age_restricted: 'age-restricted on YouTube',
  region_blocked: 'blocked in all regions',
  upcoming: 'has not started on YouTube',
  live: 'live on YouTube',
  bad_id: 'unknown video ID',
  unsupported_address: 'unsupported URL',
}

/** Why a video is unavailable, as a text. Reasons that are not codes of the metadata worker are returned unchanged. */
export const unavailableReasonText = (reason: string): string => REASONS[reason] ?? reason
