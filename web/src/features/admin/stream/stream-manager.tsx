import type { Channel, StreamStatus } from '@looptide/contracts/http/channels'
import { useState } from 'react'
import { ApiError } from '../../../lib/api-error.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { controlStream, type StreamAction, useChannels } from './api.ts'

/** 24/7 Stream Manager: every channel with its true status, and the switches of it. */
export function StreamManager() {
  const { data, error, mutate } = useChannels()
  return (
    <section aria-labelledby="stream-manager" className="grid gap-4">
      <h2 id="stream-manager" className="text-xl font-semibold">
        24/7 Stream Manager
      </h2>
      {data ? (
        <ul className="grid gap-4 lg:grid-cols-2">
          {data.items.map((channel) => (
            <li key={channel.id}>
              <ChannelCard channel={channel} />
            </li>
          ))}
        </ul>
      ) : error ? (
        <ErrorNotice text="Failed to fetch channels" onRetry={() => void mutate()} />
      ) : (
        <Skeleton className="h-40" />
      )}
    </section>
  )
}

const STATUS: Record<StreamStatus, string> = { idle: 'Offline', syncing: 'Syncing...', live: 'Live 24/7' }

function ChannelCard({ channel }: { channel: Channel }) {
  const [busyWith, setBusyWith] = useState<StreamAction | null>(null)
  const [asks, setAsks] = useState<'stop' | 'reset' | null>(null)
  const isLive = channel.status === 'live'

  const run = async (action: StreamAction) => {
    setAsks(null)
    setBusyWith(action)
    try {
      const { videosCount } = await controlStream(channel.id, action)
      tellSuccess(action, videosCount)
    } catch (failure) {
      tellFailure(action, failure)
    } finally {
      setBusyWith(null)
    }
  }

  return (
    <article aria-label={channel.name} className="grid gap-4 rounded-lg border border-line/70 bg-panel p-5">
      <div className="flex items-center justify-between gap-4">
        <h3 className="truncate text-lg font-semibold">{channel.name}</h3>
        <StatusBadge status={busyWith === 'start' ? 'syncing' : channel.status} />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" disabled={busyWith !== null} onClick={() => void run('start')}>
          {isLive ? 'Restart Stream' : 'Start 24/7 Stream'}
        </Button>
        <Button
          disabled={busyWith !== null || channel.status === 'idle'}
          aria-expanded={asks === 'stop'}
          onClick={() => setAsks('stop')}
        >
          Stop Stream
        </Button>
        <Button
          disabled={busyWith !== null}
          aria-expanded={asks === 'reset'}
          onClick={() => setAsks('reset')}
        >
          Reset Stream
        </Button>
      </div>
      {asks && (
        <fieldset className="flex flex-wrap items-center gap-2 text-sm">
          <legend className="sr-only">Are you sure?</legend>
          <p className="mr-2">
            {asks === 'stop'
              ? 'Every viewer of this channel sees it go off the air.'
              : 'What is on now is cut off, and the whole programme is built anew.'}
          </p>
          <Button tone="danger" onClick={() => void run(asks)}>
            {asks === 'stop' ? 'Yes, stop' : 'Yes, reset'}
          </Button>
          <Button onClick={() => setAsks(null)}>Cancel</Button>
        </fieldset>
      )}
    </article>
  )
}

function StatusBadge({ status }: { status: StreamStatus }) {
  return (
    <span
      role="status"
      className={classNames(
        'inline-flex shrink-0 items-center gap-2 rounded-full px-3 py-1 text-sm font-semibold',
        status === 'live' ? 'bg-live text-on-live' : 'bg-raised text-text',
      )}
    >
      <span
        aria-hidden="true"
        className={classNames('size-2 rounded-full bg-current', status === 'syncing' && 'animate-breathe')}
      />
      {STATUS[status]}
    </span>
  )
}

/** Admin specification §8, "Stream". */
function tellSuccess(action: StreamAction, videosCount: number): void {
  if (action === 'start') {
    toast({
      title: 'Stream Started Successfully!',
      description: `${videosCount} videos are now playing 24/7 on the live stream.`,
      tone: 'success',
    })
  } else toast({ title: action === 'stop' ? 'Stream Stopped' : 'Stream Reset', tone: 'success' })
}

/** Refusals of the guard have titles of their own (viewer specification §8, "Security and stream"). */
const REFUSALS: Record<string, string> = {
  unauthorized: 'Authentication Required',
  forbidden: 'Access Denied',
  admin_rate_limited: 'Rate Limit Exceeded',
}

function tellFailure(action: StreamAction, failure: unknown): void {
  const error = failure instanceof ApiError ? failure : undefined
  const refusal = error && REFUSALS[error.code]
  if (error && refusal) toast({ title: refusal, description: error.message, tone: 'error' })
  else if (action === 'start') {
    toast({
      title: 'Sync Failed',
      description: error?.message ?? 'Failed to sync videos to server',
      tone: 'error',
    })
  } else if (action === 'stop') {
    toast({ title: 'Stream Error', description: 'Failed to toggle stream status.', tone: 'error' })
  } else toast({ title: 'Reset Error', description: 'Failed to reset stream.', tone: 'error' })
}
