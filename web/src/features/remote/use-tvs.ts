import { topics } from '@looptide/contracts/realtime'
import { useEffect, useRef, useState } from 'react'
import { useCall } from '../../lib/api/use-call.ts'
import { realtime } from '../../lib/clients.ts'
import { readTv, type TvCommand } from '../../lib/remote/tv-messages.ts'
import { useSession } from '../../lib/session/session.tsx'

/** Interval in which TVs are asked whether they are on, in ms. */
const ASK_MS = 5_000
/** Time after which a TV that does not answer counts as off, in ms. */
const OFF_AFTER_MS = 12_000
/** Time in which a TV answers a command, in ms. */
const ANSWER_MS = 2_000

/** Time after which the page says that no TV is on, in ms. */
const FIRST_ANSWER_MS = 700

type Send = (event: 'tv_hello' | 'tv_command', payload: object) => void

/** The paired TVs of the account, which of them are on, and how to command them. */
export function useTvs() {
  const { userId } = useSession()
  const sessions = useCall('GET /api/me/sessions', userId ? {} : null, { userId })
  const paired = sessions.data?.items.filter(({ paired: isTv }) => isTv)
  const [heardAtMs, setHeardAtMs] = useState<Readonly<Record<string, number>>>({})
  const on = paired?.filter(({ id }) => id in heardAtMs)
  const [hasAsked, setHasAsked] = useState(false)
  const [isUnanswered, setUnanswered] = useState(false)
  const send = useRef<Send>(null)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    if (userId === undefined) return
    const subscription = realtime.subscribe('user', topics.user(userId), {
      pushes: {
        tv_here: (message) => {
          const tv = readTv(message)
          if (tv === undefined) return
          clearTimeout(waiting.current)
          setUnanswered(false)
          setHeardAtMs((heard) => ({ ...onlyRecent(heard), [tv]: Date.now() }))
        },
      },
      onState: (state) => {
        if (state === 'joined') ask()
      },
    })
    let asked: ReturnType<typeof setTimeout> | undefined
    const ask = () => {
      if (!subscription.send('tv_hello', {})) return
      setHeardAtMs(onlyRecent)
      asked ??= setTimeout(() => setHasAsked(true), FIRST_ANSWER_MS)
    }
    send.current = (event, payload) => void subscription.send(event, payload as never)
    const timer = setInterval(ask, ASK_MS)
    return () => {
      clearInterval(timer)
      clearTimeout(asked)
      clearTimeout(waiting.current)
      subscription.leave()
    }
  }, [userId])

  return {
    error: sessions.error as unknown,
    retry: () => void sessions.mutate(),
    /** All paired TVs; undefined while they are loaded. */
    paired,
    /** Those that are on; undefined until they could answer. */
    on: hasAsked || on?.length ? on : undefined,
    /** Whether the last command got no answer. */
    isUnanswered,
    command: (tv: string, command: TvCommand) => {
      send.current?.('tv_command', { tv, command })
      clearTimeout(waiting.current)
      waiting.current = setTimeout(() => setUnanswered(true), ANSWER_MS)
    },
  }
}

function onlyRecent(heard: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  const sinceMs = Date.now() - OFF_AFTER_MS
  return Object.fromEntries(Object.entries(heard).filter(([, atMs]) => atMs >= sinceMs))
}
