import type { AuditEntry } from '@looptide/contracts/http/admin'
import { useId, useState } from 'react'
import { Link } from 'react-router-dom'
import { copyText } from '../../lib/browser/copy-text.ts'
import { useAction } from '../../lib/failures.ts'
import { paths } from '../../lib/paths.ts'
import { clockTime, dateLocale } from '../../lib/time/date-locale.ts'
import { timeAgo } from '../../lib/time/time-ago.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { toast } from '../../ui/toast.ts'
import { undoJob } from '../admin/jobs/api.ts'
import { removeFromPlaylist } from '../admin/remove-from-playlist.ts'
import { videoCountText } from '../admin/video-texts.ts'
import { actorWithoutAccount, addedItems, factsIn, firstText } from './audit-facts.ts'
import { isSecurityEvent } from './audit-labels.ts'
import type { Names, Part } from './audit-parts.ts'
import { auditSentence } from './audit-sentences.ts'
import { type Difference, differencesOf, factsOf } from './differences.ts'
import type { FoldedEntry } from './fold-autosaves.ts'

/** An audit log entry on one line: who did what, and when. A click shows the exact time and what changed. */
export function AuditLine(
  props: FoldedEntry & {
    nowMs: number
    names: Names
    nameOf: (userId: string) => string
    /** Ids of the jobs that can be undone. */
    undoable: ReadonlySet<string>
    /** Items of playlists that later entries say were removed. */
    removed: ReadonlySet<string>
    /** The page was opened for this entry. */
    isOpenAtFirst: boolean
    onSelectActor: (userId: string) => void
  },
) {
  const { entry, saves, sinceInstant, names } = props
  const [isOpen, setOpen] = useState(props.isOpenAtFirst)
  const isSecurity = isSecurityEvent(entry.action)
  const jobId = firstText(factsIn(entry.details).jobId)
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
        <p
          className={classNames(
            'my-1.5 min-w-0 flex-1 wrap-anywhere focus-within:line-clamp-none',
            !isOpen && 'line-clamp-2 sm:line-clamp-1',
          )}
        >
          {isSecurity && <SecurityMark />}
          <ActorName entry={entry} nameOf={props.nameOf} onSelect={props.onSelectActor} />{' '}
          {sentence.map((part) =>
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
        {jobId !== undefined && props.undoable.has(jobId) && (
          <Button icon="undo" className="shrink-0" onClick={() => void undoJob(jobId)}>
            Undo
          </Button>
        )}
        <UndoAddition entry={entry} nowMs={props.nowMs} removed={props.removed} />
        <time
          dateTime={entry.createdAt}
          title={exactTime(entry.createdAt)}
          className="shrink-0 text-sm text-muted tabular-nums"
        >
          {timeAgo(entry.createdAt, props.nowMs)}
        </time>
      </div>
      <div id={detailsId} hidden={!isOpen}>
        {isOpen && <Details entry={entry} />}
      </div>
    </li>
  )
}

/** Time for which an addition to a playlist can be undone from its entry, in ms. */
const UNDO_MS = 86_400_000

/** Takes from a playlist what the entry has added to it, as far as it is still there. */
function UndoAddition(props: { entry: AuditEntry; nowMs: number; removed: ReadonlySet<string> }) {
  const { entry, nowMs, removed } = props
  const { targetId, createdAt, details } = entry
  const [isUndone, setUndone] = useState(false)
  const { isBusy, run } = useAction()
  const itemIds = addedItems(entry).filter((id) => !removed.has(id))
  const isOver = nowMs - Date.parse(createdAt) >= UNDO_MS
  if (isUndone || isOver || targetId === null || itemIds.length === 0) return null
  const undo = async () => {
    const isDone = await run(
      async () => {
        const count = await removeFromPlaylist(targetId, itemIds)
        const name = firstText(factsIn(details).channelName) ?? 'the channel'
        // A filter of the log may hide the entry of an earlier removal.
        if (count === 0)
          toast({ title: 'Nothing to undo', description: `${name} no longer has the added videos.` })
        else {
          const description = `${videoCountText(count)} removed from ${name}.`
          toast({ title: 'Addition undone', description, tone: 'success' })
        }
      },
      { title: 'Error undoing the change', text: 'Please try again.' },
    )
    setUndone(isDone)
  }
  return (
    <Button icon="undo" className="shrink-0" isBusy={isBusy} onClick={() => void undo()}>
      Undo
    </Button>
  )
}

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
  const facts = [...differencesOf(entry.before, entry.after), ...factsOf(entry.details)]
  return (
    <div className="grid gap-2 pt-1 pr-4 pb-3 pl-13">
      <Facts facts={[{ field: 'Time', after: exactTime(entry.createdAt) }, ...facts]} />
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
