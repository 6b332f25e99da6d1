import { Link } from 'react-router-dom'
import { clockTime, dateLocale } from '../../lib/time/date-locale.ts'
import { timeAgo } from '../../lib/time/time-ago.ts'
import { classNames } from '../../ui/class-names.ts'
import { actorWithoutAccount } from './audit-facts.ts'
import { isSecurityEvent } from './audit-labels.ts'
import { auditSentence, type Names } from './audit-sentences.ts'
import { type Difference, differencesOf, factsOf } from './differences.ts'
import type { FoldedEntry } from './fold-autosaves.ts'

/** Details that are shown without expanding the entry. */
const SHOWN_DETAILS = 6

/** An audit log entry: who did what, when, and what changed. */
export function AuditLine(
  props: FoldedEntry & {
    nowMs: number
    names: Names
    nameOf: (userId: string) => string
    onSelectActor: (userId: string) => void
  },
) {
  const { entry, saves, sinceInstant, nowMs, names, nameOf, onSelectActor } = props
  const isSecurity = isSecurityEvent(entry.action)
  const changes = differencesOf(entry.before, entry.after)
  const all = [...changes, ...factsOf(entry.details)]
  return (
    <li
      className={classNames(
        'grid gap-2 border-l-4 px-4 py-3 [contain-intrinsic-height:auto_5rem] [content-visibility:auto]',
        isSecurity ? 'border-l-warning bg-raised' : 'border-l-transparent',
      )}
    >
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <p className="min-w-0 flex-1 basis-64 [overflow-wrap:anywhere]">
          {isSecurity && (
            <span className="mr-2 rounded-full bg-warning px-2 py-0.5 text-xs font-semibold whitespace-nowrap text-on-caution">
              ⚠ Security
            </span>
          )}
          {entry.adminUserId ? (
            <Actor
              id={entry.adminUserId}
              {...(entry.isPseudonymised ? PSEUDONYMISED : { name: nameOf(entry.adminUserId) })}
              onSelect={onSelectActor}
            />
          ) : (
            <strong className="font-semibold">{actorWithoutAccount(entry.details)}</strong>
          )}{' '}
          {auditSentence(entry, names).map((part) =>
            typeof part === 'string' ? (
              part
            ) : (
              <Link key={part.text} to={part.to} className="font-semibold text-link hover:underline">
                {part.text}
              </Link>
            ),
          )}
          {saves > 1 && (
            <span className="text-muted">
              {' '}
              ({saves} times since {clockTime(Date.parse(sinceInstant))})
            </span>
          )}
        </p>
        <EntryTime instant={entry.createdAt} nowMs={nowMs} />
      </div>
      {all.length > 0 && <Facts facts={all.slice(0, SHOWN_DETAILS)} />}
      {all.length > SHOWN_DETAILS && (
        <details className="text-sm">
          <summary className="w-fit cursor-pointer py-1 text-link">{all.length - SHOWN_DETAILS} more</summary>
          <Facts facts={all.slice(SHOWN_DETAILS)} />
        </details>
      )}
    </li>
  )
}

const PSEUDONYMISED = {
  name: 'Pseudonymised user',
  description: 'Old entries show a pseudonym instead of the user. Show only actions by this pseudonym',
}

/** The user who performed an action; a click filters the log by this user. */
function Actor(props: { id: string; name: string; description?: string; onSelect: (id: string) => void }) {
  const { name, description = `Show only actions by ${name}` } = props
  return (
    <button
      type="button"
      title={description}
      className="rounded-sm font-semibold underline-offset-4 hover:underline"
      onClick={() => props.onSelect(props.id)}
    >
      {name}
    </button>
  )
}

/** The relative and the exact time, in the viewer's time zone. */
function EntryTime({ instant, nowMs }: { instant: string; nowMs: number }) {
  const exact = new Date(instant).toLocaleString(dateLocale, { dateStyle: 'medium', timeStyle: 'medium' })
  return (
    <time dateTime={instant} className="text-sm text-muted tabular-nums">
      {timeAgo(instant, nowMs)} · {exact}
    </time>
  )
}

function Facts({ facts }: { facts: readonly Difference[] }) {
  return (
    <dl className="grid gap-x-4 gap-y-0.5 text-sm sm:grid-cols-[9rem_minmax(0,1fr)]">
      {facts.map(({ field, before, after }) => (
        <div key={field} className="grid gap-x-4 sm:col-span-2 sm:grid-cols-subgrid">
          <dt className="text-muted">{field}</dt>
          <dd className="[overflow-wrap:anywhere]">
            {before !== undefined && (
              <del className={after === undefined ? undefined : 'text-muted'}>
                <span className="sr-only">before: </span>
                {before}
              </del>
            )}
            {before !== undefined && after !== undefined && (
              <span aria-hidden="true" className="px-2 text-muted">
                →
              </span>
            )}
            {after !== undefined && (
              <ins className="no-underline">
                {before !== undefined && <span className="sr-only">after: </span>}
                {after}
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
