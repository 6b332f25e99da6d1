import type { FollowedList } from '@looptide/contracts/http/followed-lists'
import { useState } from 'react'
import { timeAgo } from '../../../lib/time/time-ago.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'
import { useConfirm } from '../../../ui/use-confirm.tsx'
import { useAction } from '../../admin/use-action.ts'
import { changeList, checkList, stopFollowing } from './api.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { checkText, countText, intakeText, nameOf, problemText } from './list-text.ts'

/** A followed list: its new videos, its problem, and its actions. */
export function FollowedRow({ list }: { list: FollowedList }) {
  const name = nameOf(list)
  const nowMs = Date.now()
  return (
    <li aria-label={name} className="grid gap-2 py-4">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <a
          href={list.url.includes('://') ? list.url : `https://${list.url}`}
          target="_blank"
          rel="noopener noreferrer"
          className="rounded-sm font-semibold wrap-anywhere underline underline-offset-4"
        >
          {name}
        </a>
        <span className="text-sm text-muted">{list.kind === 'channel' ? 'Channel' : 'Playlist'}</span>
      </p>
      <p className="text-sm wrap-anywhere">{intakeText(list)}</p>
      <p className="text-sm text-muted">
        {countText(list, nowMs)} {checkText(list, nowMs)}
      </p>
      {list.problem && (
        <p className="text-sm font-medium wrap-anywhere">
          <span aria-hidden="true">⚠ </span>
          {problemText(list.problem, nowMs)}{' '}
          <span className="text-muted">Noticed {timeAgo(list.problem.since, nowMs)}.</span>
        </p>
      )}
      <Actions list={list} name={name} />
    </li>
  )
}

const NOT_CHANGED = { title: 'Error changing the list', text: 'Please try again.' }

function Actions({ list, name }: { list: FollowedList; name: string }) {
  const { isBusy, run } = useAction()
  const { confirm, confirmation } = useConfirm()
  const [isOpen, setOpen] = useState(false)
  const pause = () => run(() => changeList(list.id, { isPaused: !list.isPaused }), NOT_CHANGED)
  const check = () => run(() => checkList(list.id), { title: 'Not checked', text: 'Please try again.' })
  const stop = () =>
    run(async () => {
      await stopFollowing(list.id)
      toast({ title: 'Stopped following', description: name, tone: 'success' })
    }, NOT_CHANGED)
  return (
    <div className="flex flex-wrap gap-2">
      {!list.isPaused && (
        <Button
          aria-label={`Check ${name} now`}
          isBusy={isBusy}
          disabled={list.isChecking}
          onClick={() => void check()}
        >
          Check now
        </Button>
      )}
      <Button
        aria-label={`${list.isPaused ? 'Resume' : 'Pause'} ${name}`}
        isBusy={isBusy}
        onClick={() => void pause()}
      >
        {list.isPaused ? 'Resume' : 'Pause'}
      </Button>
      <Button aria-label={`Change ${name}`} onClick={() => setOpen(true)}>
        Change
      </Button>
      <Button
        tone="plain"
        aria-label={`Stop following ${name}`}
        isBusy={isBusy}
        onClick={() =>
          confirm({
            title: `Stop following ${name}?`,
            confirmLabel: 'Stop following',
            text: 'Its videos are kept. If you follow it again, videos that you removed may be added again.',
            onConfirm: stop,
          })
        }
      >
        Stop following
      </Button>
      {isOpen && <ChangeDialog list={list} onClose={() => setOpen(false)} />}
      {confirmation}
    </div>
  )
}
