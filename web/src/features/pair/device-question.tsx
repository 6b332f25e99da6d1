import type { AnswerOf } from '@looptide/contracts/client'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { ApiError } from '../../lib/api/api-error.ts'
import { useCall } from '../../lib/api/use-call.ts'
import { api } from '../../lib/clients.ts'
import { showFailure } from '../../lib/failures.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session/session.tsx'
import { timeAgo, waitText } from '../../lib/time/time-ago.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

type Device = AnswerOf<'GET /auth/v1/device'>
type Decision = 'allow' | 'deny'

/** Why a code pairs no TV, by error code. */
const PROBLEMS: Readonly<Record<string, { title: string; text: string }>> = {
  invalid_user_code: {
    title: 'No TV shows this code',
    text: 'Compare it with the code on the TV, letter by letter.',
  },
  user_code_expired: {
    title: 'This code has expired',
    text: 'Get a new code on the TV, then enter it here.',
  },
  user_code_used: {
    title: 'This code was used already',
    text: 'It was allowed or denied before. To pair another TV, get a new code there.',
  },
  user_restricted: { title: 'Your account is restricted', text: 'You cannot pair a TV for now.' },
}

/** Shows which TV waits with a code, and asks whether it may use the account. `onOtherCode` asks for another code. */
export function DeviceQuestion({ code, onOtherCode }: { code: string; onOtherCode: () => void }) {
  const { userId } = useSession()
  const { data, error, mutate } = useCall(
    'GET /auth/v1/device',
    { query: { user_code: code } },
    { userId, revalidateOnFocus: false, revalidateOnReconnect: false, dedupingInterval: 0 },
  )
  const [refusal, setRefusal] = useState<ApiError>()
  const [decided, setDecided] = useState<{ decision: Decision; device: string }>()
  const [busyWith, setBusyWith] = useState<Decision>()

  const decide = async (decision: Decision, device: string) => {
    if (busyWith) return
    setBusyWith(decision)
    try {
      await api.call('POST /auth/v1/device/decision', { body: { user_code: code, decision } })
      setDecided({ decision, device })
      // The code is used: if it is entered again, nothing of this answer may be shown.
      await mutate(undefined, { revalidate: false })
    } catch (failure) {
      if (problemOf(failure)) setRefusal(failure as ApiError)
      else
        showFailure(failure, { title: 'Not Paired', text: 'The TV could not be paired. Please try again.' })
    } finally {
      setBusyWith(undefined)
    }
  }

  if (decided) return <Decided {...decided} />
  const problem = problemOf(refusal ?? error)
  if (problem) return <Problem {...problem} onOtherCode={onOtherCode} />
  if (error) return <ErrorNotice text="The code could not be checked." onRetry={() => void mutate()} />
  if (!data) return <Skeleton className="h-56" />
  return (
    <>
      <Facts device={data} />
      <p className="text-sm text-muted">
        It will play, keep playlists, chat, request videos and vote as you. It cannot change your account or
        manage the station, and you can sign it out at any time.
      </p>
      <p role="note" className="rounded-md bg-raised px-4 py-3 text-sm">
        <strong>Allow it only if you see this code on the TV in front of you.</strong> Anyone else who gives
        you a code wants to get into your account.
      </p>
      <div className="grid gap-3 sm:grid-cols-2">
        <Button
          tone="primary"
          className="min-h-12 text-base"
          isBusy={busyWith !== undefined}
          onClick={() => void decide('allow', data.device)}
        >
          {busyWith === 'allow' ? 'Allowing...' : 'Allow'}
        </Button>
        <Button
          className="min-h-12 text-base"
          isBusy={busyWith !== undefined}
          onClick={() => void decide('deny', data.device)}
        >
          {busyWith === 'deny' ? 'Denying...' : 'Deny'}
        </Button>
      </div>
    </>
  )
}

function problemOf(failure: unknown): { title: string; text: string } | undefined {
  if (!(failure instanceof ApiError)) return undefined
  if (failure.status !== 429) return PROBLEMS[failure.code]
  const wait = failure.retryAfterMs === undefined ? 'a few minutes' : waitText(failure.retryAfterMs)
  return { title: 'Too many wrong codes', text: `Please try again in ${wait}.` }
}

/** What is known of the TV. Its name is its own word, so it is quoted. */
function Facts({
  device: { device, network, same_network: isNear, created_at: askedAt },
}: {
  device: Device
}) {
  return (
    <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[auto_minmax(0,1fr)] [&_dt]:text-muted [&_dd]:font-medium [&_dd]:wrap-anywhere">
      <dt>Device</dt>
      <dd>
        “<bdi>{device}</bdi>”
      </dd>
      <dt>Network</dt>
      <dd>
        {network ?? 'Unknown'}
        <span className="font-normal text-muted">
          {isNear ? ' · the same as yours' : ' · not the same as yours'}
        </span>
      </dd>
      <dt>Asked</dt>
      <dd>{timeAgo(askedAt, Date.now())}</dd>
    </dl>
  )
}

function Problem({ title, text, onOtherCode }: { title: string; text: string; onOtherCode: () => void }) {
  return (
    <>
      <div role="alert" className="grid gap-1">
        <p className="text-lg font-semibold">{title}</p>
        <p className="text-muted">{text}</p>
      </div>
      <Button tone="primary" className="min-h-12 text-base" onClick={onOtherCode}>
        Enter another code
      </Button>
    </>
  )
}

function Decided({ decision, device }: { decision: Decision; device: string }) {
  const isAllowed = decision === 'allow'
  return (
    <>
      <div role="status" className="grid gap-1">
        <p className="text-lg font-semibold">{isAllowed ? 'The TV is paired' : 'Denied'}</p>
        <p className="text-muted">
          {isAllowed ? (
            <>
              “<bdi>{device}</bdi>” signs in within a few seconds. You find it among your devices.
            </>
          ) : (
            'The TV was told that you do not want this.'
          )}
        </p>
      </div>
      <Link
        to={isAllowed ? paths.devices() : paths.root()}
        className={buttonClass('primary', 'min-h-12 text-base')}
      >
        {isAllowed ? 'Your devices' : 'Done'}
      </Link>
    </>
  )
}
