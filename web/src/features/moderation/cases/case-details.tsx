import type { ChatCaseDetails } from '@looptide/contracts/http/chat-cases'
import { useAllPages, useCall } from '../../../lib/api/use-call.ts'
import { DECISION_LABELS, OUTCOME_LABELS, REPORT_LABELS } from '../../../lib/report-labels.ts'
import { dayAndTime } from '../../../lib/time/date-locale.ts'
import { classNames } from '../../../ui/class-names.ts'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { DecideForm } from './decide-form.tsx'

const when = (instant: string): string => dayAndTime(Date.parse(instant))

/** Restrictions in force, as the beginning of a sentence. */
const RESTRICTION_LABELS: Record<ChatCaseDetails['restrictions'][number]['restrictionType'], string> = {
  chat_banned: 'Banned from the chat',
  site_banned: 'Banned from the site',
  restricted: 'Restricted',
}

/** Whether moderators have to decide about the report, or about an appeal. */
const isWaiting = ({ decision, appeal }: ChatCaseDetails): boolean =>
  decision === null || (appeal !== null && appeal.outcome === null)

/** A reported message: who wrote what around it, why it was reported, what the author did before, and the decision. */
export function CaseDetails({ id, onDecided }: { id: string; onDecided: () => void }) {
  // Read each time it is shown: an appeal may follow a decision at once.
  const { data, error, mutate } = useCall(
    'GET /api/chat/cases/:id',
    { params: { id } },
    { dedupingInterval: 0 },
  )
  const channels = useAllPages('GET /api/channels', {})
  if (!data) {
    if (error) return <ErrorNotice text="Failed to load the report." onRetry={() => void mutate()} />
    return (
      <div role="status" aria-label="Loading the report">
        <Skeleton className="h-72" />
      </div>
    )
  }
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-5 rounded-lg border border-line/70 bg-panel p-4 text-sm [overflow-wrap:anywhere]">
      <header className="grid gap-2">
        <h2 className="text-base font-semibold">
          <bdi>{data.authorHandle === null ? 'A member without a handle' : `@${data.authorHandle}`}</bdi> on{' '}
          <bdi>{channels.data?.find((channel) => channel.id === data.channelId)?.name ?? data.channelId}</bdi>
        </h2>
        <blockquote dir="auto" className="border-l-2 border-accent pl-3 text-base whitespace-pre-wrap">
          {data.message}
        </blockquote>
        <p className="text-muted">
          {when(data.postedAt)}, reported {data.reportCount === 1 ? 'once' : `${data.reportCount} times`}
        </p>
      </header>
      <Reports details={data} />
      {data.decision && <Decided details={data} />}
      {data.appeal && <Appealed appeal={data.appeal} />}
      <Context details={data} />
      <History details={data} />
      {isWaiting(data) && (
        <DecideForm
          details={data}
          onDecided={() => {
            void mutate()
            onDecided()
          }}
        />
      )}
    </article>
  )
}

function Reports({ details: { reports } }: { details: ChatCaseDetails }) {
  return (
    <section>
      <h3 className="mb-1 font-semibold">Reports</h3>
      {reports.length === 0 && <p className="text-muted">The accounts of the reporters were deleted.</p>}
      <ul className="grid gap-1">
        {reports.map(({ reason, text, reportedAt }, index) => (
          // Reports have no id, so that moderators do not learn who reported; the list only grows at its end.
          <li key={`${index} ${reportedAt}`}>
            {REPORT_LABELS[reason]}
            {text !== null && <span dir="auto">: {text}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Decided({ details: { decision, reason, decidedAt } }: { details: ChatCaseDetails }) {
  return (
    <section>
      <h3 className="mb-1 font-semibold">Decision</h3>
      <p>
        {decision && DECISION_LABELS[decision]}{' '}
        {decidedAt !== null && <span className="text-muted">{when(decidedAt)}</span>}
      </p>
      {reason !== null && <p>Note for the author: {reason}</p>}
    </section>
  )
}

function Appealed({ appeal }: { appeal: NonNullable<ChatCaseDetails['appeal']> }) {
  return (
    <section>
      <h3 className="mb-1 font-semibold">Appeal</h3>
      <p dir="auto">“{appeal.text}”</p>
      {appeal.outcome && <p>{OUTCOME_LABELS[appeal.outcome]}</p>}
    </section>
  )
}

function Context({ details: { context, messageId } }: { details: ChatCaseDetails }) {
  return (
    <section>
      <h3 className="mb-1 font-semibold">Messages around it</h3>
      {context.length === 0 && <p className="text-muted">They are not stored any longer.</p>}
      <ol className="grid gap-1">
        {context.map((message) => (
          <li
            key={message.id}
            className={classNames(message.id === messageId && 'border-l-2 border-accent pl-2 font-medium')}
          >
            <bdi className="text-muted">{message.handle === null ? 'viewer' : `@${message.handle}`}</bdi>{' '}
            <bdi>{message.message}</bdi>
            {message.isRemoved && <span className="text-muted"> (removed)</span>}
          </li>
        ))}
      </ol>
    </section>
  )
}

function History({ details: { earlier, restrictions } }: { details: ChatCaseDetails }) {
  return (
    <section>
      <h3 className="mb-1 font-semibold">History of the author</h3>
      {restrictions.map(({ restrictionType, expiresAt }) => (
        <p key={restrictionType}>
          {RESTRICTION_LABELS[restrictionType]}
          {expiresAt === null ? ', without an end' : `, until ${when(expiresAt)}`}.
        </p>
      ))}
      {earlier.length === 0 && <p className="text-muted">No earlier decisions.</p>}
      <ul className="grid gap-1">
        {earlier.map(({ id, message, decision, decidedAt, appeal }) => (
          <li key={id}>
            <span className="text-muted">{when(decidedAt)}</span> “<bdi>{message}</bdi>”:{' '}
            {DECISION_LABELS[decision]} {appeal?.outcome && OUTCOME_LABELS[appeal.outcome]}
          </li>
        ))}
      </ul>
    </section>
  )
}
