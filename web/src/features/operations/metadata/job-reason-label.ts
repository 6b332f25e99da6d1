import { unavailableReasonText } from '../../admin/video-texts.ts'

/** Why a lookup failed: the text of a reason code, or the worker's error message. */
export function jobReasonLabel(reason: string | null): string {
  const text = unavailableReasonText(reason || 'unknown reason')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
