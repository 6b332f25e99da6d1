import type { FollowedList } from '@looptide/contracts/http/followed-lists'
import { useState } from 'react'
import { showFailure, useAction } from '../../../lib/failures.ts'
import { timeAgo } from '../../../lib/time/time-ago.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Form, SubmitButton } from '../../../ui/form.tsx'
import { EmptyNotice, ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { useConfirm } from '../../../ui/use-confirm.tsx'
import { useForm } from '../../../ui/use-form.ts'
import { changeList, checkList, stopFollowing, useFollowedLists } from './api.ts'
import { FollowDialog } from './follow-dialog.tsx'
import { ListFields, type ListValues, tagProblem } from './list-fields.tsx'
import { checkText, countText, intakeText, nameOf, problemText } from './list-text.ts'

/** The YouTube playlists and channels that the station follows. */
export function FollowedListsDialog({ onClose }: { onClose: () => void }) {
  const { data, error, mutate } = useFollowedLists()
  const lists = data?.items
  const [isFollowing, setFollowing] = useState(false)
  const button = (
    <Button tone="primary" icon="plus" onClick={() => setFollowing(true)}>
      Follow a list
    </Button>
  )
  return (
    <Dialog
      title="Followed lists"
      description="New videos from these YouTube playlists and channels are added automatically."
      isOpen
      onClose={onClose}
    >
      {!lists && !error && <Skeleton className="h-32" />}
      {!lists && error !== undefined && (
        <ErrorNotice text="Failed to load the followed lists." onRetry={() => void mutate()} />
      )}
      {lists?.length === 0 && (
        <EmptyNotice title="No followed lists yet">
          <p>
            New videos from a followed playlist or channel go to Submissions or directly to the library.
            Videos that you remove are not added again.
          </p>
          {button}
        </EmptyNotice>
      )}
      {lists && lists.length > 0 && (
        <>
          {button}
          <ul aria-label="Followed lists" className="mt-2 divide-y divide-line/60">
            {lists.map((list) => (
              <FollowedRow key={list.id} list={list} />
            ))}
          </ul>
        </>
      )}
      {isFollowing && (
        <FollowDialog
          onClose={() => setFollowing(false)}
          onFollowed={({ url }) =>
            toast({ title: 'List followed', description: `Checking ${url} now.`, tone: 'success' })
          }
        />
      )}
    </Dialog>
  )
}

/** A followed list: its new videos, its problem, and its actions. */
function FollowedRow({ list }: { list: FollowedList }) {
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

/** Changes where new videos of a list go, and their tag. */
function ChangeDialog({ list, onClose }: { list: FollowedList; onClose: () => void }) {
  const { intake, category, tag } = list
  const [values, setValues] = useState<ListValues>({ intake, category, tag })
  const form = useForm({
    check: () => tagProblem(values.tag),
    send: async () => {
      await changeList(list.id, { ...values, tag: values.tag.trim() })
      onClose()
    },
    onFailure: (failure) =>
      showFailure(failure, { title: 'Error changing the list', text: 'Please try again.' }),
  })
  return (
    <Dialog
      title={`Change ${nameOf(list)}`}
      description="Applies to videos found from now on."
      isOpen
      onClose={onClose}
      width="narrow"
    >
      <Form form={form}>
        <ListFields form={form} values={values} onChange={(change) => setValues({ ...values, ...change })} />
        <SubmitButton form={form}>Save</SubmitButton>
      </Form>
    </Dialog>
  )
}
