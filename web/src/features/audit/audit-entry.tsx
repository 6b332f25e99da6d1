import type { AuditEntry } from '@looptide/contracts/http/admin'
import type { VideoJob } from '@looptide/contracts/http/video-jobs'
import { useId, useState } from 'react'
import { Link } from 'react-router-dom'
import { copyText } from '../../lib/browser/copy-text.ts'
import { paths } from '../../lib/paths.ts'
import { clockTime, dateLocale } from '../../lib/time/date-locale.ts'
import { timeAgo } from '../../lib/time/time-ago.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { undoJob } from '../admin/jobs/api.ts'
import { undoText } from '../admin/jobs/job-texts.ts'
import { actorWithoutAccount, factsIn, firstText } from './audit-facts.ts'
import { capitalised, isSecurityEvent } from './audit-labels.ts'
import type { Names, Part } from './audit-parts.ts'
import { auditSentence } from './audit-sentences.ts'
import { type Difference, detailsOf } from './differences.ts'
import type { FoldedEntry } from './fold-autosaves.ts'
import { UndoButton, UndoneMark } from './undo/undo-button.tsx'

/** An audit log entry on one line: who did what, and when. A click shows the exact time and what changed. */
export function AuditLine(
  props: FoldedEntry & {
    nowMs: number
    names: Names
    nameOf: (userId: string) => string
    /** The jobs of the last day. */
    jobs: readonly VideoJob[]
    /** The loaded entries after this one, newest first. */
    later: readonly AuditEntry[]
    /** The page was opened for this entry. */
    isOpenAtFirst: boolean
    onSelectActor: (userId: string) => void
  },
) {
  const { entry, saves, sinceInstant, names } = props
  const [isOpen, setOpen] = useState(props.isOpenAtFirst)
  const isSecurity = isSecurityEvent(entry.action)
  const jobId = firstText(factsIn(entry.details).jobId)
  const job = props.jobs.find(({ id }) => id === jobId)
  const sentence = auditSentence(entry, names)
  const detailsId = useId()
  const toggle = () => setOpen(!isOpen)
  return (
    <li
      className={classNames(
        'border-l-4 [contain-intrinsic-height:auto_2.75rem] [content-visibility:auto]',
        isSecurity ? 'border-l-warning bg-raised' : 'border-l-transparent',
      )}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keyboard uses the button. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the line acts like the label of its button. */}
      <div
        className="flex min-h-11 cursor-pointer items-center gap-x-2 pr-3 hover:bg-raised/60"
        onClick={({ target }) => {
          if (target instanceof Element && !target.closest('a, button')) toggle()
        }}
      >
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={detailsId}
          aria-label={`Details: ${sentence.map(textOfPart).join('')}`}
          className="grid size-11 shrink-0 place-items-center rounded-md text-muted"
          onClick={toggle}
        >
          <Icon name="forward" className={classNames('size-4', isOpen && 'rotate-90')} />
        </button>
        {/* On phones the sentence has a row of its own. */}
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 pb-1.5 sm:flex-nowrap sm:pb-0">
          <p
            className={classNames(
              'my-1.5 min-w-0 basis-full wrap-anywhere focus-within:line-clamp-none sm:flex-1 sm:basis-auto',
              !isOpen && 'sm:line-clamp-1',
            )}
          >
            {isSecurity && <SecurityMark />}
            <ActorName entry={entry} nameOf={props.nameOf} onSelect={props.onSelectActor} />{' '}
            <Sentence parts={sentence} />
            {saves > 1 && (
              <span className="text-muted">
                {' '}
                ({saves} times since {clockTime(Date.parse(sinceInstant))})
              </span>
            )}
          </p>
          {job && <JobUndo job={job} jobs={props.jobs} />}
          <UndoButton
            entry={entry}
            later={props.later}
            nowMs={props.nowMs}
            sentence={sentence.map(textOfPart).join('')}
          />
          <time
            dateTime={entry.createdAt}
            title={exactTime(entry.createdAt)}
            className="shrink-0 text-sm text-muted tabular-nums"
          >
            {timeAgo(entry.createdAt, props.nowMs)}
          </time>
        </div>
      </div>
      <div id={detailsId} hidden={!isOpen}>
        {isOpen && <Details entry={entry} />}
      </div>
    </li>
  )
}

/** Undoes a change of many videos, or says how far it has been undone. */
function JobUndo({ job, jobs }: { job: VideoJob; jobs: readonly VideoJob[] }) {
  return (
    <>
      {job.undoneBy !== null && <UndoneMark>{capitalised(undoText(job, jobs))}</UndoneMark>}
      {job.canUndo && (
        <Button icon="undo" className="shrink-0" onClick={() => void undoJob(job.id)}>
          Undo
        </Button>
      )}
    </>
  )
}

const Sentence = ({ parts }: { parts: readonly Part[] }) =>
  parts.map((part) =>
    typeof part === 'string' ? (
      part
    ) : (
      <Link key={part.text} to={part.to} className="font-semibold text-link hover:underline">
        {part.text}
      </Link>
    ),
  )

function SecurityMark() {
  return (
    <span className="mr-2 rounded-full bg-warning px-2 py-0.5 text-xs font-semibold whitespace-nowrap text-on-caution">
      ⚠ Security
    </span>
  )
}

const textOfPart = (part: Part): string => (typeof part === 'string' ? part : part.text)

const exactTime = (instant: string): string =>
  new Date(instant).toLocaleString(dateLocale, { dateStyle: 'medium', timeStyle: 'medium' })

/** The exact time of an entry, its values, and its URL. */
function Details({ entry }: { entry: AuditEntry }) {
  const url = new URL(paths.audit({ id: entry.id }), window.location.origin).href
  return (
    <div className="grid gap-2 pt-1 pr-4 pb-3 pl-13">
      <Facts facts={[{ field: 'Time', after: exactTime(entry.createdAt) }, ...detailsOf(entry)]} />
      <Button
        icon="copy"
        className="justify-self-start"
        onClick={() => void copyText(url, 'The link to this entry')}
      >
        Copy link
      </Button>
    </div>
  )
}

function ActorName(props: {
  entry: AuditEntry
  nameOf: (userId: string) => string
  onSelect: (userId: string) => void
}) {
  const { adminUserId, isPseudonymised, details } = props.entry
  if (!adminUserId) return <strong className="font-semibold">{actorWithoutAccount(details)}</strong>
  const shown = isPseudonymised ? PSEUDONYMISED : { name: props.nameOf(adminUserId) }
  return <Actor id={adminUserId} {...shown} onSelect={props.onSelect} />
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
