import type { AppealOutcome, CaseDecision, ReportReason } from '@looptide/contracts/http/chat-cases'

/** Reasons for a report, in the order in which they are offered. */
export const REPORT_LABELS: Record<ReportReason, string> = {
  spam: 'Spam or advertising',
  abuse: 'Insults or threats',
  hate: 'Hate against a group',
  sexual: 'Sexual content',
  other: 'Something else',
}

/** Decisions, as sentences about a message. */
export const DECISION_LABELS: Record<CaseDecision, string> = {
  none: 'The message stays.',
  remove: 'The message was removed.',
  restrict: 'The message was removed, and its author timed out.',
}

/** Decisions about appeals. */
export const OUTCOME_LABELS: Record<AppealOutcome, string> = {
  uphold: 'The decision stays.',
  reverse: 'The decision was reversed.',
}
